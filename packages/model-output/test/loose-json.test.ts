import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonObjects, parseLooseJson } from "../src/replies.js";
import { pythonRepr } from "./python-repr.js";

const raw = String.raw;

describe("parseLooseJson", () => {
  it.each<[string, string, unknown]>([
    ["a trailing comma", '{"expression":"1+1",}', { expression: "1+1" }],
    ["a trailing comma in a list", "[1, 2, ]", [1, 2]],
    ["a fence", '```json\n{"expression":"1+1"}\n```', { expression: "1+1" }],
    ["a fence and a slip", '```json\n{"expression":"1+1",}\n```', { expression: "1+1" }],
    ["Python's literals", '{"a": True, "b": None, "c": False}', { a: true, b: null, c: false }],
    ["a Python dict", "{'path': '/tmp/a.txt', 'max_lines': 2}", { path: "/tmp/a.txt", max_lines: 2 }],
    ["typographic quotes", "{“expression”: “1+1”}", { expression: "1+1" }],
    ["typographic single quotes", "{‘a’: ‘it’s’}", { a: "it’s" }],
    ["a raw line break", '{"thought":"line1\nline2"}', { thought: "line1\nline2" }],
    ["a raw tab", '{"thought":"a\tb"}', { thought: "a\tb" }],
    ["unquoted keys", '{expression: "1+1", $x: 1}', { expression: "1+1", $x: 1 }],
    ["arithmetic without quotes", "{expression: 2+2}", { expression: "2+2" }],
    ["floor division without quotes", '{"expression": 7//2}', { expression: "7//2" }],
    ["comments", '{"a": "x", // one\n /* two */ "b": 2}', { a: "x", b: 2 }],
    [
      "a comma missing at the end of a line",
      '{\n"a": "x"\n"b": {"c": 1}\n"d": 2\n}',
      { a: "x", b: { c: 1 }, d: 2 },
    ],
    ["triple quotes", '{"code": """\nprint("hi")\n"""}', { code: '\nprint("hi")\n' }],
    ["backticks", "{`a`: `b\nc`}", { a: "b\nc" }],
    ["a byte order mark", '\ufeff{"a": 1}', { a: 1 }],
    ["Python's string", "'it\\'s'", "it's"],
    ["Python's escapes", raw`{'a': '\x41\t'}`, { a: "A\t" }],
  ])("reads %s", (_name, text, value) => {
    expect(parseLooseJson(text)).toMatchObject({ ok: true, value });
  });

  it.each<[string, string, unknown]>([
    ["a comma and a bracket", '{"thought":"a,}",}', { thought: "a,}" }],
    [
      "a URL",
      '{"u": "http://a.b//c", /* x */ "v": "https://d/#e"}',
      { u: "http://a.b//c", v: "https://d/#e" },
    ],
    ["an apostrophe", `{'t': "it's", "u": 'it's fine',}`, { t: "it's", u: "it's fine" }],
    ["typographic quotes", '{"a": "“q” it’s",}', { a: "“q” it’s" }],
    ["a Windows path", raw`{"p": "C:\Users\new\test"}`, { p: raw`C:\Users\new\test` }],
    ["a regular expression", raw`{"r": "\d+\.x", }`, { r: raw`\d+\.x` }],
    ["True and None", "{'a': 'True, None',}", { a: "True, None" }],
    ["a comment's mark", '{"a": "/* x */ // y",}', { a: "/* x */ // y" }],
    ["keys in a string", '{"a": "b: 1, c: 2",}', { a: "b: 1, c: 2" }],
  ])("leaves %s in a string as it is", (_name, text, value) => {
    expect(parseLooseJson(text)).toEqual({ ok: true, value, repaired: true });
  });

  it.each([
    ["two strings with quotes inside", '{"a":"x "y", "b":"z"}'],
    ["joined strings", '{"a": "x" + "y"}'],
    ["a Windows path that could be escapes", raw`{'p': 'C:\new\test'}`],
    ["half-escaped backslashes", raw`{"a": "x\n\d", }`],
    ["a backslash before a line break", '{"a": "x \\\ny",}'],
    ["a missing value", "[1,,2]"],
    ["a name for a value", '{"code": value}'],
    ["a call for a value", '{"code": object()}'],
    ["two numbers", '{"a": 1 2}'],
    ["a number or a comment", '{"a": 5 // 2\n}'],
    ["a URL without quotes", '{"u": http://a.b/c}'],
    ["NaN", '{"a": NaN}'],
    ["a tuple", '{"a": (1,2)}'],
    ["an unclosed object", '{"a": "b"'],
    ["an unclosed string", '{"a": "b'],
    ["a wrong bracket", '{"a": [1}]'],
    ["text behind the object", '{"a": 1} b'],
    ["two objects", '{"a": 1}{"b": 2}'],
    ["a missing comma on one line", '{"a": "x" "b": 2}'],
    ["prose", "hello"],
    ["nothing", ""],
    ["deep nesting", `${'{"a":'.repeat(600)}True${"}".repeat(600)}`],
  ])("refuses %s with a reason", (_name, text) => {
    const read = parseLooseJson(text);
    expect(read.ok).toBe(false);
    expect(read.ok ? "" : read.reason).toMatch(/\S/);
  });

  it.each<[string, string]>([
    ['{"thought":"ask the "boss", then wait"}', 'ask the "boss", then wait'],
    ['{"thought": "print("hello")"}', 'print("hello")'],
    ['{"thought":"say "a", "b" or "c"", }', 'say "a", "b" or "c"'],
    ['{"thought":"{"a": 1}"}', '{"a": 1}'],
  ])("never cuts a text at quotes inside: %s", (text, thought) => {
    expect(parseLooseJson(text)).toEqual({ ok: true, value: { thought }, repaired: true });
  });

  it("takes strict JSON as it is", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(parseLooseJson(text)).toEqual({ ok: true, value: JSON.parse(text), repaired: false });
      }),
    );
  });

  it("reads what Python prints, or refuses it", () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        const read = parseLooseJson(pythonRepr(value));
        if (read.ok) expect(read.value).toEqual(value);
        else expect(pythonRepr(value)).toMatch(/["'][A-Za-z]:\\/);
      }),
      { numRuns: 2000 },
    );
  });

  it("loses nothing of a text with quotes inside", () => {
    const unit = fc.constantFrom(
      '"',
      '"',
      ",",
      ":",
      " ",
      "a",
      "b1",
      "'",
      "{",
      "}",
      "[",
      "]",
      "\n",
      "“",
      "True",
    );
    const letters = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, "").replaceAll("True", "true");
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 16 }), (parts) => {
        const text = parts.join("");
        const read = parseLooseJson(`{"thought":"${text}"}`);
        if (read.ok) expect(letters(leaves(read.value).join(""))).toBe(letters(`thought${text}`));
      }),
      { numRuns: 5000 },
    );
  });

  it("adds and drops brackets at the end only when the text is known to be whole", () => {
    expect(parseLooseJson('{"a":{"b":1}', { closeBrackets: true })).toMatchObject({ value: { a: { b: 1 } } });
    expect(parseLooseJson('{"a":[1}', { closeBrackets: true }).ok).toBe(false);
    expect(parseLooseJson('{"a":{"b":1}}}', { closeBrackets: true })).toMatchObject({
      value: { a: { b: 1 } },
    });
    expect(parseLooseJson('{"a":{"b":', { closeBrackets: true }).ok).toBe(false);
    expect(parseLooseJson('{"a":{"b":1}}}').ok).toBe(false);
  });

  it("makes no prototype out of a key", () => {
    const read = parseLooseJson("{'__proto__': {'polluted': 1}}");
    expect(read.ok && Object.keys(Object(read.value))).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

const string = fc.string({
  unit: fc.constantFrom(
    '"',
    "'",
    "\\",
    "\n",
    "\t",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "a",
    "C:",
    "é",
    "🙂",
    "\ud800",
    "’",
    "`",
    "\u0007",
    "//",
  ),
});
const jsonObject = fc.dictionary(
  string,
  fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      string,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(string, tie("value"), { maxKeys: 3 }),
    ),
  })).value,
  { maxKeys: 4 },
);

