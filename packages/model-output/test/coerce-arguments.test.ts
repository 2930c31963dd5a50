import { describe, expect, expectTypeOf, it } from "vitest";
import { type CoercedArguments, coerceArguments, type ParametersSchema } from "../src/replies.js";

const text = { type: "string" };
const sole: ParametersSchema = { type: "object", properties: { expression: text } };
const file: ParametersSchema = {
  type: "object",
  properties: { path: text, max_lines: { type: "integer" } },
  required: ["path"],
};
const two: ParametersSchema = { type: "object", properties: { a: text, b: text }, required: ["a", "b"] };
const none: ParametersSchema = { type: "object", properties: {} };
const code: ParametersSchema = { type: "object", properties: { code: text }, required: ["code"] };
const of = (type: string | string[]): ParametersSchema => ({ type: "object", properties: { x: { type } } });

describe("coerceArguments", () => {
  it.each<[string, unknown, ParametersSchema | undefined, Record<string, unknown>]>([
    ["nothing", "", file, {}],
    ["white space", "   ", file, {}],
    ["an empty object", "{}", file, {}],
    ["undefined", undefined, file, {}],
    ["null", null, file, {}],
    ["an object", { path: "a" }, file, { path: "a" }],
    ["JSON text", '{"path": "a"}', file, { path: "a" }],
    ["JSON in a fence", '```json\n{"path": "a"}\n```', file, { path: "a" }],
    ["JSON encoded twice", JSON.stringify('{"expression":"4+4"}'), sole, { expression: "4+4" }],
    ["a trailing comma", '{"path": "a",}', file, { path: "a" }],
    ["a Python dict", "{'path': '/tmp/a.txt', 'max_lines': 2}", file, { path: "/tmp/a.txt", max_lines: 2 }],
    ["a byte order mark", '\ufeff{"path": "a"}', file, { path: "a" }],
    ["bare text for the only parameter", "2+2", sole, { expression: "2+2" }],
    ["a JSON string for the only parameter", '"2+2"', sole, { expression: "2+2" }],
    ["a Python string for the only parameter", "'2+2'", sole, { expression: "2+2" }],
    ["bare text for the only required parameter", "notes/today.md", file, { path: "notes/today.md" }],
    ["a JSON string for it", '"notes/today.md"', file, { path: "notes/today.md" }],
    ["the empty JSON string", '""', file, { path: "" }],
    ["a number for text", "42", file, { path: "42" }],
    ["a literal for text", "true", file, { path: "true" }],
    ["null for text", "null", file, { path: "null" }],
    ["an exponent for text", "1e3", file, { path: "1e3" }],
    ["a list for text", '["notes/today.md"]', file, { path: '["notes/today.md"]' }],
    ["a broken list for text", '["x",]', file, { path: '["x",]' }],
    ["text in brackets", "[draft] notes.md", file, { path: "[draft] notes.md" }],
    ["a list comprehension", "[x for x in y]", file, { path: "[x for x in y]" }],
    ["an unterminated string", '"notes/today.md', file, { path: '"notes/today.md' }],
    ["a string that begins with a brace", '"{draft} notes.md"', file, { path: "{draft} notes.md" }],
    ["an escaped Windows path", JSON.stringify("C:\\new\\a"), file, { path: "C:\\new\\a" }],
    ["null for text or null", "null", of(["string", "null"]), { x: "null" }],
    ["a number for a number", "42", of("integer"), { x: 42 }],
    ["a list for a list", "['a', 'b',]", of("array"), { x: ["a", "b"] }],
    ["keyword pairs", "path='/tmp/a', max_lines=3", file, { path: "/tmp/a", max_lines: 3 }],
    ["an equation", "x = 2", sole, { expression: "x = 2" }],
    ["None for no parameters", "None", none, {}],
    ["null for no parameters", "null", none, {}],
    [
      "a schema with anyOf",
      "a",
      { type: "object", properties: { x: { anyOf: [text, { type: "null" }] } } },
      { x: "a" },
    ],
    ["text in a fence", "```python\nprint(1)\n```", code, { code: "print(1)" }],
  ])("reads %s", (_name, raw, parameters, expected) => {
    expect(coerceArguments(raw, parameters)).toEqual({ ok: true, arguments: expected });
  });

  it.each<[string, unknown, ParametersSchema | undefined, RegExp]>([
    ["text for two parameters", "a b", two, /must be a JSON object.*"a": string; "b": string/],
    ["a number for two parameters", "42", two, /JSON object/],
    ["a list for two parameters", ["a"], two, /JSON object/],
    [
      "an object that cannot be read",
      '{"code": object()}',
      code,
      /not JSON.*text without quotes.*"code": string/,
    ],
    ["an object that was cut off", '{"path": "a', file, /not JSON.*"max_lines": integer, optional/],
    ["text for a number", "many", of("integer"), /"x": integer/],
    ["text without any parameter", "many", none, /Write \{\}/],
    ["text without a schema", "many", undefined, /JSON object/],
  ])("refuses %s and says what to write", (_name, raw, parameters, reason) => {
    const read = coerceArguments(raw, parameters);
    expect(read).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it.each(["{'code': value}", '{"code": object()}', '{"a": {b}}', "{x for x in y}"])(
    "hands %s on as it is to a tool that takes code",
    (raw) => {
      expect(coerceArguments(raw, code, { allowObjectText: true })).toEqual({
        ok: true,
        arguments: { code: raw },
      });
    },
  );

  it("still reads JSON for a tool that takes code", () => {
    const read = coerceArguments('{"code":"print(1)"}', code, { allowObjectText: true });
    expect(read).toEqual({ ok: true, arguments: { code: "print(1)" } });
  });

  it("never sets a prototype", () => {
    const read = coerceArguments("x", {
      type: "object",
      properties: Object.fromEntries([["__proto__", text]]),
    });
    expect(read).toEqual({ ok: true, arguments: Object.fromEntries([["__proto__", "x"]]) });
  });

  it("is a discriminated union", () => {
    expectTypeOf<Extract<CoercedArguments, { ok: true }>["arguments"]>().toEqualTypeOf<
      Record<string, unknown>
    >();
  });
});
