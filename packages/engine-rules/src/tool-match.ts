import type { OpenAIFunction } from "@openjarvis/core";
import type { PlannedCall } from "./plan.js";

/** A call of a tool that was offered. */
export interface MatchedCall {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

type Schema = OpenAIFunction["function"]["parameters"];

/**
 * The planned call in terms of the tools that were offered: the tool of its name (a single text goes to the tool's
 * only required text, whatever that is called), or else, where the plan allows it, the first tool whose only required
 * parameter has the name of the one argument. `undefined` when no tool serves.
 */
export function matchTool(tools: readonly OpenAIFunction[], call: PlannedCall): MatchedCall | undefined {
  const [[parameter, value] = ["", undefined], ...more] = Object.entries(call.arguments);
  const single = more.length === 0 && typeof value === "string";
  const named = tools.map(({ function: tool }) => tool).filter((tool) => tool.name === call.tool);
  // Descriptions in prompts can make a tool appear twice; the one that has the parameters is the real one.
  const known = named.find((tool) =>
    Object.keys(call.arguments).every((name) => propertyOf(tool.parameters, name) !== undefined),
  );
  if (known !== undefined) {
    return { name: known.name, arguments: { ...call.arguments, ...knownOf(known.parameters, call) } };
  }
  for (const tool of single ? named : []) {
    const only = onlyRequiredText(tool.parameters);
    if (only !== undefined) return { name: tool.name, arguments: { [only]: value } };
  }
  if (call.bySchema !== true || !single) return undefined;
  const other = tools.find(({ function: tool }) => onlyRequiredText(tool.parameters) === parameter);
  return other && { name: other.function.name, arguments: call.arguments };
}

/** The optional arguments that a tool has parameters for. */
function knownOf(schema: Schema, { optional = {} }: PlannedCall): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(optional).filter(([name]) => propertyOf(schema, name) !== undefined),
  );
}

/** The one required parameter of a tool, when it is a text. */
function onlyRequiredText(schema: Schema): string | undefined {
  const required: unknown = schema.required;
  const [only, ...more]: unknown[] = Array.isArray(required) ? required : [];
  if (typeof only !== "string" || more.length > 0) return undefined;
  const type = propertyOf(schema, only)?.type;
  return type === "string" || (Array.isArray(type) && type.includes("string")) ? only : undefined;
}

/** What a schema says of a parameter. Schemas come from servers and plugins, so nothing about them is taken for granted. */
function propertyOf(schema: Schema, name: string): { type?: unknown } | undefined {
  const properties: unknown = schema.properties;
  if (typeof properties !== "object" || properties === null || !Object.hasOwn(properties, name))
    return undefined;
  const property = (properties as Record<string, unknown>)[name];
  return typeof property === "object" && property !== null ? property : undefined;
}
