import { parseLooseJson } from "./loose-json.js";
import { acceptsText, type ParametersSchema, schemaTypes } from "./parameters-schema.js";

/**
 * The value of a parameter that a dialect writes without types, as between two tags: the text itself where the schema
 * allows text, else what it says as JSON. Without a schema, what is JSON is read as JSON.
 */
export function typedValue(text: string, schema: ParametersSchema | undefined): unknown {
  if (acceptsText(schema) && schemaTypes(schema).size > 0) return text;
  const read = parseLooseJson(text);
  // Without a type, quotes may be part of the text.
  if (!read.ok || (schemaTypes(schema).size === 0 && read.repaired)) return text;
  return read.value;
}
