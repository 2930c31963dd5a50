import { type BaseTool, type JsonSchema, jsonSchemaOf } from "@openjarvis/core";
import { codeName } from "./code-name.js";
import { orderedParameters } from "./ordered-parameters.js";

/**
 * The arguments of a tool that a program calls as a function: by position, the required parameters first; by keyword,
 * which sandboxes hand on as one object behind the others; or as one object. Throws a `TypeError` that states the form.
 */
export function callArguments(tool: BaseTool, args: readonly unknown[]): Record<string, unknown> {
  const schema = jsonSchemaOf(tool.spec.parameters);
  const names = orderedParameters(schema);
  const last = args.at(-1);
  const named = isObject(last) && holdsNames(last, args.length - 1, names, schema) ? last : {};
  const positional = named === last ? args.slice(0, -1) : args;
  const name = codeName(tool.spec.name);
  if (positional.length > names.length) {
    const takes = names.length === 0 ? "no arguments" : `(${names.join(", ")})`;
    throw new TypeError(`${name}() takes ${takes}, but ${positional.length} values were given`);
  }
  const given = Object.fromEntries(positional.map((value, index) => [names[index], value]));
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(named, key)) throw new TypeError(`${name}() got two values for ${key}`);
  }
  return { ...given, ...named };
}

/** Whether an object at a position holds parameters by name, and is not itself the value of the parameter there. */
function holdsNames(
  object: Record<string, unknown>,
  position: number,
  names: readonly string[],
  { properties = {} }: JsonSchema,
): boolean {
  const keys = Object.keys(object);
  if (keys.some((key) => names.includes(key))) return true;
  const parameter = properties[names[position] ?? ""];
  if (parameter === undefined) return true;
  if (keys.length === 0) return position === 0;
  // Where no object fits, the names are wrong, and the check of the arguments says so.
  return ["string", "number", "integer", "boolean", "array"].includes(String(parameter.type));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
