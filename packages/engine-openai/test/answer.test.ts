import type { InferenceDelta } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DoneMarker } from "../src/done-marker.js";
import { ask, calculator, hello, setUp } from "./support/setup.js";

type Frame = Record<string, unknown>;

function chunk(delta: Frame, finish: string | null = null): Frame {
  return {
    object: "chat.completion.chunk",
    model: "test-model",
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}

const end = chunk({}, "stop");

describe("the shapes of an answer", () => {
  test("usage comes in a chunk without choices, also repeated in every chunk", async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
    const { engine } = await setUp({
      replies: [
        { frames: [chunk({ content: "a" }), end, { choices: [], usage }] },
        {
          frames: [
            { ...chunk({ content: "a" }), usage: { ...usage, completion_tokens: 1 } },
            { ...end, usage },
          ],
        },
        { frames: [chunk({ content: "a" }), { ...end, usage: null }, { choices: null }] },
      ],
    });
    const counted = { promptTokens: 3, completionTokens: 4, totalTokens: 7 };
    expect((await ask(engine)).usage).toEqual(counted);
    expect((await ask(engine)).usage).toEqual(counted);
    expect((await ask(engine)).usage.totalTokens).toBe(0);
  });

  test.each<[string, Frame[], { content?: string; reasoning?: string }]>([
    [
      "reasoning_content",
      [chunk({ reasoning_content: "hm" }), chunk({ content: "ok" })],
      { reasoning: "hm", content: "ok" },
    ],
    ["reasoning", [chunk({ reasoning: "hm" }), chunk({ content: "ok" })], { reasoning: "hm", content: "ok" }],
    ["both of them, once", [chunk({ reasoning_content: "hm", reasoning: "hm" })], { reasoning: "hm" }],
    [
      "content in parts",
      [
        chunk({
          content: [
            { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
            { type: "text", text: "ok" },
          ],
        }),
      ],
      { reasoning: "hm", content: "ok" },
    ],
    ["a refusal", [chunk({ refusal: "I cannot." })], { content: "I cannot." }],
    [
      "null content",
      [chunk({ role: "assistant", content: null }), chunk({ content: "ok" })],
      { content: "ok" },
    ],
    [
      "a null delta",
      [{ choices: [{ index: 0, delta: null, finish_reason: null }] }, chunk({ content: "ok" })],
      { content: "ok" },
    ],
    ["null tool calls", [chunk({ content: "ok", tool_calls: null })], { content: "ok" }],
  ])("%s", async (_name, frames, expected) => {
    const { engine } = await setUp({ replies: [{ frames: [...frames, end] }] });
    expect(await ask(engine)).toMatchObject({ toolCalls: [], ...expected });
  });

  test("a call in the form before tools", async () => {
    const frames = [
      chunk({ function_call: { name: "calculator", arguments: "" } }),
      chunk({ function_call: { arguments: '{"expression":' } }),
      chunk({ function_call: { arguments: '"1"}' } }),
      chunk({}, "function_call"),
    ];
    const { engine } = await setUp({ replies: [{ frames }] });
    expect(await ask(engine, { tools: [calculator] })).toMatchObject({
      toolCalls: [{ name: "calculator", arguments: '{"expression":"1"}' }],
      finishReason: "tool_calls",
    });
  });

  test("a call whose arguments are an object", async () => {
    const call = { index: 0, id: "a", function: { name: "calculator", arguments: { expression: "1" } } };
    const { engine } = await setUp({ replies: [{ frames: [chunk({ tool_calls: [call] }), end] }] });
    expect((await ask(engine, { tools: [calculator] })).toolCalls).toEqual([
      { id: "a", name: "calculator", arguments: '{"expression":"1"}' },
    ]);
  });

  test("the model the server names", async () => {
    const { engine } = await setUp({ replies: [{ text: "a", model: "test-model-2026" }] });
    expect((await ask(engine)).model).toBe("test-model-2026");
  });

  test("an end without [DONE], and an end without a finish reason", async () => {
    const { engine } = await setUp({
      replies: [
        { text: "a", doneMarker: false },
        { text: "b", finishReason: null },
        { text: "c", finishReason: null, doneMarker: false },
      ],
    });
    expect((await ask(engine)).content).toBe("a");
    expect((await ask(engine)).content).toBe("b");
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_PROTOCOL" });
  });

  test("comments, other fields and carriage returns between the events", async () => {
    const events = [
      ": keep-alive",
      "event: message",
      "id: 1",
      `data: ${JSON.stringify(chunk({ content: "ok" }))}`,
      "",
      `data:${JSON.stringify(end)}`,
      "",
      "data: [DONE]",
      "",
    ];
    const { engine } = await setUp({
      replies: [
        { body: events.join("\r\n"), contentType: "text/event-stream" },
        { body: events.join("\n"), contentType: "text/plain" },
      ],
    });
    expect((await ask(engine)).content).toBe("ok");
    expect((await ask(engine)).content).toBe("ok");
  });
});

describe("errors inside an answer", () => {
  const par = chunk({ content: "par" });

  test.each([
    [{ error: { message: "quota" } }, "OJ_ENGINE_RATE_LIMIT", "quota"],
    [{ error: "out of memory" }, "OJ_ENGINE_SERVER", "out of memory"],
    [{ error: { message: "slow down", code: 429 } }, "OJ_ENGINE_RATE_LIMIT", "slow down"],
    [{ error: { message: "no", code: "context_length_exceeded" } }, "OJ_ENGINE_CONTEXT_LENGTH", "no"],
    [{ object: "error", message: "bad", code: 400 }, "OJ_ENGINE_BAD_REQUEST", "bad"],
  ])("%j is an error, not a short answer", async (error, code, message) => {
    const { engine } = await setUp({ replies: [{ frames: [par, error], doneMarker: false }] });
    const seen: InferenceDelta[] = [];
    const stream = async (): Promise<void> => {
      for await (const delta of engine.stream(hello, { model: "test-model" })) seen.push(delta);
    };
    await expect(stream()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
    expect(seen).toEqual([{ type: "text", text: "par" }]);
  });

  test("in a document with status 200", async () => {
    const body = JSON.stringify({ error: { message: "the model crashed" } });
    const { engine } = await setUp({ replies: [{ body, contentType: "application/json" }] });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_SERVER",
      message: expect.stringContaining("the model crashed"),
    });
  });

  test("an event that is no JSON", async () => {
    const { engine } = await setUp({
      replies: [{ body: "data: {oops\n\n", contentType: "text/event-stream" }],
    });
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_PROTOCOL" });
  });
});

test("[DONE] is found wherever the bytes are cut, and only at the start of a line", () => {
  const data = JSON.stringify({ text: 'data: [DONE]\n"[DONE]' });
  const body = `data: ${data}\n\ndata: [DONE]\n\n`;
  fc.assert(
    fc.property(fc.array(fc.nat(body.length)), fc.boolean(), (cuts, complete) => {
      const bytes = Buffer.from(complete ? body : body.slice(0, body.indexOf("\n\n") + 2));
      const marker = new DoneMarker();
      const edges = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort(
        (a, b) => a - b,
      );
      for (const [i, start] of edges.entries())
        marker.inspect(bytes.subarray(start, edges[i + 1] ?? bytes.length));
      expect(marker.seen).toBe(complete);
    }),
  );
});
