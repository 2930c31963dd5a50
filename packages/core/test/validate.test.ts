import { describe, expect, it } from "vitest";
import { type JsonSchema, validateJson, validateParameters } from "../src/index.js";

const schema: JsonSchema = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1 },
    max_lines: { type: "integer", minimum: 1 },
    mode: { enum: ["text", "hex"] },
    range: {
      type: "object",
      properties: { start: { type: "number" }, "größe/x": { type: "number" } },
      required: ["start"],
      additionalProperties: false,
    },
    tags: { type: "array", items: { type: "string" } },
    id: { type: ["string", "null"] },
    any: {},
  },
  required: ["path"],
  additionalProperties: false,
};
const takes =
  " The tool takes: path (string, required), max_lines (integer), mode (any), range (object), tags (array), id (string|null), any (any).";

async function messageOf(value: Record<string, unknown>, against: JsonSchema = schema): Promise<string> {
  const result = await validateParameters(against, value);
  return result.ok ? "valid" : result.message.replace(takes, "");
}

describe("validateParameters", () => {
  it("gives the coerced parameters of a valid call", async () => {
    expect(await validateParameters(schema, { path: "a", max_lines: "5", tags: "x", id: null })).toEqual({
      ok: true,
      value: { path: "a", max_lines: 5, tags: ["x"], id: null },
    });
  });

  it("says what the tool takes with every failure", async () => {
    expect(await validateParameters(schema, {})).toEqual({
      ok: false,
      message: `missing required parameter "path".${takes}`,
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ["a wrong type", { path: {} }, 'parameter "path": Instance type "object" is invalid. Expected "string".'],
    ["a bound", { path: "a", max_lines: 0 }, 'parameter "max_lines": 0 is less than 1.'],
    [
      "a choice",
      { path: "a", mode: "raw" },
      'parameter "mode": Instance does not match any of ["text","hex"].',
    ],
    ["a nested field", { path: "a", range: {} }, 'missing required parameter "range.start".'],
    [
      "an item",
      { path: "a", tags: ["x", {}] },
      'parameter "tags.1": Instance type "object" is invalid. Expected "string".',
    ],
    [
      "an unknown name",
      { path: "a", maxlines: 5 },
      'unknown parameter "maxlines" (did you mean "max_lines"?).',
    ],
    ["an unknown name like no other", { path: "a", zzz: 5 }, 'unknown parameter "zzz".'],
    [
      "a nested unknown name",
      { path: "a", range: { start: 1, strat: 2 } },
      'unknown parameter "range.strat" (did you mean "start"?).',
    ],
    [
      "a name with odd characters",
      { path: "a", range: { start: 1, "größe/x": "?" } },
      'parameter "range.größe/x": Instance type "string" is invalid. Expected "number".',
    ],
    [
      "a list that is broken",
      { path: "a", tags: '["x"' },
      'parameter "tags": Instance type "string" is invalid. Expected "array".',
    ],
    [
      "several at once",
      { max_lines: "many", zzz: 1 },
      'missing required parameter "path"; parameter "max_lines": Instance type "string" is invalid. Expected "integer"; unknown parameter "zzz".',
    ],
  ])("names %s", async (_name, value, expected) => {
    expect(await messageOf(value)).toBe(expected);
  });

  it("lists five faults and counts the rest", async () => {
    const properties = Object.fromEntries(
      ["a", "b", "c", "d", "e", "f", "g"].map((key) => [key, { type: "string" }]),
    );
    const message = await messageOf({}, { type: "object", properties, required: Object.keys(properties) });
    expect(message.match(/missing required/g)).toHaveLength(5);
    expect(message).toContain("; and 2 more. The tool takes: ");
  });

  it("follows references and says which field is wrong", async () => {
    const referring: JsonSchema = {
      type: "object",
      properties: { q: { $ref: "#/$defs/Q" } },
      $defs: { Q: { type: "object", properties: { n: { type: "integer" } } } },
    };
    expect(await messageOf({ q: { n: 1 } }, referring)).toBe("valid");
    expect(await messageOf({ q: { n: "x" } }, referring)).toContain('parameter "q.n":');
  });

  it("treats undefined as absent", async () => {
    expect(await messageOf({ path: "a", max_lines: undefined, zzz: undefined })).toBe("valid");
    expect(await messageOf({ path: undefined })).toBe('missing required parameter "path".');
  });

  it.each<[string, unknown]>([
    ["a big integer", 5n],
    ["a function", () => {}],
    ["a symbol", Symbol("s")],
  ])("refuses %s, which JSON does not have, without throwing", async (_name, value) => {
    expect(await messageOf({ path: "a", any: value })).toMatch(/type are not supported/);
  });

  it("refuses a key that is no Unicode", async () => {
    expect(await messageOf({ path: "a", "\ud800": 1 })).toMatch(/URI malformed/);
  });

  it("takes a frozen schema and leaves any schema as it was", async () => {
    const inner = Object.freeze({ type: "string" });
    const frozen = Object.freeze({ type: "object", properties: Object.freeze({ a: inner }) });
    expect(await messageOf({ a: "x" }, frozen)).toBe("valid");
    const loose: JsonSchema = { type: "object", properties: { a: { type: "string" } } };
    await messageOf({ a: "x" }, loose);
    expect(Object.getOwnPropertyNames(loose)).toEqual(["type", "properties"]);
  });

  it.each<[string, JsonSchema]>([
    ["a reference to nowhere", { type: "object", properties: { a: { $ref: "#/$defs/none" } } }],
    ["a pattern that is none", { type: "object", properties: { a: { type: "string", pattern: "(" } } }],
  ])("blames the tool for %s", async (_name, broken) => {
    const check = async () => validateParameters(broken, { a: "x" });
    await expect(check()).rejects.toMatchObject({ code: "OJ_TOOL_SPEC" });
  });
});

describe("validateJson", () => {
  it("changes nothing", () => {
    const value = { path: "a", max_lines: "5" };
    expect(validateJson(schema, value)).toMatchObject({ ok: false });
    const valid = { path: "a" };
    expect(validateJson(schema, valid)).toEqual({ ok: true, value: valid });
  });
});
