import { describe, expect, it } from "vitest";
import {
  EventBus,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  InstrumentedEngine,
  isInstrumented,
  JarvisError,
  type Message,
} from "../src/index.js";
import { eventsOf, recordEvents, ScriptedEngine, type Step, text, toolCall, usage } from "./support.js";

const messages: Message[] = [{ role: "user", content: "hi" }];
const options: InferenceOptions = { model: "m", run: { runId: "r", parentId: "p" } };
const answer: Step = [
  text("<think>why</think>"),
  text("42"),
  toolCall("", "now", "{}"),
  usage(3, 2),
  { type: "finish", reason: "stop" },
  { type: "warning", message: "cut" },
];

/** An instrumented engine on a bus, watched with or without the deltas. */
function setUp(step: Step, watch: "deltas" | "calls") {
  const bus = new EventBus();
  const inner = new ScriptedEngine(step);
  const engine = new InstrumentedEngine(inner, bus);
  if (watch === "deltas") return { bus, inner, engine, events: recordEvents(bus) };
  const events: ReturnType<typeof recordEvents> = [];
  for (const type of ["INFERENCE_START", "INFERENCE_END", "WARNING"] as const) {
    bus.subscribe(type, (event) => events.push(event as never));
  }
  return { bus, inner, engine, events };
}

async function drain(deltas: AsyncIterable<InferenceDelta>): Promise<InferenceDelta[]> {
  const seen: InferenceDelta[] = [];
  for await (const delta of deltas) seen.push(delta);
  return seen;
}

/** Fails after its first piece; with a signal, when it fires. */
function failing(error: unknown): Step {
  return async function* (given) {
    yield text("par");
    if (given.signal === undefined) throw error;
    await new Promise((_resolve, reject) => given.signal?.addEventListener("abort", () => reject(error)));
  };
}

