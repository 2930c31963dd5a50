import type { JsonSchema } from "./json-schema.js";

/**
 * Turns what models write into what a schema asks for where only one reading is possible: `"5"` → `5` for numbers,
 * `"true"` → `true`, a number → text, one value → a list of one, JSON text → the object or list it holds, and drops
 * a `null` for a parameter that is optional and may not be null, and what is `undefined`. Anything else is left for
 * the validation to name.
 */
export function coerce(value: unknown, schema: JsonSchema | boolean | undefined, depth = 0): unknown {
  if (schema === undefined || typeof schema === "boolean" || depth > 32) return value;
  const types = typesOf(schema);
  if (types.length === 0 || types.some((type) => isOfType(value, type))) return descend(value, schema, depth);
  for (const type of types) {
    const converted = convert(value, type);
    if (converted !== undefined) return descend(converted, schema, depth);
  }
  return value;
}

function descend(value: unknown, schema: JsonSchema, depth: number): unknown {
  if (Array.isArray(value)) {
    const { items, prefixItems = [] } = schema;
    return mapChanged(value, (item, index) => coerce(item, prefixItems[index] ?? items, depth + 1));
  }
  if (typeof value !== "object" || value === null) return value;
  let copy: Record<string, unknown> | undefined;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) {
    if (object[key] !== undefined) continue;
    copy ??= { ...object };
    delete copy[key];
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(object, key)) continue;
    const before = object[key];
    if (before === undefined) continue;
    if (before === null && !schema.required?.includes(key) && !typesOf(property).includes("null")) {
      if (typesOf(property).length === 0) continue;
      copy ??= { ...object };
      delete copy[key];
      continue;
    }
    const after = coerce(before, property, depth + 1);
    if (after === before) continue;
    copy ??= { ...object };
    copy[key] = after;
  }
  return copy ?? value;
}

function mapChanged(list: unknown[], change: (item: unknown, index: number) => unknown): unknown[] {
  const mapped = list.map(change);
  return mapped.some((item, index) => item !== list[index]) ? mapped : list;
}

function convert(value: unknown, type: string): unknown {
  if (type === "number" || type === "integer") return toNumber(value, type);
  if (type === "boolean") {
    if (value === "true") return true;
    if (value === "false") return false;
    return undefined;
  }
  if (type === "string")
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  if (type === "array" || type === "object") {
    const parsed = typeof value === "string" ? parseContainer(value) : undefined;
    if (isOfType(parsed, type)) return parsed;
    if (type === "object" || value === null || value === undefined) return undefined;
    // A broken list is no list of one.
    return typeof value === "string" && value.trimStart().startsWith("[") ? undefined : [value];
  }
  return undefined;
}

function toNumber(value: unknown, type: "number" | "integer"): number | undefined {
  if (typeof value !== "string" || !/^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(value)) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number) || (type === "integer" && !Number.isSafeInteger(number))) return undefined;
  return number;
}

function parseContainer(text: string): unknown {
  const first = text.trimStart()[0];
  if (first !== "{" && first !== "[") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type === undefined) return [];
  return typeof schema.type === "string" ? [schema.type] : schema.type;
}

function isOfType(value: unknown, type: string): boolean {
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  if (type === "object") return typeof value === "object" && value !== null && !Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}
