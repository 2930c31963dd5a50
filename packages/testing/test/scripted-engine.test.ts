import { collect, type InferenceDelta, isJarvisError, JarvisError, type Message } from "@openjarvis/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type RecordedCall, ScriptedEngine, type ScriptedStep } from "../src/index.js";

const hello: Message[] = [{ role: "user", content: "Hi" }];
const options = { model: "m" };

async function deltas(engine: ScriptedEngine, signal?: AbortSignal): Promise<InferenceDelta[]> {
  const list: InferenceDelta[] = [];
  for await (const delta of engine.stream(hello, signal === undefined ? options : { ...options, signal })) {
    list.push(delta);
  }
  return list;
}

describe("ScriptedEngine", () => {
  it("answers one step for each call, in order", async () => {
    const engine = new ScriptedEngine([
      "one",
      { text: "two" },
      [{ type: "text", text: "three" }],
      () => "four",
    ]);
    const contents: string[] = [];
    for (let count = 0; count < 4; count += 1) contents.push((await engine.generate(hello, options)).content);
    expect(contents).toEqual(["one", "two", "three", "four"]);
    engine.assertDone();
  });

  it("sends the parts of a reply as a server does, text and reasoning in their pieces", async () => {
    const engine = new ScriptedEngine([
      {
        reasoning: ["so ", "far"],
        text: ["Hel", "lo"],
        toolCalls: [
          { name: "think", arguments: { thought: "x" } },
          { name: "nope", arguments: "{bad", id: null },
        ],
        usage: { promptTokens: 3 },
        model: "other",
        warnings: ["slow"],
      },
    ]);
    expect(await deltas(engine)).toEqual([
      { type: "model", model: "other" },
      { type: "warning", message: "slow" },
      { type: "reasoning", text: "so " },
      { type: "reasoning", text: "far" },
      { type: "text", text: "Hel" },
      { type: "text", text: "lo" },
      { type: "tool_call", name: "think", arguments: { thought: "x" }, id: "call_1" },
      { type: "tool_call", name: "nope", arguments: "{bad", id: null },
      { type: "usage", usage: { promptTokens: 3 } },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  it("says stop without calls, what it is told to say, or nothing", async () => {
    const engine = new ScriptedEngine([
      "a",
      { text: "b", finishReason: "length" },
      { text: "c", finishReason: null },
    ]);
    const ends: unknown[] = [];
    for (let count = 0; count < 3; count += 1) ends.push((await deltas(engine)).at(-1));
    expect(ends).toEqual([
      { type: "finish", reason: "stop" },
      { type: "finish", reason: "length" },
      { type: "text", text: "c" },
    ]);
  });

  it("streams what an asynchronous iterable gives", async () => {
    const engine = new ScriptedEngine([
      async function* (): AsyncGenerator<InferenceDelta> {
        yield { type: "text", text: "a" };
        yield { type: "text", text: "b" };
      },
    ]);
    expect((await collect(engine.stream(hello, options), "m")).content).toBe("ab");
  });

  it("throws the errors of a script, at once or in the middle of an answer", async () => {
    const failure = new JarvisError("OJ_ENGINE_RATE_LIMIT", "Slow down.");
    const engine = new ScriptedEngine([failure, { text: ["half"], error: failure }]);
    await expect(engine.generate(hello, options)).rejects.toBe(failure);
    const seen: InferenceDelta[] = [];
    const read = async () => {
      for await (const delta of engine.stream(hello, options)) seen.push(delta);
    };
    await expect(read()).rejects.toBe(failure);
    expect(seen).toEqual([{ type: "text", text: "half" }]);
  });

  it("asks a function with the messages and options of the call", async () => {
    const engine = new ScriptedEngine((messages, { model }) => `${messages.length} for ${model}`);
    expect((await engine.generate(hello, options)).content).toBe("1 for m");
    expect((await engine.generate([...hello, ...hello], options)).content).toBe("2 for m");
    engine.assertDone();
  });

  it("records each call as it was, whatever is changed later", async () => {
    const engine = new ScriptedEngine(["a", "b"]);
    const messages: Message[] = [
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "x", arguments: "{}" }] },
    ];
    const stop = ["END"];
    const { signal } = new AbortController();
    await engine.generate(messages, { ...options, stop, signal });
    messages[0]?.toolCalls?.push({ id: "2", name: "y", arguments: "{}" });
    messages.push({ role: "user", content: "more" });
    stop.push("later");
    await engine.generate(messages, options);
    expect(engine.callCount).toBe(2);
    expect(engine.messagesOf(0)).toEqual([
      { role: "assistant", content: null, toolCalls: [{ id: "1", name: "x", arguments: "{}" }] },
    ]);
    expect(engine.optionsOf(0)).toEqual({ model: "m", stop: ["END"], signal });
    expect(engine.optionsOf(0).signal).toBe(signal);
    expect(engine.messagesOf(-1)).toHaveLength(2);
    expect(() => engine.messagesOf(2)).toThrow("no call at position 2");
    expectTypeOf(engine.calls).items.toEqualTypeOf<RecordedCall>();
  });

  it("refuses a call after the last step, and reports it again when the caller swallowed it", async () => {
    const engine = new ScriptedEngine(["only"]);
    await engine.generate(hello, options);
    await expect(engine.generate(hello, options)).rejects.toThrow(
      'Unexpected call 2: the script has 1 step. The last message is of role user: "Hi".',
    );
    expect(() => engine.assertDone()).toThrow(
      "The script has 1 step, and the engine was asked 2 times: 1 too many.",
    );
  });

  it("reports steps that were never used, by assertDone and once by close", async () => {
    const engine = new ScriptedEngine(["a", "b", "c"]);
    await engine.generate(hello, options);
    const message = "The script has 3 steps, and the engine was asked 1 time: 2 of them never used.";
    expect(() => engine.assertDone()).toThrow(message);
    await expect(engine.close()).rejects.toThrow(message);
    await engine.close();
  });

  it.each<[string, ScriptedStep]>([
    ["waits", { text: "late", delaySeconds: 60 }],
    ["hangs", { text: "half", hang: true }],
    ["hangs in a function", () => new Promise<string>(() => {})],
    [
      "streams without end",
      () =>
        (async function* (): AsyncGenerator<InferenceDelta> {
          for (;;) {
            yield { type: "text", text: "x" };
            await new Promise((resolve) => setImmediate(resolve));
          }
        })(),
    ],
  ])("ends a step that %s when the signal fires", async (_what, step) => {
    const controller = new AbortController();
    const engine = new ScriptedEngine([step]);
    setTimeout(() => controller.abort(), 10);
    await expect(deltas(engine, controller.signal)).rejects.toSatisfy((error) =>
      isJarvisError(error, "OJ_ABORTED"),
    );
  });

  it("does not begin a step for a call that was cancelled before", async () => {
    let asked = 0;
    const engine = new ScriptedEngine(() => {
      asked += 1;
      return "never";
    });
    await expect(deltas(engine, AbortSignal.abort())).rejects.toThrow("cancelled");
    expect(asked).toBe(0);
  });

  it("waits as long as a step says", async () => {
    const engine = new ScriptedEngine([{ text: "late", delaySeconds: 0.02 }]);
    const order: string[] = [];
    const answer = engine.generate(hello, options).then(() => order.push("answer"));
    order.push("waiting");
    await answer;
    expect(order).toEqual(["waiting", "answer"]);
  });

  it("refuses to hang without a signal, since nothing could end it", async () => {
    const engine = new ScriptedEngine([{ hang: true }]);
    await expect(engine.generate(hello, options)).rejects.toThrow("needs a call with a signal");
  });

  it("has the identity, models, health and capabilities it is given", async () => {
    const engine = new ScriptedEngine([], {
      engineId: "fake",
      hosted: true,
      models: ["a", "b"],
      health: { ok: false, detail: "down" },
      capabilities: (model) => ({ contextLength: model === "a" ? 100 : 200 }),
    });
    expect([engine.engineId, engine.hosted]).toEqual(["fake", true]);
    expect(await engine.listModels()).toEqual([{ id: "a" }, { id: "b" }]);
    expect(await engine.health()).toEqual({ ok: false, detail: "down" });
    expect(await engine.capabilities("b")).toEqual({ contextLength: 200 });
    expect(await new ScriptedEngine([], { capabilities: { tools: false } }).capabilities("x")).toEqual({
      tools: false,
    });
  });
});