/** The keys and values of a JSON value, in order, as text. */
function leaves(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(leaves);
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, item]) => [key, ...leaves(item)]);
}

describe("findJsonObjects", () => {
  const found = (text: string) => findJsonObjects(text).map(({ start, end }) => text.slice(start, end));

  it.each<[string, string, string[]]>([
    ["objects in prose", 'a {"b": 1} c {"d": {"e": 2}} f', ['{"b": 1}', '{"d": {"e": 2}}']],
    ["braces in strings", raw`{"a": "} \" }"} x`, [raw`{"a": "} \" }"}`]],
    ["braces in single quotes", "{'a': 'it's } ok'}", ["{'a': 'it's } ok'}"]],
    ["objects in a list", '[{"a":1},{"b":2}]', ['{"a":1}', '{"b":2}']],
    ["an object behind an unclosed brace", 'let { x, then {"a":1}', ['{"a":1}']],
    ["an object behind a stray closing brace", '} ] {"a":1}', ['{"a":1}']],
    ["an object behind a quote", `it's 5" long {"a":1}`, ['{"a":1}']],
    ["an object behind an unclosed string", `{"a": 'b  {"c":1}`, ['{"c":1}']],
    ["nothing", "no objects", []],
  ])("finds %s", (_name, text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("finds any JSON object in any prose without brackets and quotes", () => {
    const prose = fc.string({ unit: fc.constantFrom("a", " ", ".", ",", "\n", ":", "é") });
    fc.assert(
      fc.property(fc.array(fc.tuple(prose, jsonObject), { maxLength: 4 }), (parts) => {
        const objects = parts.map(([, value]) => JSON.stringify(value));
        const text = parts.map(([before], index) => `${before}${objects[index] ?? ""}`).join(" ");
        expect(found(text)).toEqual(objects);
      }),
    );
  });
});
