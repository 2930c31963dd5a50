import {
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  type InferenceResult,
  JarvisError,
  type Message,
} from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import {
  type EngineReply,
  engineChecks,
  type MakeEngine,
  ScriptedEngine,
  toDoubleReply,
} from "../src/index.js";
import { testEngine } from "../src/vitest.js";
import { failing } from "./failing.js";

const model = "m";
const unreachableError = new JarvisError("OJ_ENGINE_UNREACHABLE", "Nothing answers at 127.0.0.1:9.");

class UnreachableEngine extends ScriptedEngine {
  constructor() {
    super(() => unreachableError, { health: { ok: false, detail: "nothing answers" } });
  }
  override async listModels(): Promise<never> {
    throw unreachableError;
  }
}

testEngine((replies) => ({ engine: new ScriptedEngine(replies), model }), {
  unreachable: () => new UnreachableEngine(),
});

testEngine(() => ({ engine: new ScriptedEngine(() => "By myself."), model }), { scripted: false });

type Stream = AsyncIterable<InferenceDelta>;

/** A scripted engine in front of which something goes wrong. */
class BrokenEngine extends InferenceEngine {
  engineId = "broken";
  protected readonly inner: ScriptedEngine;
  constructor(replies: readonly EngineReply[]) {
    super();
    this.inner = new ScriptedEngine(replies);
  }
  stream(messages: readonly Message[], options: InferenceOptions): Stream {
    return this.inner.stream(messages, options);
  }
}

async function* map(deltas: Stream, change: (delta: InferenceDelta) => InferenceDelta[]): Stream {
  for await (const delta of deltas) yield* change(delta);
}

type Broken = [what: string, Engine: new (replies: readonly EngineReply[]) => BrokenEngine, fails: string[]];

/** Breaks an engine by changing what it streams. */
const changing = (change: (delta: InferenceDelta) => InferenceDelta[]) =>
  class extends BrokenEngine {
    override stream(messages: readonly Message[], options: InferenceOptions): Stream {
      return map(super.stream(messages, options), change);
    }
  };

