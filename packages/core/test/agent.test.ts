import { describe, expect, it } from "vitest";
import { type AgentResult, EventBus, JarvisError } from "../src/index.js";
import { AskAgent, setUp, TwiceAgent } from "./agent-support.js";
import { deferred, eventsOf, ScriptedEngine, type Step, text, usage } from "./support.js";

const hanging: Step = async function* ({ signal }) {
  yield text("half");
  await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
};

describe("BaseAgent.run", () => {
  it("answers with the facts every agent reports", async () => {
    const { agent } = setUp(AskAgent, [
      [text("hello"), usage(3, 2), { type: "model", model: "m-1" }, { type: "warning", message: "w" }],
    ]);
    const result = await agent.run("hi", {}, { runId: "run_x" });
    expect(result).toEqual({
      content: "hello",
      toolResults: [],
      turns: 1,
      metadata: {
        usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 },
        stopReason: "final",
        model: "m-1",
        engine: "scripted",
        inferenceCalls: 1,
        runId: "run_x",
        warnings: ["w"],
      },
    });
  });

  it("publishes one start and one end", async () => {
    const { agent, events } = setUp(AskAgent, [[text("hello")]]);
    await agent.run("hi", {}, { runId: "r", parentId: "p" });
    expect(events).toMatchObject([
      {
        type: "AGENT_TURN_START",
        runId: "r",
        parentId: "p",
        data: { agent: "ask", input: "hi", model: "m" },
      },
      {
        type: "AGENT_TURN_END",
        runId: "r",
        data: { agent: "ask", turns: 1, contentLength: 5, stopReason: "final" },
      },
    ]);
    expect(events).toHaveLength(2);
  });

  it("publishes the end of a failed run and rejects with its error", async () => {
    const error = new JarvisError("OJ_ENGINE_UNREACHABLE", "down");
    const step: Step = () => {
      throw error;
    };
    const { agent, events } = setUp(TwiceAgent, [[text("a")], step]);
    await expect(agent.run("hi")).rejects.toBe(error);
    expect(eventsOf(events, "AGENT_TURN_END").map((event) => event.data)).toEqual([
      { agent: "twice", turns: 2, contentLength: 0, error: "down" },
    ]);
  });

  it("publishes the end of a run whose agent gives no proper result", async () => {
    class Broken extends AskAgent {
      protected override async respond(): Promise<AgentResult> {
        return { content: "x" } as AgentResult;
      }
    }
    const { agent, events } = setUp(Broken, []);
    await expect(agent.run("hi")).rejects.toThrow(TypeError);
    expect(eventsOf(events, "AGENT_TURN_END")).toHaveLength(1);
  });

  it("adds up the tokens and the warnings of all its calls", async () => {
    const warning = { type: "warning", message: "cut" } as const;
    const { agent } = setUp(TwiceAgent, [
      [text("a"), usage(3, 2), warning],
      [text("b"), usage(5, 1), warning],
    ]);
    expect((await agent.run("hi")).metadata).toMatchObject({
      usage: { promptTokens: 8, completionTokens: 3, totalTokens: 11 },
      inferenceCalls: 2,
      warnings: ["cut"],
    });
  });

  it("says when the turns are used up", async () => {
    const { agent, events } = setUp(TwiceAgent, [[text("a")], [text("b")]]);
    const result = await agent.run("hi");
    expect(result).toMatchObject({
      content: "b",
      metadata: { stopReason: "max_turns", maxTurnsExceeded: true },
    });
    expect(eventsOf(events, "AGENT_TURN_END")[0]?.data).toMatchObject({
      maxTurnsExceeded: true,
      stopReason: "max_turns",
    });
  });

  it("has a sentence for turns that brought no text, blank ones included", async () => {
    const { agent } = setUp(TwiceAgent, [[text("")], [text("\n\n")]]);
    expect((await agent.run("hi")).content).toBe("Maximum turns reached without a final answer.");
  });

  it("keeps the last text that says something", async () => {
    const { agent } = setUp(TwiceAgent, [[text("useful")], [text("\n\n")]]);
    expect((await agent.run("hi")).content).toBe("useful");
  });

  it("runs on when a subscriber throws", async () => {
    const bus = new EventBus({ onSubscriberError: () => {} });
    bus.subscribe("*", () => {
      throw new Error("observer");
    });
    const agent = new AskAgent({ engine: new ScriptedEngine([text("hello")]), model: "m", bus });
    expect((await agent.run("hi")).content).toBe("hello");
  });

  it("keeps runs apart that go on at the same time", async () => {
    const gate = deferred();
    const slow: Step = async function* () {
      await gate.promise;
      yield text("slow");
      yield usage(100, 0);
    };
    const { agent } = setUp(AskAgent, [slow, [text("quick"), usage(1, 0)]]);
    const first = agent.run("1");
    const second = await agent.run("2");
    gate.resolve();
    expect(second).toMatchObject({ content: "quick", metadata: { usage: { promptTokens: 1 } } });
    expect(await first).toMatchObject({ content: "slow", metadata: { usage: { promptTokens: 100 } } });
    expect((await first).metadata.runId).not.toBe(second.metadata.runId);
  });
});

describe("a cancelled run", () => {
  it.each<[string, unknown]>([
    ["no reason", undefined],
    ["a text", "stop"],
    ["a JarvisError of another code", new JarvisError("OJ_TOOL_TIMEOUT", "too slow")],
  ])("resolves with what there is, for %s", async (_name, reason) => {
    const controller = new AbortController();
    const { agent, events } = setUp(TwiceAgent, [[text("first")], hanging]);
    const done = agent.run("hi", {}, { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort(reason);
    expect(await done).toMatchObject({ content: "first", turns: 2, metadata: { stopReason: "aborted" } });
    expect(eventsOf(events, "AGENT_TURN_END").map((event) => event.data)).toEqual([
      { agent: "twice", turns: 2, contentLength: 5, stopReason: "aborted" },
    ]);
  });

  it("asks nothing when it is cancelled before it begins, and still balances its events", async () => {
    const { agent, engine, events } = setUp(AskAgent, [[text("x")]]);
    const result = await agent.run("hi", {}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      content: "",
      turns: 0,
      metadata: { stopReason: "aborted", inferenceCalls: 0 },
    });
    expect(engine.calls).toEqual([]);
    expect(events.map((event) => event.type)).toEqual(["AGENT_TURN_START", "AGENT_TURN_END"]);
  });

  it("asks no second time of an engine that does not listen", async () => {
    const controller = new AbortController();
    const deaf: Step = async function* () {
      controller.abort();
      yield text("late");
    };
    const { agent, engine } = setUp(TwiceAgent, [deaf, [text("never")]]);
    expect(await agent.run("hi", {}, { signal: controller.signal })).toMatchObject({
      content: "late",
      metadata: { stopReason: "aborted" },
    });
    expect(engine.calls).toHaveLength(1);
  });
});
