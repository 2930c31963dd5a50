import { describe, expect, it } from "vitest";
import { collect, DeltaCollector, type InferenceDelta } from "../src/index.js";
import { text, usage } from "./support.js";

function collected(...deltas: InferenceDelta[]) {
  const collector = new DeltaCollector("m");
  for (const delta of deltas) collector.add(delta);
  return collector.finish();
}

type CallDelta = Extract<InferenceDelta, { type: "tool_call" }>;
const fragment = (delta: Omit<CallDelta, "type">): CallDelta => ({ type: "tool_call", ...delta });
const _calls = (...fragments: Omit<CallDelta, "type">[]) => collected(...fragments.map(fragment)).toolCalls;
const _one = '{"expression":"1"}';
const _two = '{"expression":"2"}';
const _madeUp = expect.stringMatching(/^call_\w+$/);

describe("collect", () => {
  it("joins text, reasoning, usage and the rest into one result", async () => {
    async function* stream(): AsyncGenerator<InferenceDelta> {
      yield { type: "model", model: "m-2025" };
      yield { type: "reasoning", text: "hm" };
      yield text("4");
      yield text("2");
      yield { type: "warning", message: "cut" };
      yield usage(3, 2);
      yield { type: "finish", reason: "stop" };
    }
    expect(await collect(stream(), "m")).toEqual({
      content: "42",
      reasoning: "hm",
      toolCalls: [],
      usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 },
      finishReason: "stop",
      model: "m-2025",
      warnings: ["cut"],
    });
  });

  it("makes a whole result of nothing", () => {
    expect(collected()).toEqual({
      content: "",
      reasoning: "",
      toolCalls: [],
      usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
      finishReason: "stop",
      model: "m",
      warnings: [],
    });
  });

  it("rejects with what the stream throws", async () => {
    async function* stream(): AsyncGenerator<InferenceDelta> {
      yield text("par");
      throw new Error("quota");
    }
    await expect(collect(stream(), "m")).rejects.toThrow("quota");
  });

  it("tells reasoning tags from the answer, over pieces and beside a reasoning field", () => {
    expect(collected(text("<thi"), text("nk>a</thi"), text("nk>b"))).toMatchObject({
      content: "b",
      reasoning: "a",
    });
    expect(collected({ type: "reasoning", text: "x" }, text("<think>y</think>z"))).toMatchObject({
      content: "z",
      reasoning: "x\ny",
    });
    expect(collected(text("  plain "))).toMatchObject({ content: "  plain ", reasoning: "" });
  });
});

describe("usage", () => {
  it.each<[string, Parameters<typeof usage> | object, object]>([
    ["prompt only", { promptTokens: 3 }, { promptTokens: 3, completionTokens: 0, totalTokens: 3 }],
    ["answer only", { completionTokens: 2 }, { promptTokens: 0, completionTokens: 2, totalTokens: 2 }],
    [
      "a total of its own",
      { promptTokens: 3, completionTokens: 2, totalTokens: 9 },
      { promptTokens: 3, completionTokens: 2, totalTokens: 9 },
    ],
    ["a total only", { totalTokens: 9 }, { promptTokens: 0, completionTokens: 0, totalTokens: 9 }],
    [
      "values that are none",
      { promptTokens: undefined, completionTokens: Number.NaN, totalTokens: null },
      { promptTokens: 0, completionTokens: 0, totalTokens: 0 },
    ],
  ])("has no gaps with %s", (_name, given, expected) => {
    expect(collected({ type: "usage", usage: given as never }).usage).toEqual(expected);
  });

  it("takes later reports for the newer ones and keeps what they leave out", () => {
    const first = { type: "usage", usage: { promptTokens: 3, completionTokens: 1 } } as const;
    expect(collected(first, { type: "usage", usage: { completionTokens: 5 } }).usage).toEqual({
      promptTokens: 3,
      completionTokens: 5,
      totalTokens: 8,
    });
  });
});

describe("finishReason", () => {
  const call = fragment({ id: "a", name: "now", arguments: "{}" });

  it.each<[string | null | undefined, string, string]>([
    ["stop", "stop", "tool_calls"],
    ["STOP", "stop", "tool_calls"],
    ["end_turn", "stop", "tool_calls"],
    ["stop_sequence", "stop", "tool_calls"],
    ["eos", "stop", "tool_calls"],
    ["length", "length", "length"],
    ["max_tokens", "length", "length"],
    ["MAX_TOKENS", "length", "length"],
    ["tool_calls", "stop", "tool_calls"],
    ["function_call", "stop", "tool_calls"],
    ["tool_use", "stop", "tool_calls"],
    ["content_filter", "content_filter", "content_filter"],
    ["load", "other", "tool_calls"],
    ["constructor", "other", "tool_calls"],
    ["", "other", "tool_calls"],
    [null, "stop", "tool_calls"],
    [undefined, "stop", "tool_calls"],
  ])("of %j is %s without calls and %s with calls", (reason, without, withCalls) => {
    expect(collected({ type: "finish", reason }).finishReason).toBe(without);
    expect(collected(call, { type: "finish", reason }).finishReason).toBe(withCalls);
  });

  it("keeps a reason that a later piece leaves out", () => {
    expect(
      collected({ type: "finish", reason: "length" }, { type: "finish", reason: null }).finishReason,
    ).toBe("length");
  });
});
