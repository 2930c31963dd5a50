import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DeltaCollector, type InferenceDelta, toolCallDelta } from "../src/index.js";

function collected(...deltas: InferenceDelta[]) {
  const collector = new DeltaCollector("m");
  for (const delta of deltas) collector.add(delta);
  return collector.finish();
}

type CallDelta = Extract<InferenceDelta, { type: "tool_call" }>;
const fragment = (delta: Omit<CallDelta, "type">): CallDelta => ({ type: "tool_call", ...delta });
const calls = (...fragments: Omit<CallDelta, "type">[]) => collected(...fragments.map(fragment)).toolCalls;
const one = '{"expression":"1"}';
const two = '{"expression":"2"}';
const madeUp = expect.stringMatching(/^call_\w+$/);

describe("tool calls", () => {
  it.each<[string, Omit<CallDelta, "type">[], unknown[]]>([
    [
      "whole calls",
      [
        { index: 0, id: "a", name: "calc", arguments: one },
        { index: 1, id: "b", name: "calc", arguments: two },
      ],
      [
        { id: "a", name: "calc", arguments: one },
        { id: "b", name: "calc", arguments: two },
      ],
    ],
    [
      "parallel calls that all have index 0",
      [
        { index: 0, id: "a", name: "calc", arguments: one },
        { index: 0, id: "b", name: "calc", arguments: two },
      ],
      [
        { id: "a", name: "calc", arguments: one },
        { id: "b", name: "calc", arguments: two },
      ],
    ],
    [
      "parallel calls without an index",
      [
        { id: "a", name: "calc", arguments: one },
        { id: "b", name: "calc", arguments: two },
      ],
      [
        { id: "a", name: "calc", arguments: one },
        { id: "b", name: "calc", arguments: two },
      ],
    ],
    [
      "fragments under one index",
      [
        { index: 0, id: "a", name: "calc", arguments: "" },
        { index: 0, arguments: '{"expr' },
        { index: 0, arguments: 'ession":"1"}' },
      ],
      [{ id: "a", name: "calc", arguments: one }],
    ],
    [
      "fragments of two calls in turn",
      [
        { index: 0, id: "a", name: "x", arguments: "" },
        { index: 1, id: "b", name: "y", arguments: "" },
        { index: 0, arguments: "{}" },
        { index: 1, arguments: "{ }" },
      ],
      [
        { id: "a", name: "x", arguments: "{}" },
        { id: "b", name: "y", arguments: "{ }" },
      ],
    ],
    [
      "fragments of parallel calls under index 0, by their ids",
      [
        { index: 0, id: "a", name: "x", arguments: '{"n"' },
        { index: 0, id: "b", name: "y", arguments: '{"m"' },
        { index: 0, id: "a", arguments: ":1}" },
        { index: 0, id: "b", arguments: ":2}" },
      ],
      [
        { id: "a", name: "x", arguments: '{"n":1}' },
        { id: "b", name: "y", arguments: '{"m":2}' },
      ],
    ],
    [
      "fragments without index or id",
      [{ name: "calc", arguments: "" }, { arguments: '{"expression"' }, { arguments: ':"1"}' }],
      [{ id: madeUp, name: "calc", arguments: one }],
    ],
    [
      "an id that comes late",
      [
        { index: 0, name: "calc", arguments: '{"a"' },
        { index: 0, id: "late", arguments: ":1}" },
      ],
      [{ id: "late", name: "calc", arguments: '{"a":1}' }],
    ],
    [
      "a name repeated with each fragment",
      [
        { index: 0, id: "a", name: "calc", arguments: '{"a"' },
        { index: 0, id: "a", name: "calc", arguments: ":1" },
        { index: 0, id: "a", name: "calc", arguments: "}" },
      ],
      [{ id: "a", name: "calc", arguments: '{"a":1}' }],
    ],
    [
      "a name in fragments",
      [
        { index: 0, id: "a", name: "get_fe" },
        { index: 0, name: "e" },
        { index: 0, arguments: "{}" },
      ],
      [{ id: "a", name: "get_fee", arguments: "{}" }],
    ],
    [
      "whole calls without ids or index",
      [
        { name: "calc", arguments: { expression: "1" } },
        { name: "calc", arguments: { expression: "2" } },
      ],
      [
        { id: madeUp, name: "calc", arguments: one },
        { id: madeUp, name: "calc", arguments: two },
      ],
    ],
    [
      "an id of null",
      [{ id: null, name: "calc", arguments: "{}" }],
      [{ id: madeUp, name: "calc", arguments: "{}" }],
    ],
    [
      "an empty id",
      [{ id: "", name: "calc", arguments: "{}" }],
      [{ id: madeUp, name: "calc", arguments: "{}" }],
    ],
    ["no arguments", [{ id: "a", name: "now" }], [{ id: "a", name: "now", arguments: "" }]],
    [
      "arguments of null",
      [{ id: "a", name: "now", arguments: null }],
      [{ id: "a", name: "now", arguments: "" }],
    ],
    ["an empty call", [{ index: 0 }, { index: 0, name: "", arguments: "" }], []],
    ["a call without a name", [{ id: "a", arguments: "{}" }], [{ id: "a", name: "", arguments: "{}" }]],
  ])("are made of %s", (_name, fragments, expected) => {
    expect(calls(...fragments)).toEqual(expected);
  });

  it("have ids that differ, also when the server repeats one or gives none", () => {
    const repeated = calls(
      { index: 0, name: "x", arguments: "{}" },
      { index: 1, name: "y", arguments: "{}" },
    );
    expect(new Set(repeated.map((call) => call.id)).size).toBe(2);
    const collector = new DeltaCollector("m");
    collector.add(fragment({ index: 0, name: "x", arguments: "{}" }));
    expect(collector.finish().toolCalls).toEqual(collector.finish().toolCalls);
  });

  it("give the same for any cuts of names and arguments", () => {
    const args = fc.dictionary(fc.string(), fc.jsonValue()).map((value) => JSON.stringify(value));
    const list = fc.array(fc.tuple(fc.constantFrom("calculator", "get_fee", "aaaa", "web_search"), args), {
      minLength: 1,
      maxLength: 4,
    });
    const cut = (value: string, places: readonly number[]) => {
      const sorted = [...new Set(places.map((place) => place % (value.length + 1)))].sort((a, b) => a - b);
      return [0, ...sorted].map((start, index) => value.slice(start, sorted[index] ?? value.length));
    };
    fc.assert(
      fc.property(list, fc.array(fc.nat(), { maxLength: 6 }), fc.boolean(), (wanted, places, withIndex) => {
        const fragments = wanted.flatMap(([name, argumentsText], index) => {
          const position = withIndex ? { index } : {};
          return [
            fragment({ ...position, id: `id_${index}`, name, arguments: "" }),
            ...cut(argumentsText, places).map((part) => fragment({ ...position, arguments: part })),
          ];
        });
        expect(collected(...fragments).toolCalls).toEqual(
          wanted.map(([name, argumentsText], index) => ({
            id: `id_${index}`,
            name,
            arguments: argumentsText,
          })),
        );
      }),
    );
  });
});

