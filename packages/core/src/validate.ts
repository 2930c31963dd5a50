import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { coerce } from "./coerce.js";
import type { JsonSchema } from "./json-schema.js";
import { didYouMean } from "./names.js";
import { jsonSchemaOf, type ParametersSchema } from "./parameters.js";
import { isStandardSchema, type StandardIssue } from "./standard-schema.js";

/** The outcome of checking a tool's arguments: the parameters, or a sentence for the model that names the fields. */
export type Validation = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

const validators = new WeakMap<object, Validator>();

/** Coerces and validates arguments against the schema of a tool's parameters. */
export async function validateParameters(
  schema: ParametersSchema | undefined,
  value: Record<string, unknown>,
): Promise<Validation> {
  const json = jsonSchemaOf(schema);
  const coerced = coerce(value, json) as Record<string, unknown>;
  if (schema !== undefined && isStandardSchema(schema)) {
    const result = await schema["~standard"].validate(coerced);
    if (result.issues === undefined) return { ok: true, value: result.value as Record<string, unknown> };
    return { ok: false, message: describeIssues(result.issues, json) };
  }
  return validateJson(json, coerced);
}

/** Validates plain JSON against a JSON Schema, without changing it. */
export function validateJson(schema: JsonSchema, value: Record<string, unknown>): Validation {
  let validator = validators.get(schema);
  if (validator === undefined) {
    // Not short-circuited: a model that gets every wrong field at once needs one more turn, not several.
    validator = new Validator(schema as ConstructorParameters<typeof Validator>[0], "2020-12", false);
    validators.set(schema, validator);
  }
  const result = validator.validate(value);
  if (result.valid) return { ok: true, value };
  return { ok: false, message: describeErrors(result.errors, schema) };
}

const maxShown = 5;

function describeErrors(errors: readonly OutputUnit[], schema: JsonSchema): string {
  // A parent repeats what its child says; only the deepest statements help.
  const telling = errors.filter((error) => !wrappers.has(error.keyword));
  const lines = (telling.length > 0 ? telling : errors).map((error) => {
    const field = error.instanceLocation.replace(/^#\/?/, "").replaceAll("/", ".");
    const missing = /required property "(.*)"/.exec(error.error)?.[1];
    if (missing !== undefined)
      return `missing required parameter "${field === "" ? missing : `${field}.${missing}`}"`;
    const additional = /Property "(.*)" does not match additional/.exec(error.error)?.[1];
    if (additional !== undefined) return unknownParameter(additional, schema);
    return field === "" ? error.error : `parameter "${field}": ${error.error}`;
  });
  return summarise(lines, schema);
}

const wrappers = new Set(["properties", "items", "prefixItems", "additionalProperties", "allOf", "$ref"]);

function describeIssues(issues: readonly StandardIssue[], schema: JsonSchema): string {
  const lines = issues.map((issue) => {
    const field = (issue.path ?? [])
      .map((part) => String(typeof part === "object" ? part.key : part))
      .join(".");
    return field === "" ? issue.message : `parameter "${field}": ${issue.message}`;
  });
  return summarise(lines, schema);
}

function unknownParameter(name: string, schema: JsonSchema): string {
  return `unknown parameter "${name}".${didYouMean(name, Object.keys(schema.properties ?? {}))}`;
}

function summarise(lines: string[], schema: JsonSchema): string {
  const unique = [...new Set(lines)];
  const shown = unique.slice(0, maxShown).join("; ");
  const more = unique.length > maxShown ? `; and ${unique.length - maxShown} more` : "";
  const names = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const type = Array.isArray(property.type) ? property.type.join("|") : (property.type ?? "any");
    return `${name} (${String(type)}${schema.required?.includes(name) ? ", required" : ""})`;
  });
  const takes = names.length === 0 ? "no parameters" : names.join(", ");
  return `${shown}${more}. The tool takes: ${takes}.`;
}
