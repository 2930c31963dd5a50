/** A JSON Schema, as far as reading arguments needs it. A tool's `parameters` are one of type object. */
export interface ParametersSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, ParametersSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly ParametersSchema[];
  readonly oneOf?: readonly ParametersSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly [keyword: string]: unknown;
}

/** The types a schema allows, through `anyOf`, `oneOf`, `enum` and `const`; empty when it allows any. */
export function schemaTypes(schema: ParametersSchema | undefined): Set<string> {
  if (schema === undefined || typeof schema !== "object") return new Set();
  if (schema.type !== undefined)
    return new Set(typeof schema.type === "string" ? [schema.type] : schema.type);
  if (schema.enum !== undefined) return new Set(schema.enum.map(typeName));
  if (schema.const !== undefined) return new Set([typeName(schema.const)]);
  return new Set(
    [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((part) => [...schemaTypes(part)]),
  );
}

/** Whether a value of a schema may be text. */
export function acceptsText(schema: ParametersSchema | undefined): boolean {
  const types = schemaTypes(schema);
  return types.size === 0 || types.has("string");
}

/** The name JSON Schema has for a value's type. */
export function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}

/** The one parameter that a bare value can only be meant for: the only required one, or the only one. */
export function soleParameter(
  schema: ParametersSchema | undefined,
): { name: string; schema: ParametersSchema } | undefined {
  const properties = schema?.properties ?? {};
  const required = schema?.required ?? [];
  const names = Object.keys(properties);
  const name =
    required.length === 1 ? required[0] : required.length === 0 && names.length === 1 ? names[0] : undefined;
  const found = name !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return name === undefined || found === undefined ? undefined : { name, schema: found };
}
