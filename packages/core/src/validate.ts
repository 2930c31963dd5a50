import { type OutputUnit, Validator } from "@cfworker/json-schema";
import { coerce } from "./coerce.js";
import { errorText, JarvisError } from "./errors.js";
import type { JsonSchema } from "./json-schema.js";
import { nearestName } from "./names.js";
import { jsonSchemaOf, type ParametersSchema } from "./parameters.js";
import { isStandardSchema, type StandardIssue, type StandardResult } from "./standard-schema.js";

/** The outcome of checking a tool's arguments: the parameters, or a sentence for the model that names the fields. */
export type Validation = { ok: true; value: Record<string, unknown> } | { ok: false; message: string };

const validators = new WeakMap<object, Validator>();

/** Coerces and validates arguments against the schema of a tool's parameters; at once, unless the schema itself waits. */
export function validateParameters(
  schema: ParametersSchema | undefined,
  value: Record<string, unknown>,
): Validation | Promise<Validation> {
  const json = jsonSchemaOf(schema);
  const coerced = coerce(value, json) as Record<string, unknown>;
  if (schema === undefined || !isStandardSchema(schema)) return validateJson(json, coerced);
  const outcome = schema["~standard"].validate(coerced);
  const judge = (result: StandardResult<unknown>): Validation =>
    result.issues === undefined
      ? { ok: true, value: result.value as Record<string, unknown> }
      : { ok: false, message: describeIssues(result.issues, json) };
  return outcome instanceof Promise ? outcome.then(judge) : judge(outcome);
}

/** Validates plain JSON against a JSON Schema, without changing it. */
export function validateJson(schema: JsonSchema, value: Record<string, unknown>): Validation {
  let result: ReturnType<Validator["validate"]>;
  try {
    result = validatorOf(schema).validate(value);
  } catch (error) {
    const reason = errorText(error);
    // What JSON cannot hold (a function, a key that is no Unicode) comes from the caller, the rest from the schema.
    if (/^Instances of|URI malformed/.test(reason))
      return { ok: false, message: summarise([reason], schema) };
    throw new JarvisError("OJ_TOOL_SPEC", `The parameters of the tool are no usable JSON Schema: ${reason}`, {
      cause: error,
    });
  }
  if (result.valid) return { ok: true, value };
  return { ok: false, message: describeErrors(result.errors, schema) };
}

function validatorOf(schema: JsonSchema): Validator {
  let validator = validators.get(schema);
  if (validator === undefined) {
    // A copy, because the validator writes into the schema, which may be frozen. Not short-circuited: a model that gets
    // every wrong field at once needs one more turn, not several.
    const copy = structuredClone(schema) as ConstructorParameters<typeof Validator>[0];
    validator = new Validator(copy, "2020-12", false);
    validators.set(schema, validator);
  }
  return validator;
}

const maxShown = 5;

function describeErrors(errors: readonly OutputUnit[], schema: JsonSchema): string {
  // A parent repeats what its child says; only the deepest statements help.
  const telling = errors.filter((error) => !wrappers.has(error.keyword));
  const lines = (telling.length > 0 ? telling : errors).map((error) => {
    const path = pointerPath(error.instanceLocation);
    const field = path.join(".");
    const missing = /required property "(.*)"/.exec(error.error)?.[1];
    if (missing !== undefined) return `missing required parameter "${[...path, missing].join(".")}"`;
    if (error.keyword === "false") return unknownParameter(path, schema);
    const text = error.error.replace(/\.$/, "");
    return field === "" ? text : `parameter "${field}": ${text}`;
  });
  return summarise(lines, schema);
}

const wrappers = new Set([
  "properties",
  "items",
  "prefixItems",
  "additionalProperties",
  "unevaluatedProperties",
  "allOf",
  "$ref",
]);

/** The keys of a JSON Pointer in a URI fragment. */
function pointerPath(pointer: string): string[] {
  const parts = pointer.split("/").slice(1);
  return parts.map((part) => decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~"));
}

function describeIssues(issues: readonly StandardIssue[], schema: JsonSchema): string {
  const lines = issues.map((issue) => {
    const field = (issue.path ?? [])
      .map((part) => String(typeof part === "object" ? part.key : part))
      .join(".");
    const text = issue.message.replace(/\.$/, "");
    return field === "" ? text : `parameter "${field}": ${text}`;
  });
  return summarise(lines, schema);
}

/** A property that a `false` schema refuses; what stands beside it is found where the path has plain properties. */
function unknownParameter(path: readonly string[], schema: JsonSchema): string {
  let parent: JsonSchema | undefined = schema;
  for (const key of path.slice(0, -1)) parent = parent?.properties?.[key];
  const known = Object.keys(parent?.properties ?? {});
  const guess = nearestName(path.at(-1) ?? "", known);
  return `unknown parameter "${path.join(".")}"${guess === undefined ? "" : ` (did you mean "${guess}"?)`}`;
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
