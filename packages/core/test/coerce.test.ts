import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { coerce } from "../src/coerce.js";
import { type JsonSchema, validateJson } from "../src/index.js";

describe("coerce", () => {
  it.each<[unknown, JsonSchema, unknown]>([
    ["5", { type: "integer" }, 5],
    ["-5", { type: "integer" }, -5],
    [" 5 ", { type: "number" }, 5],
    ["5.0", { type: "integer" }, 5],
    ["2.5", { type: "number" }, 2.5],
    ["1e3", { type: "number" }, 1000],
    ["true", { type: "boolean" }, true],
    ["false", { type: "boolean" }, false],
    [5, { type: "string" }, "5"],
    [true, { type: "string" }, "true"],
    ["a", { type: "array" }, ["a"]],
    [5, { type: "array", items: { type: "number" } }, [5]],
    ["[1,2]", { type: "array" }, [1, 2]],
    [' ["1","2"] ', { type: "array", items: { type: "number" } }, [1, 2]],
    [{ a: 1 }, { type: "array" }, [{ a: 1 }]],
    ['{"a":"1"}', { type: "object", properties: { a: { type: "number" } } }, { a: 1 }],
    ["5", { type: ["integer", "null"] }, 5],
    [["1", 2], { type: "array", items: { type: "number" } }, [1, 2]],
    [["1", "2"], { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } }, ["1", 2]],
  ])("turns %j under %j into %j", (value, schema, expected) => {
    expect(coerce(value, schema)).toEqual(expected);
  });

  it.each<[string, unknown, JsonSchema]>([
    ["a value of the type", "5", { type: "string" }],
    ["a value of one of the types", "5", { type: ["string", "integer"] }],
    ["a value without a type", "5", {}],
    ["text that is no number", "five", { type: "integer" }],
    ["a fraction for an integer", "2.5", { type: "integer" }],
    ["an integer that has lost its digits", "9007199254740993", { type: "integer" }],
    ["infinity", "1e999", { type: "number" }],
    ["hexadecimal", "0x10", { type: "number" }],
    ["nothing for a number", "", { type: "number" }],
    ["a number with a unit", "5 m", { type: "number" }],
    ["a thousands separator", "1,000", { type: "number" }],
    ["a word for a truth value", "yes", { type: "boolean" }],
    ["a number for a truth value", 1, { type: "boolean" }],
    ["an object for text", { a: 1 }, { type: "string" }],
    ["null for text", null, { type: "string" }],
    ["null for a list", null, { type: "array" }],
    ["a broken list", "[1, 2", { type: "array" }],
    ["a broken object", "{a: 1}", { type: "object" }],
    ["a list for an object", "[1]", { type: "object" }],
  ])("leaves %s alone", (_name, value, schema) => {
    expect(coerce(value, schema)).toEqual(value);
  });

  it("drops null only for a parameter that is optional and may not be null", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        required: { type: "string" },
        optional: { type: "string" },
        nullable: { type: ["string", "null"] },
        any: {},
      },
      required: ["required"],
    };
    const value = { required: null, optional: null, nullable: null, any: null, other: null };
    expect(coerce(value, schema)).toEqual({ required: null, nullable: null, any: null, other: null });
  });

  it("drops what is undefined, declared or not, at any depth", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { a: { type: "string" }, o: { type: "object" } },
    };
    const coerced = coerce({ a: undefined, b: undefined, o: { c: undefined, d: 1 } }, schema);
    expect(coerced).toStrictEqual({ o: { d: 1 } });
  });

  it("changes a copy and never its input", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        list: { type: "array", items: { type: "number" } },
        o: { type: "object", properties: { n: { type: "number" } } },
      },
    };
    const value = Object.freeze({ list: Object.freeze(["1"]), o: Object.freeze({ n: "2" }), kept: {} });
    const coerced = coerce(value, schema) as typeof value;
    expect(coerced).toEqual({ list: [1], o: { n: 2 }, kept: {} });
    expect(value).toEqual({ list: ["1"], o: { n: "2" }, kept: {} });
    expect(coerced.kept).toBe(value.kept);
  });

  it("gives back the very value when there is nothing to change", () => {
    const value = { list: [1], o: { n: 2 } };
    expect(
      coerce(value, { type: "object", properties: { list: { type: "array", items: { type: "number" } } } }),
    ).toBe(value);
  });

  it("looks no deeper than it must into schemas and values that are endless", () => {
    const endless: Record<string, unknown> = { type: "object" };
    endless.properties = { next: endless };
    const value: Record<string, unknown> = { n: "1" };
    value.next = value;
    expect(coerce(value, endless)).toBe(value);
  });
});

const scalar = fc.constantFrom<JsonSchema>(
  { type: "string" },
  { type: "integer" },
  { type: "number" },
  { type: "boolean" },
  { type: "null" },
  { type: ["string", "null"] },
  { type: ["integer", "boolean"] },
  { enum: ["a", 1, null] },
  { type: "string", minLength: 2 },
  { type: "integer", minimum: 3 },
  {},
);
const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.record({ type: fc.constant("array"), items: tie("schema") }),
    fc.record({
      type: fc.constant("array"),
      prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
      items: tie("schema"),
    }),
    fc
      .tuple(
        fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema")),
        fc.subarray(["a", "b", "c"]),
        fc.boolean(),
      )
      .map(
        ([properties, required, closed]): JsonSchema => ({
          type: "object",
          properties,
          required,
          ...(closed ? { additionalProperties: false } : {}),
        }),
      ),
    fc.array(tie("schema"), { minLength: 1, maxLength: 2 }).map((anyOf): JsonSchema => ({ anyOf })),
  ),
}));
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>("a", "ab", "5", "[1]", '{"a":"1"}', "true", 1, 5, 2.5, true, null, "", []),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value"), { maxKeys: 3 }),
  ),
}));
const objects = fc.dictionary(fc.constantFrom("a", "b", "c"), values, { maxKeys: 3 });
const objectSchemas = fc
  .dictionary(fc.constantFrom("a", "b", "c"), schemas)
  .map((properties): JsonSchema => ({ type: "object", properties }));

describe("for any schema, coerce", () => {
  it("leaves a valid value as it is", () => {
    let valid = 0;
    fc.assert(
      fc.property(objectSchemas, objects, (schema, value) => {
        fc.pre(validateJson(schema, value).ok);
        valid += 1;
        expect(coerce(value, schema)).toEqual(value);
      }),
      { numRuns: 1500, maxSkipsPerRun: 1000 },
    );
    expect(valid).toBe(1500);
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const once = coerce(value, schema);
        expect(coerce(once, schema)).toEqual(once);
      }),
      { numRuns: 2000 },
    );
  });
});
