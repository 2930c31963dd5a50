/** A JSON Schema (draft 2020-12), as far as this project looks into it. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly description?: string;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly [keyword: string]: unknown;
}

type Simplify<T> = { [K in keyof T]: T[K] } & {};

type RequiredKeys<S> = S extends { readonly required: readonly (infer K extends string)[] } ? K : never;

type FromObject<P, R extends string> = Simplify<
  { -readonly [K in keyof P as K extends R ? K : never]: FromJsonSchema<P[K]> } & {
    -readonly [K in keyof P as K extends R ? never : K]?: FromJsonSchema<P[K]>;
  }
>;

/** The TypeScript type of the values that a JSON Schema written `as const` describes; `unknown` where it says no more. */
export type FromJsonSchema<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly type: readonly (infer T)[] }
      ? T extends string
        ? FromType<S, T>
        : unknown
      : S extends { readonly type: infer T extends string }
        ? FromType<S, T>
        : unknown;

/** The TypeScript type of one of the types a schema names. */
type FromType<S, T extends string> = T extends "string"
  ? string
  : T extends "number" | "integer"
    ? number
    : T extends "boolean"
      ? boolean
      : T extends "null"
        ? null
        : T extends "array"
          ? S extends { readonly items: infer I }
            ? FromJsonSchema<I>[]
            : unknown[]
          : T extends "object"
            ? S extends { readonly properties: infer P }
              ? FromObject<P, RequiredKeys<S>>
              : Record<string, unknown>
            : unknown;
