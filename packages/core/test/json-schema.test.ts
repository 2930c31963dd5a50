import { describe, expectTypeOf, it } from "vitest";
import { z } from "zod";
import type { FromJsonSchema, JsonSchema, ParametersOf } from "../src/index.js";

describe("FromJsonSchema", () => {
  it("gives the types of scalars, lists, choices and constants", () => {
    expectTypeOf<FromJsonSchema<{ type: "string" }>>().toEqualTypeOf<string>();
    expectTypeOf<FromJsonSchema<{ type: "integer" }>>().toEqualTypeOf<number>();
    expectTypeOf<FromJsonSchema<{ type: "number" }>>().toEqualTypeOf<number>();
    expectTypeOf<FromJsonSchema<{ type: "boolean" }>>().toEqualTypeOf<boolean>();
    expectTypeOf<FromJsonSchema<{ type: "null" }>>().toEqualTypeOf<null>();
    expectTypeOf<FromJsonSchema<{ type: "array" }>>().toEqualTypeOf<unknown[]>();
    expectTypeOf<FromJsonSchema<{ type: "array"; items: { type: "string" } }>>().toEqualTypeOf<string[]>();
    expectTypeOf<FromJsonSchema<{ type: "string"; enum: readonly ["a", "b"] }>>().toEqualTypeOf<"a" | "b">();
    expectTypeOf<FromJsonSchema<{ const: 5 }>>().toEqualTypeOf<5>();
    expectTypeOf<FromJsonSchema<{ type: "object" }>>().toEqualTypeOf<Record<string, unknown>>();
  });

  it("tells required from optional properties, at any depth", () => {
    const schema = {
      type: "object",
      properties: {
        query: { type: "string" },
        top_k: { type: "integer" },
        filter: {
          type: "object",
          properties: { tags: { type: "array", items: { type: "string" } }, strict: { type: "boolean" } },
          required: ["tags"],
        },
      },
      required: ["query"],
    } as const satisfies JsonSchema;
    expectTypeOf<FromJsonSchema<typeof schema>>().toEqualTypeOf<{
      query: string;
      top_k?: number;
      filter?: { tags: string[]; strict?: boolean };
    }>();
  });

  it("says unknown where it knows no more", () => {
    expectTypeOf<FromJsonSchema<{ anyOf: [{ type: "string" }] }>>().toBeUnknown();
    expectTypeOf<FromJsonSchema<Record<never, never>>>().toBeUnknown();
  });
});

describe("ParametersOf", () => {
  it("is the output of a Standard Schema", () => {
    const schema = z.object({
      text: z.string(),
      limit: z.number().default(5),
      mode: z.enum(["a", "b"]).optional(),
    });
    expectTypeOf<ParametersOf<typeof schema>>().toEqualTypeOf<{
      text: string;
      limit: number;
      mode?: "a" | "b" | undefined;
    }>();
  });

  it("is the type a constant JSON Schema describes, and any object for one that is not constant", () => {
    expectTypeOf<
      ParametersOf<{
        readonly type: "object";
        readonly properties: { readonly a: { readonly type: "string" } };
      }>
    >().toEqualTypeOf<{ a?: string }>();
    expectTypeOf<ParametersOf<JsonSchema>>().toEqualTypeOf<Record<string, unknown>>();
  });
});