describe.each(["deltas", "calls"] as const)("InstrumentedEngine, watched for %s,", (watch) => {
  it("publishes one start and one end for a whole answer", async () => {
    const { engine, events } = setUp(answer, watch);
    const result = await engine.generate(messages, options);
    expect(eventsOf(events, "INFERENCE_START").map((event) => event.data)).toEqual([
      { model: "m", engine: "scripted", messageCount: 1 },
    ]);
    const [end, ...more] = eventsOf(events, "INFERENCE_END");
    expect(more).toEqual([]);
    expect(end).toMatchObject({ runId: "r", parentId: "p" });
    expect(end?.data).toMatchObject({
      model: "m",
      engine: "scripted",
      content: "42",
      reasoning: "why",
      finishReason: "tool_calls",
      usage: { totalTokens: 5 },
      latency: expect.any(Number),
    });
    expect(end?.data.toolCalls).toEqual(result.toolCalls);
    expect(end?.data).not.toHaveProperty("error");
    expect(eventsOf(events, "WARNING").map((event) => event.data)).toEqual([
      { message: "cut", source: "scripted" },
    ]);
  });

  it("gives by generate what the engine itself would give", async () => {
    const plain = await new ScriptedEngine(answer).generate(messages, options);
    const { engine } = setUp(answer, watch);
    const observed = await engine.generate(messages, options);
    const id = expect.any(String);
    const strip = (result: typeof plain) => ({
      ...result,
      toolCalls: result.toolCalls.map((call) => ({ ...call, id })),
    });
    expect(strip(observed)).toEqual(strip(plain));
  });

  it("hands every piece of a stream on, unchanged, and sums them up at the end", async () => {
    const { engine, events } = setUp(answer, watch);
    expect(await drain(engine.stream(messages, options))).toEqual(answer);
    expect(eventsOf(events, "INFERENCE_START")).toHaveLength(1);
    expect(eventsOf(events, "INFERENCE_END").map((event) => event.data)).toMatchObject([
      { content: "42", reasoning: "why", timeToFirstToken: expect.any(Number) },
    ]);
  });

  it("publishes the end of a failed answer with code and text, and rejects with the same error", async () => {
    const error = new JarvisError("OJ_ENGINE_RATE_LIMIT", "slow down");
    for (const call of ["generate", "stream"] as const) {
      const { engine, events } = setUp(failing(error), watch);
      const done =
        call === "generate" ? engine.generate(messages, options) : drain(engine.stream(messages, options));
      await expect(done).rejects.toBe(error);
      expect(eventsOf(events, "INFERENCE_START")).toHaveLength(1);
      expect(eventsOf(events, "INFERENCE_END").map((event) => event.data)).toMatchObject([
        { error: "slow down", code: "OJ_ENGINE_RATE_LIMIT", finishReason: "error" },
      ]);
    }
  });

  it("publishes the end of a cancelled answer", async () => {
    const controller = new AbortController();
    const { engine, events } = setUp(failing(new JarvisError("OJ_ABORTED", "stop")), watch);
    const done = engine.generate(messages, { ...options, signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(done).rejects.toMatchObject({ code: "OJ_ABORTED" });
    expect(eventsOf(events, "INFERENCE_END").map((event) => event.data)).toMatchObject([
      { code: "OJ_ABORTED" },
    ]);
  });

  it("publishes the end when the loop is left early, and stops the engine", async () => {
    let stopped = false;
    const step: Step = async function* () {
      try {
        yield text("a");
        yield text("b");
      } finally {
        stopped = true;
      }
    };
    const { engine, events } = setUp(step, watch);
    for await (const delta of engine.stream(messages, options)) {
      expect(delta).toEqual(text("a"));
      break;
    }
    expect(stopped).toBe(true);
    expect(eventsOf(events, "INFERENCE_END").map((event) => event.data)).toMatchObject([{ content: "a" }]);
  });

  it("publishes the end when the engine throws before it streams", async () => {
    class Broken extends ScriptedEngine {
      override stream(): never {
        throw new Error("no stream");
      }
    }
    const bus = new EventBus();
    const events = recordEvents(bus);
    const engine = new InstrumentedEngine(new Broken(), bus);
    await expect(engine.generate(messages, options)).rejects.toThrow("no stream");
    await expect(drain(engine.stream(messages, options))).rejects.toThrow("no stream");
    expect(eventsOf(events, "INFERENCE_START")).toHaveLength(2);
    expect(eventsOf(events, "INFERENCE_END").map((event) => event.data.error)).toEqual([
      "no stream",
      "no stream",
    ]);
  });
});

describe("InstrumentedEngine", () => {
  it("publishes pieces while somebody listens, reasoning apart from the answer", async () => {
    const step: Step = [
      { type: "reasoning", text: "r" },
      text("<thi"),
      text("nk>why</think>4"),
      text("2"),
      text(""),
    ];
    const { engine, events } = setUp(step, "deltas");
    await engine.generate(messages, options);
    expect(eventsOf(events, "INFERENCE_DELTA").map((event) => event.data)).toEqual([
      { kind: "reasoning", text: "r" },
      { kind: "reasoning", text: "why" },
      { kind: "text", text: "4" },
      { kind: "text", text: "2" },
    ]);
  });

  it("publishes what was held back at the end of an answer", async () => {
    const { engine, events } = setUp([text("a <thi")], "deltas");
    await engine.generate(messages, options);
    expect(eventsOf(events, "INFERENCE_DELTA").map((event) => event.data.text)).toEqual(["a ", "<thi"]);
  });

  it("asks the engine for a whole answer while nobody listens to pieces, and publishes none", async () => {
    class Whole extends ScriptedEngine {
      asked: string[] = [];
      override async generate(list: readonly Message[], given: InferenceOptions) {
        this.asked.push("generate");
        return super.generate(list, given);
      }
    }
    const bus = new EventBus();
    const inner = new Whole([text("a")], [text("a")]);
    const engine = new InstrumentedEngine(inner, bus);
    await engine.generate(messages, options);
    expect(inner.asked).toEqual(["generate"]);
    const events = recordEvents(bus);
    await engine.generate(messages, options);
    expect(inner.asked).toEqual(["generate"]);
    expect(eventsOf(events, "INFERENCE_DELTA")).toHaveLength(1);
  });

  it("asks the engine once for each call", async () => {
    const { engine, inner } = setUp(answer, "deltas");
    await engine.generate(messages, options);
    expect(inner.calls).toHaveLength(1);
    expect(inner.calls[0]).toMatchObject({ messages, options });
  });

  it("hands everything else on", async () => {
    const log: unknown[] = [];
    class Full extends ScriptedEngine {
      override readonly engineId = "full";
      override readonly hosted = true;
      override listModels = async () => [{ id: "m" }];
      override health = async () => ({ ok: false, detail: "down" });
      override capabilities = async (model: string) => ({ tools: model === "m" });
      override embed = async (texts: readonly string[]) => texts.map(() => new Float32Array(2));
      override pullModel = async (model: string) => void log.push(model);
      override close = async () => void log.push("closed");
    }
    const engine = new InstrumentedEngine(new Full(), new EventBus());
    expect([engine.engineId, engine.hosted]).toEqual(["full", true]);
    expect(await engine.listModels()).toEqual([{ id: "m" }]);
    expect(await engine.health()).toEqual({ ok: false, detail: "down" });
    expect(await engine.capabilities("m")).toEqual({ tools: true });
    expect(await engine.embed?.(["a", "b"], { model: "m" })).toHaveLength(2);
    await engine.pullModel?.("m", {});
    await engine.close();
    expect(log).toEqual(["m", "closed"]);
  });

  it("has no embed and no pullModel where the engine has none", () => {
    const engine: InferenceEngine = new InstrumentedEngine(new ScriptedEngine(), new EventBus());
    expect([engine.embed, engine.pullModel]).toEqual([undefined, undefined]);
  });

  it("is known by its brand", () => {
    const plain = new ScriptedEngine();
    expect(isInstrumented(plain)).toBe(false);
    expect(isInstrumented(new InstrumentedEngine(plain, new EventBus()))).toBe(true);
  });
});

describe("InferenceEngine", () => {
  it("needs no more than a stream", async () => {
    class Minimal extends InferenceEngine {
      readonly engineId = "minimal";
      async *stream(): AsyncGenerator<InferenceDelta> {
        yield text("ok");
      }
    }
    const engine = new Minimal();
    expect(engine.hosted).toBe(false);
    expect(await engine.generate(messages, options)).toMatchObject({
      content: "ok",
      model: "m",
      finishReason: "stop",
    });
    expect(await engine.listModels()).toEqual([]);
    expect(await engine.health()).toMatchObject({ ok: true });
    expect(await engine.capabilities("m")).toEqual({});
    await engine.close();
    await engine.close();
  });
});