describe("toolCallDelta", () => {
  it.each<[string, unknown, Partial<CallDelta>]>([
    ["flat", { id: "a", name: "calc", arguments: one }, { id: "a", name: "calc", arguments: one }],
    [
      "nested",
      { id: "a", type: "function", function: { name: "calc", arguments: one } },
      { id: "a", name: "calc", arguments: one },
    ],
    [
      "nested, with an object",
      { function: { name: "calc", arguments: { expression: "1" } } },
      { name: "calc", arguments: { expression: "1" } },
    ],
    [
      "parameters for arguments",
      { name: "calc", parameters: { n: 1 } },
      { name: "calc", arguments: { n: 1 } },
    ],
    ["an index outside", { index: 2, function: { name: "calc" } }, { index: 2, name: "calc" }],
    ["an index inside", { function: { index: 3, name: "calc" } }, { index: 3, name: "calc" }],
    [
      "an id of null",
      { id: null, function: { name: "calc", arguments: "" } },
      { id: undefined, arguments: "" },
    ],
    ["arguments of null", { name: "calc", arguments: null }, { arguments: undefined }],
    ["arguments that are a number", { name: "calc", arguments: 5 }, { arguments: "5" }],
    ["arguments that are a list", { name: "calc", arguments: [1] }, { arguments: [1] as never }],
    ["nothing", null, { id: undefined, name: undefined, arguments: undefined }],
    ["text", "calc", { id: undefined, name: undefined, arguments: undefined }],
    ["a function of null", { id: "a", function: null }, { id: "a", name: undefined }],
  ])("reads %s", (_name, raw, expected) => {
    expect(toolCallDelta(raw)).toMatchObject({ type: "tool_call", ...expected });
  });
});
