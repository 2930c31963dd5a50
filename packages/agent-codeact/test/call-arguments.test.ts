import { defineTool } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { callArguments } from "../src/call-arguments.js";
import { codeName } from "../src/code-name.js";

const search = defineTool({
  name: "search",
  description: "Searches.",
  parameters: {
    type: "object",
    properties: {
      limit: { type: "integer", description: "Most results" },
      query: { type: "string", description: "What for" },
    },
    required: ["query"],
  } as const,
  run: () => "",
});
const store = defineTool({
  name: "store",
  description: "Stores.",
  parameters: {
    type: "object",
    properties: {
      value: { type: "object", description: "Anything" },
      key: { type: "string", description: "Key" },
    },
    required: ["value"],
  } as const,
  run: () => "",
});
const now = defineTool({ name: "now", description: "The time.", run: () => "" });

describe("the arguments of a call", () => {
  it.each([
    [search, ["cats"], { query: "cats" }],
    [search, ["cats", 3], { query: "cats", limit: 3 }],
    [search, ["cats", { limit: 3 }], { query: "cats", limit: 3 }],
    [search, [{ query: "cats" }], { query: "cats" }],
    [search, [{ q: "cats" }], { q: "cats" }],
    [search, [{}], {}],
    [search, [], {}],
    [store, [{ a: 1 }], { value: { a: 1 } }],
    [store, [{ a: 1 }, "k"], { value: { a: 1 }, key: "k" }],
    [store, [{ a: 1 }, { key: "k" }], { value: { a: 1 }, key: "k" }],
    [store, [{ value: { a: 1 } }], { value: { a: 1 } }],
    [now, [], {}],
    [now, [{}], {}],
  ])("of %o are read from %j", (tool, args, expected) => {
    expect(callArguments(tool, args)).toEqual(expected);
  });

  it("that are too many or doubled are refused", () => {
    expect(() => callArguments(now, [1])).toThrow("now() takes no arguments, but 1 values were given");
    expect(() => callArguments(search, ["a", 1, 2])).toThrow("search() takes (query, limit)");
    expect(() => callArguments(search, ["a", { query: "b" }])).toThrow("search() got two values for query");
  });

  it("never take a name from anywhere but the call and the schema", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 2 }), (args) => {
        let read: Record<string, unknown>;
        try {
          read = callArguments(search, args);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        const last = args.at(-1);
        const given = typeof last === "object" && last !== null ? Object.keys(last) : [];
        for (const key of Object.keys(read)) expect(["query", "limit", ...given]).toContain(key);
      }),
    );
  });
});

describe("the name of a tool in programs", () => {
  it.each([
    ["calculator", "calculator"],
    ["web-search", "web_search"],
    ["3d", "tool_3d"],
    ["import", "tool_import"],
    ["final_answer", "tool_final_answer"],
  ])("of %j is %j", (tool, name) => expect(codeName(tool)).toBe(name));
});
