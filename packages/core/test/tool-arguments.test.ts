import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseArguments } from "../src/tool-arguments.js";

describe("parseArguments", () => {
  it.each<[string, unknown, Record<string, unknown>]>([
    ["nothing", undefined, {}],
    ["null", null, {}],
    ["the empty text", "", {}],
    ["white space", "  \n ", {}],
    ["an empty object", "{}", {}],
    ["an object", { a: 1 }, { a: 1 }],
    ["JSON text", ' {"a": [1, "x"]} ', { a: [1, "x"] }],
    ["JSON in a JSON text", '"{\\"expression\\":\\"4+4\\"}"', { expression: "4+4" }],
    ["a code fence", '```json\n{"expression":"1+1"}\n```', { expression: "1+1" }],
    ["a code fence without a language", '```\r\n{"a":1}\r\n```', { a: 1 }],
    ["a raw line break in a text", '{"thought":"line1\nline2"}', { thought: "line1\nline2" }],
    ["raw CRLF and tab in a text", '{"a":"1\r\n2\t3"}', { a: "1\r\n2\t3" }],
    ["an escaped quote before a raw line break", '{"a":"say \\"hi\\"\nbye"}', { a: 'say "hi"\nbye' }],
    ["pretty-printed JSON", '{\n\t"a": 1\n}', { a: 1 }],
    ["a comma and brace inside a text", '{"thought":"a,}"}', { thought: "a,}" }],
    ["a byte order mark", '\ufeff{"a":1}', { a: 1 }],
    ["a key named __proto__", '{"__proto__":{"x":1}}', JSON.parse('{"__proto__":{"x":1}}')],
  ])("reads %s", (_name, raw, expected) => {
    expect(parseArguments(raw)).toEqual({ ok: true, value: expected });
  });

  it.each<[string, unknown, string]>([
    ["5", "5", "number"],
    ["true", "true", "boolean"],
    ["a list", "[1]", "array"],
    ["null", "null", "null"],
    ["a text", '"abc"', "string"],
    ["a text that holds a number", '"5"', "string"],
    ["a list in a text", '"[1]"', "array"],
    ["a list that is no text", [1], "array"],
    ["a number that is no text", 5, "number"],
  ])("refuses %s and names the type", (_name, raw, type) => {
    expect(parseArguments(raw)).toEqual({
      ok: false,
      message: `Invalid arguments: expected a JSON object, got ${type}.`,
    });
  });

  it.each([
    ["a trailing comma", '{"expression":"1+1",}'],
    ["Python literals", '{"a": True, "b": None}'],
    ["curly quotes", "{“expression”: “1+1”}"],
    ["single quotes", "{'a': 1}"],
    ["unescaped inner quotes", '{"thought":"ask the "boss", then wait"}'],
    ["a cut text", '{"thought":"half'],
    ["a cut object", '{"a":1'],
    ["two objects", '{"a":1}{"a":2}'],
    ["prose around an object", 'Here: {"a":1}'],
    ["a fence inside the object", '{"a": ```1```}'],
    ["a comment", '{"a":1} // one'],
    ["an encoding three deep", JSON.stringify(JSON.stringify(JSON.stringify({ a: 1 })))],
  ])("refuses %s instead of guessing", (_name, raw) => {
    const parsed = parseArguments(raw);
    expect(parsed.ok).toBe(false);
    expect(parsed).toMatchObject({ message: expect.stringMatching(/^Invalid arguments/) });
  });

  it("reads any object that was encoded once or twice", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 4 }),
        (value, indent) => {
          const expected = { ok: true, value: JSON.parse(JSON.stringify(value)) };
          const text = JSON.stringify(value, null, indent);
          expect(parseArguments(text)).toEqual(expected);
          expect(parseArguments(JSON.stringify(text))).toEqual(expected);
          expect(parseArguments(`\`\`\`json\n${text}\n\`\`\``)).toEqual(expected);
        },
      ),
    );
  });

  it("reads texts with raw line breaks and tabs as what they are", () => {
    const texts = fc.array(fc.constantFrom("a", "\n", "\r\n", "\t", '"', "\\", "é", "{", ","), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(texts, (parts) => {
        const value = parts.join("");
        const raw = value.replace(/["\\]/g, (char) => `\\${char}`);
        expect(parseArguments(`{"a":"${raw}"}`)).toEqual({ ok: true, value: { a: value } });
      }),
    );
  });

  it("never throws, and gives an object or a reason for anything", () => {
    const pieces = fc.array(
      fc.constantFrom("{", "}", "[", "]", '"', "\\", "a", ":", ",", "1", "\n", "```", "json", "null"),
    );
    const texts = fc.oneof(
      fc.string(),
      pieces.map((list) => list.join("")),
    );
    fc.assert(
      fc.property(fc.oneof(texts, fc.anything()), (raw) => {
        const parsed = parseArguments(raw);
        if (parsed.ok) expect(typeof parsed.value === "object" && !Array.isArray(parsed.value)).toBe(true);
        else expect(parsed.message).toMatch(/^Invalid arguments/);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ["open brackets", "[".repeat(1_000_000)],
    ["a deep object", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["fences", "```json\n".repeat(200_000)],
    ["quotes", '"'.repeat(1_000_000)],
    ["line breaks in a text", `{"a":"${"\n".repeat(1_000_000)}"}`],
  ])("ends with a million characters of %s", (_name, raw) => {
    expect(typeof parseArguments(raw).ok).toBe("boolean");
  });
});
