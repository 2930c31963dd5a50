import type { JsonSchema } from "./json-schema.js";
import { jsonSchemaOf } from "./parameters.js";
import type { BaseTool } from "./tool.js";

/** Options of {@link buildToolDescriptions}. */
export interface ToolDescriptionOptions {
  /** Whether to include the `Category:` line. @default true */
  includeCategory?: boolean;
  /** Whether to include the lines with cost and latency estimates. @default false */
  includeCost?: boolean;
}

/**
 * Tools as Markdown for the system prompt of agents that read text: a heading, the description, the category, and a
 * line for each parameter. `No tools available.` for an empty list.
 */
export function buildToolDescriptions(
  tools: readonly BaseTool[],
  options: ToolDescriptionOptions = {},
): string {
  if (tools.length === 0) return "No tools available.";
  return tools.map((tool) => describeTool(tool, options)).join("\n\n");
}

function describeTool(
  tool: BaseTool,
  { includeCategory = true, includeCost = false }: ToolDescriptionOptions,
): string {
  const { name, description, category = "", costEstimate = 0, latencyEstimate = 0, parameters } = tool.spec;
  const lines = [`### ${name}`, description];
  if (includeCategory && category !== "") lines.push(`Category: ${category}`);
  if (includeCost && costEstimate !== 0) lines.push(`Cost estimate: $${costEstimate.toFixed(4)}`);
  if (includeCost && latencyEstimate !== 0) lines.push(`Latency estimate: ${latencyEstimate.toFixed(1)}s`);
  const schema = jsonSchemaOf(parameters);
  const properties = Object.entries(schema.properties ?? {});
  if (properties.length > 0) {
    lines.push("Parameters:");
    for (const [key, property] of properties) lines.push(describeParameter(key, property, schema));
  }
  return lines.join("\n");
}

function describeParameter(name: string, property: JsonSchema, schema: JsonSchema): string {
  const required = schema.required?.includes(name) ? ", required" : "";
  const text = property.description === undefined ? "" : `: ${property.description}`;
  return `  - ${name} (${typeText(property, schema)}${required})${text}`;
}

/** The type as a model reads it; follows one local `$ref`, since a bare reference says nothing. */
function typeText(property: JsonSchema, root: JsonSchema): string {
  const { type } = property;
  if (type !== undefined) return typeof type === "string" ? type : type.join("|");
  const target = property.$ref;
  if (typeof target === "string" && target.startsWith("#/")) {
    let node: unknown = root;
    for (const part of target.slice(2).split("/")) {
      node = typeof node === "object" && node !== null ? (node as Record<string, unknown>)[part] : undefined;
    }
    const referred = (node as JsonSchema | undefined)?.type;
    if (typeof referred === "string") return referred;
  }
  const variants = property.anyOf ?? property.oneOf;
  if (variants !== undefined) {
    const types = new Set(variants.map((variant) => variant.type).filter((item) => typeof item === "string"));
    if (types.size > 0) return [...types].join("|");
  }
  return "any";
}
