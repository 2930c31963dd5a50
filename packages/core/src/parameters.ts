import { errorText, JarvisError } from "./errors.js";
import type { FromJsonSchema, JsonSchema } from "./json-schema.js";
import { isStandardSchema, type StandardSchema } from "./standard-schema.js";

/** How a tool states its parameters: a plain JSON Schema, or any Standard Schema that can give its JSON Schema. */
export type ParametersSchema = JsonSchema | StandardSchema;

/** The TypeScript type of the parameters that a schema describes. */
export type ParametersOf<S> =
  S extends StandardSchema<unknown, infer Output>
    ? Output
    : FromJsonSchema<S> extends infer P extends object
      ? P
      : Record<string, unknown>;

const noParameters: JsonSchema = { type: "object", properties: {} };
const converted = new WeakMap<object, JsonSchema>();

/**
 * The JSON Schema of a tool's parameters, as engines send it. A Standard Schema is converted by its own copy of its
 * library (another copy may lose descriptions), in input mode (in output mode fields with defaults become required).
 *
 * Throws `OJ_TOOL_SPEC` when the schema cannot give a JSON Schema or does not describe an object.
 */
export function jsonSchemaOf(parameters: ParametersSchema | undefined): JsonSchema {
  if (parameters === undefined) return noParameters;
  if (isStandardSchema(parameters)) {
    const known = converted.get(parameters);
    if (known !== undefined) return known;
    const schema = checkObjectSchema(convert(parameters));
    converted.set(parameters, schema);
    return schema;
  }
  // Some engines reject an empty object as the schema of a tool without parameters.
  if (Object.keys(parameters).length === 0) return noParameters;
  return checkObjectSchema(parameters);
}

function convert(schema: StandardSchema): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  if (jsonSchema === undefined) {
    throw new JarvisError(
      "OJ_TOOL_SPEC",
      `The ${vendor} schema of a tool's parameters cannot give a JSON Schema.`,
      {
        hint: "Use zod 4.2 or newer, another library with Standard JSON Schema, or write the JSON Schema itself.",
      },
    );
  }
  try {
    const { $schema: _, ...rest } = jsonSchema.input({ target: "draft-2020-12" });
    return rest;
  } catch (error) {
    throw new JarvisError(
      "OJ_TOOL_SPEC",
      `The ${vendor} schema of a tool's parameters has no JSON Schema: ${errorText(error)}`,
      { cause: error, hint: "Use only types that JSON has: a date, say, as a string." },
    );
  }
}

function checkObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === "object" || (schema.type === undefined && schema.properties !== undefined))
    return schema;
  throw new JarvisError(
    "OJ_TOOL_SPEC",
    `The parameters of a tool must be a schema of type object; this one is of type ${JSON.stringify(schema.type)}.`,
  );
}
