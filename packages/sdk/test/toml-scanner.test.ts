import fc from "fast-check";
import { parse, stringify } from "smol-toml";
import { describe, expect, it } from "vitest";
import { lineOfKey, parseKey, scanToml } from "../src/toml-scanner.js";

const found = (text: string) =>
  scanToml(text).map(({ kind, path, start, valueStart, end }) => ({
    kind,
    path: path.join("/"),
    line: text.slice(0, start).split("\n").length,
    value: text.slice(valueStart, end),
  }));

describe("scanning TOML for positions", () => {
  it("finds tables, dotted and quoted keys, inline tables, and values of every form", () => {
    const text = [
      "top = 1 # one",
      "[a.b]",
      "  c = 'it''s' # not a comment inside",
      '"quoted # key".\'x.y\' = """two',
      'lines """quoted"""" # after',
      "list = [ # open",
      '  "x", { y = 2 }, ["]"],',
      "]",
      "inline = { p = 1, q.r = [1, 2], s = { t = '}' } }",
      "when = 1979-05-27 07:32:00Z  ",
      "[[arr]]",
      "n = -1_000.5e3",
    ].join("\n");
    expect(found(text)).toEqual(
      [
        { kind: "value", path: "top", line: 1, value: "1" },
        { kind: "table", path: "a/b", line: 2, value: "" },
        { kind: "value", path: "a/b/c", line: 3, value: "'it'" },
        { kind: "value", path: "a/b/quoted # key/x.y", line: 4, value: '"""two\nlines """' },
        { kind: "value", path: "a/b/list", line: 6, value: '[ # open\n  "x", { y = 2 }, ["]"],\n]' },
        { kind: "value", path: "a/b/inline", line: 9, value: "{ p = 1, q.r = [1, 2], s = { t = '}' } }" },
        { kind: "value", path: "a/b/inline/p", line: 9, value: "1" },
        { kind: "value", path: "a/b/inline/q/r", line: 9, value: "[1, 2]" },
        { kind: "value", path: "a/b/inline/s", line: 9, value: "{ t = '}' }" },
        { kind: "value", path: "a/b/inline/s/t", line: 9, value: "'}'" },
        { kind: "value", path: "a/b/when", line: 10, value: "1979-05-27 07:32:00Z" },
        { kind: "table", path: "arr", line: 11, value: "" },
        { kind: "value", path: "arr/n", line: 12, value: "-1_000.5e3" },
      ].map((entry) => (entry.path === "arr" ? { ...entry, kind: "array-table" } : entry)),
    );
  });

  it("gives the line of a key, of the nearest table above it, or the first", () => {
    const text = "\n[engine]\n\n[engine.ollama]\nhost = 'x'\n";
    expect(lineOfKey(text, ["engine", "ollama", "host"])).toBe(5);
    expect(lineOfKey(text, ["engine", "ollama", "other"])).toBe(4);
    expect(lineOfKey(text, ["engine", "vllm"])).toBe(2);
    expect(lineOfKey(text, ["tools"])).toBe(1);
  });

  it("reads keys as a person types them", () => {
    expect(parseKey("a.b_c.d-1")).toEqual(["a", "b_c", "d-1"]);
    expect(parseKey('plugins.prefer."a.b" ')).toEqual(["plugins", "prefer", "a.b"]);
    expect(parseKey('"\\u00e9\\n".x')).toEqual(["é\n", "x"]);
    for (const text of ["", ".", "a.", ".a", "a..b", "a b", "a=1", 'a."b'])
      expect(parseKey(text), text).toEqual([]);
  });

  it("always ends, on any text", () => {
    const unit = fc.constantFrom(..."[]{}=,.\"'#\\\n\r\t a1".split(""));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit }), fc.string({ unit: "binary" })), (text) => {
        for (const { start, valueStart, end } of scanToml(text)) {
          expect(start).toBeLessThanOrEqual(valueStart);
          expect(valueStart).toBeLessThanOrEqual(end);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("finds each value of a tree where its text is", () => {
    const key = fc.string({ minLength: 1, maxLength: 6 });
    const leaf = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.integer(),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.array(fc.string(), { maxLength: 3 }),
    );
    const tree = fc.letrec((tie) => ({
      node: fc.dictionary(key, fc.oneof({ depthSize: "small" }, leaf, tie("node")), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    })).node as fc.Arbitrary<Record<string, unknown>>;
    fc.assert(
      fc.property(tree, (value) => {
        const text = stringify(value);
        const expected = leaves(parse(text));
        const actual = new Map(
          scanToml(text)
            .filter(({ kind }) => kind === "value")
            .map(({ path, valueStart, end }) => [
              JSON.stringify(path),
              (parse(`v = ${text.slice(valueStart, end)}`) as { v: unknown }).v,
            ]),
        );
        for (const [path, leafValue] of expected) expect(actual.get(path)).toEqual(leafValue);
      }),
      { numRuns: 1000 },
    );
  });
});

function leaves(tree: object, above: string[] = []): [string, unknown][] {
  return Object.entries(tree).flatMap(([key, value]): [string, unknown][] => {
    const path = [...above, key];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return leaves(value, path);
    return [[JSON.stringify(path), value]];
  });
}