const broken: Broken[] = [
  [
    "an answer without a model",
    changing((delta) => [delta, { type: "model", model: "" }]),
    ["answers in the one form"],
  ],
  [
    "a generate that differs from the stream",
    class extends BrokenEngine {
      override async generate(
        messages: readonly Message[],
        options: InferenceOptions,
      ): Promise<InferenceResult> {
        const result = await super.generate(messages, options);
        return { ...result, content: result.content.trim().toUpperCase() };
      }
    },
    ["streams the same answer that it generates", "passes text on as it is"],
  ],
  [
    "messages that are changed",
    class extends BrokenEngine {
      override async generate(messages: Message[], options: InferenceOptions): Promise<InferenceResult> {
        messages.unshift({ role: "system", content: "x" });
        return super.generate(messages, options);
      }
    },
    ["leaves messages and options as they are"],
  ],
  [
    "answers that depend on other calls",
    class extends BrokenEngine {
      #open = 0;
      override async *stream(messages: readonly Message[], options: InferenceOptions): Stream {
        this.#open += 1;
        yield { type: "text", text: `${this.#open} ` };
        yield* super.stream(messages, options);
        this.#open -= 1;
      }
    },
    ["answers many calls at once"],
  ],
  [
    "one call at a time, forgotten when a stream is left",
    class extends BrokenEngine {
      #busy = false;
      override async *stream(messages: readonly Message[], options: InferenceOptions): Stream {
        if (this.#busy) throw new JarvisError("OJ_ENGINE_SERVER", "busy");
        this.#busy = true;
        yield* super.stream(messages, options);
        this.#busy = false;
      }
    },
    ["can be left in the middle of a stream and asked again", "answers many calls at once"],
  ],
  [
    "a signal that is ignored",
    class extends BrokenEngine {
      override stream(messages: readonly Message[], { signal: _, ...options }: InferenceOptions): Stream {
        return this.#hanging(super.stream(messages, options));
      }
      async *#hanging(deltas: Stream): Stream {
        try {
          yield* deltas;
        } catch {
          await new Promise(() => {});
        }
      }
    },
    ["does not answer a call that was cancelled before", "ends when it is cancelled while the model thinks"],
  ],
  [
    "an abort with an error of its own",
    class extends BrokenEngine {
      override async *stream(messages: readonly Message[], options: InferenceOptions): Stream {
        try {
          yield* super.stream(messages, options);
        } catch (error) {
          throw options.signal?.aborted ? new DOMException("aborted", "AbortError") : error;
        }
      }
    },
    ["does not answer a call that was cancelled before", "ends when it is cancelled while the model thinks"],
  ],
  [
    "models without a name",
    class extends BrokenEngine {
      override async listModels() {
        return [{ id: "" }];
      }
    },
    ["lists models, knows its health and its models' capabilities"],
  ],
  [
    "a close that fails the second time",
    class extends BrokenEngine {
      #closed = false;
      override async close(): Promise<void> {
        if (this.#closed) throw new Error("closed already");
        this.#closed = true;
      }
    },
    ["can be closed twice"],
  ],
  [
    "text that is trimmed and cut",
    changing((delta) =>
      delta.type === "text" ? [{ ...delta, text: delta.text.replaceAll("\t", " ") }] : [delta],
    ),
    ["passes text on as it is"],
  ],
  [
    "reasoning that is mixed into the answer",
    changing((delta) => {
      if (delta.type === "reasoning") return [{ type: "text", text: delta.text }];
      return delta.type === "text" ? [{ ...delta, text: delta.text.replace(/<\/?thi|nk>/g, "") }] : [delta];
    }),
    [
      "keeps reasoning between tags out of the answer",
      "keeps reasoning that is sent apart out of the answer",
    ],
  ],
  [
    "usage and finish that are dropped",
    changing((delta) => (delta.type === "usage" || delta.type === "finish" ? [] : [delta])),
    ["reports usage", "says when the token limit cut the answer"],
  ],
  [
    "tool calls that are dropped after the first",
    class extends BrokenEngine {
      override stream(messages: readonly Message[], options: InferenceOptions): Stream {
        let calls = 0;
        return map(super.stream(messages, options), (delta) => {
          if (delta.type !== "tool_call") return [delta];
          calls += 1;
          return calls > 1 ? [] : [delta];
        });
      }
    },
    ["gives parallel tool calls in their order, streamed or not"],
  ],
  [
    "arguments that are mangled",
    changing((delta) => (delta.type === "tool_call" ? [{ ...delta, arguments: { text: "?" } }] : [delta])),
    ["gives a tool call with its arguments"],
  ],
  [
    "a history that must parse",
    class extends BrokenEngine {
      override stream(messages: readonly Message[], options: InferenceOptions): Stream {
        for (const { toolCalls = [] } of messages) for (const call of toolCalls) JSON.parse(call.arguments);
        return super.stream(messages, options);
      }
    },
    ["takes a history with tool calls and their results"],
  ],
  [
    "a broken connection that passes for an end",
    class extends BrokenEngine {
      override async *stream(messages: readonly Message[], options: InferenceOptions): Stream {
        try {
          yield* super.stream(messages, options);
        } catch (error) {
          if (options.signal?.aborted) throw error;
        }
      }
    },
    ["fails when the connection breaks in the middle of an answer"],
  ],
];

const checksOf = (make: MakeEngine, unreachable?: () => InferenceEngine) =>
  engineChecks(make, { callSeconds: 0.2, ...(unreachable === undefined ? {} : { unreachable }) });

describe("engineChecks", () => {
  it.each(broken)("catch %s", async (_what, Engine, fails) => {
    const found = await failing(checksOf((replies) => ({ engine: new Engine(replies), model })));
    expect(found).toEqual(expect.arrayContaining(fails));
  });

  it("catch an engine that hides that its server is gone", async () => {
    const make: MakeEngine = (replies) => ({ engine: new ScriptedEngine(replies), model });
    expect(await failing(checksOf(make, () => new ScriptedEngine(() => "fine")))).toEqual([
      "says that its server cannot be reached",
    ]);
  });

  it("have a broken engine for every check", () => {
    const caught = new Set(broken.flatMap(([, , fails]) => fails));
    const names = checksOf((replies) => ({ engine: new ScriptedEngine(replies), model })).map(
      ({ name }) => name,
    );
    expect(names.filter((name) => !caught.has(name))).toEqual([]);
  });

  it("close the engine and what stands behind it, also when a check fails", async () => {
    const closed: string[] = [];
    class Watched extends BrokenEngine {
      override async close(): Promise<void> {
        closed.push("engine");
      }
    }
    const [first] = checksOf(() => ({
      engine: new Watched([]),
      model,
      close: () => void closed.push("server"),
    }));
    await expect(first?.run()).rejects.toThrow("Unexpected call");
    expect(closed).toEqual(["engine", "server"]);
  });
});

describe("toDoubleReply", () => {
  it("says the same to a protocol double", () => {
    expect(toDoubleReply({ text: ["a", "b"], hang: true })).toEqual({
      text: ["a", "b"],
      faults: { stall: 2 },
    });
    expect(toDoubleReply({ text: ["a", "b"], error: new Error("x") })).toEqual({
      text: ["a", "b"],
      faults: { closeAfter: 2 },
    });
    expect(toDoubleReply({ reasoning: "r", finishReason: "length" })).toEqual({
      reasoning: "r",
      finishReason: "length",
    });
  });
});
