import { AgentRegistry, EventBus, JarvisError, type Message } from "@openjarvis/core";
import { ScriptedEngine, type ScriptedReply, spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { OrchestratorAgent } from "../src/index.js";
import { calc, calculator, calls, model, outcomes, setup, think, toolMessages } from "./setup.js";

describe("the tool-calling loop", () => {
  it("is registered as orchestrator and takes tools", () => {
    expect(AgentRegistry.get("orchestrator")).toBe(OrchestratorAgent);
    expect(OrchestratorAgent.acceptsTools).toBe(true);
    expect(setup([]).agent.agentId).toBe("orchestrator");
  });

  it("answers like a single-turn agent when the model calls nothing", async () => {
    const { agent, engine } = setup(["Hello."], { tools: [calculator] });
    expect(await agent.run("Hi")).toMatchObject({ content: "Hello.", turns: 1, toolResults: [] });
    engine.assertDone();
  });

  it("sends the tools as OpenAI functions, and no list when there are none", async () => {
    const withTools = setup(["ok"], { tools: [calculator, think] });
    await withTools.agent.run("q");
    expect(withTools.engine.optionsOf(0).tools).toEqual([
      calculator.toOpenAIFunction(),
      think.toOpenAIFunction(),
    ]);
    for (const tools of [undefined, []]) {
      const without = setup(["ok"], { tools });
      await without.agent.run("q");
      expect(without.engine.optionsOf(0)).not.toHaveProperty("tools");
    }
  });

  it("runs the calls of a model and gives it the results, until it answers", async () => {
    const { agent, engine, events } = setup(
      [
        {
          text: "Let me see.",
          toolCalls: [calc("12*12", "abc123")],
          usage: { promptTokens: 10, completionTokens: 2 },
        },
        { toolCalls: [calc("144+1")], usage: { promptTokens: 20, completionTokens: 3 } },
        { text: "It is 145.", usage: { promptTokens: 30, completionTokens: 4 } },
      ],
      { tools: [calculator] },
    );
    const result = await agent.run("What is 12*12+1?");
    expect(result).toMatchObject({
      content: "It is 145.",
      turns: 3,
      metadata: {
        usage: { promptTokens: 60, completionTokens: 9, totalTokens: 69 },
        stopReason: "final",
        inferenceCalls: 3,
        model,
        engine: "scripted",
      },
    });
    expect(outcomes(result)).toEqual(["144", "145"]);
    expect(result.toolResults[0]).toMatchObject({
      toolName: "calculator",
      success: true,
      metadata: { arguments: { expression: "12*12" } },
    });
    expect(result.toolResults[0]?.latencySeconds).toBeGreaterThanOrEqual(0);
    expect(engine.messagesOf(-1)).toEqual([
      { role: "user", content: "What is 12*12+1?" },
      { role: "assistant", content: "Let me see.", toolCalls: [{ ...calc("12*12"), id: "abc123" }] },
      { role: "tool", content: "144", toolCallId: "abc123", name: "calculator" },
      { role: "assistant", content: "", toolCalls: [{ ...calc("144+1"), id: "call_1" }] },
      { role: "tool", content: "145", toolCallId: "call_1", name: "calculator" },
    ]);
    events.assertBalanced();
    engine.assertDone();
  });

  it("publishes what happens, in order, with what belongs together", async () => {
    const { agent, events } = setup([calls(calc("2+2", "c1")), "4"], { tools: [calculator] });
    const { metadata } = await agent.run("2+2?", {}, { parentId: "parent" });
    expect(events.types).toEqual([
      "AGENT_TURN_START",
      "INFERENCE_START",
      "INFERENCE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END",
      "INFERENCE_START",
      "INFERENCE_DELTA",
      "INFERENCE_END",
      "AGENT_TURN_END",
    ]);
    for (const event of events.list)
      expect(event).toMatchObject({ runId: metadata.runId, parentId: "parent" });
    expect(events.of("AGENT_TURN_START")[0]?.data).toEqual({ agent: "orchestrator", input: "2+2?", model });
    expect(events.of("TOOL_CALL_START")[0]?.data).toEqual({
      tool: "calculator",
      arguments: { expression: "2+2" },
      agent: "orchestrator",
      callId: "c1",
    });
    expect(events.of("TOOL_CALL_END")[0]?.data).toMatchObject({
      tool: "calculator",
      agent: "orchestrator",
      callId: "c1",
      success: true,
      result: "4",
    });
    expect(events.of("AGENT_TURN_END")[0]?.data).toEqual({
      agent: "orchestrator",
      turns: 2,
      contentLength: 1,
      stopReason: "final",
    });
  });

  it("works without a bus and with subscribers that throw", async () => {
    const engine = new ScriptedEngine([calls(calc("2+2")), "4"]);
    expect((await new OrchestratorAgent({ engine, model, tools: [calculator] }).run("q")).content).toBe("4");
    const bus = new EventBus({ onSubscriberError: () => {} });
    bus.subscribe("*", () => {
      throw new Error("broken observer");
    });
    const { agent } = setup([calls(calc("2+2")), "4"], { bus, tools: [calculator] });
    expect((await agent.run("q")).content).toBe("4");
  });

  it("puts the conversation before the question and folds system texts into one", async () => {
    const conversation: Message[] = [
      { role: "user", content: "My name is Ana." },
      { role: "system", content: "Memory: Ana likes tea." },
      { role: "assistant", content: "ok" },
    ];
    const { agent, engine } = setup([calls(calc("2+2")), "Ana."], {
      tools: [calculator],
      systemPrompt: "Be brief.",
    });
    await agent.run("What is my name?", { conversation });
    for (const position of [0, 1]) {
      expect(engine.messagesOf(position).slice(0, 4)).toEqual([
        { role: "system", content: "Be brief.\n\nMemory: Ana likes tea." },
        { role: "user", content: "My name is Ana." },
        { role: "assistant", content: "ok" },
        { role: "user", content: "What is my name?" },
      ]);
    }
    expect(conversation).toHaveLength(3);
  });

  it("takes an empty input, an empty context and a long conversation", async () => {
    const long: Message[] = Array.from({ length: 50 }, (_, index) => ({
      role: index % 2 === 0 ? "user" : "assistant",
      content: `message ${index}`,
    }));
    const { agent, engine } = setup(["a", "b"]);
    expect((await agent.run("")).content).toBe("a");
    await agent.run("q", { conversation: long });
    expect(engine.messagesOf(-1)).toHaveLength(51);
  });
});

describe("how an answer ends", () => {
  it.each<[string, string | null]>([
    ["stop", "stop"],
    ["an unknown reason", "eos_token"],
    ["no reason", null],
    ["tool_calls", "tool_calls"],
    ["function_call", "function_call"],
    ["content_filter", "content_filter"],
  ])("runs the calls of an answer that ends with %s", async (_what, finishReason) => {
    const first: ScriptedReply = { text: "let me check", toolCalls: [calc("2*3")], finishReason };
    const { agent, engine } = setup([first, "6"], { tools: [calculator] });
    const result = await agent.run("2*3?");
    expect(outcomes(result)).toEqual(["6"]);
    expect(result.content).toBe("6");
    engine.assertDone();
  });

  it.each<[string, ScriptedReply]>([
    ["an empty list", { text: "done", toolCalls: [], finishReason: "tool_calls" }],
    ["no list", { text: "done", finishReason: "tool_calls" }],
    [
      "a call without name and arguments",
      { text: "done", toolCalls: [{ id: "x" }], finishReason: "tool_calls" },
    ],
  ])("takes an answer that promises calls with %s as final", async (_what, reply) => {
    const { agent, engine } = setup(() => reply, { tools: [calculator] });
    expect(await agent.run("q")).toMatchObject({
      content: "done",
      turns: 1,
      metadata: { stopReason: "final" },
    });
    expect(engine.callCount).toBe(1);
  });

  it.each<[string, ScriptedReply]>([
    ["null", { text: null, toolCalls: [calc("5*5")] }],
    ["no text", { toolCalls: [calc("5*5")] }],
    ["an empty text", { text: "", toolCalls: [calc("5*5")] }],
    ["only reasoning", { reasoning: "I need the product.", toolCalls: [calc("5*5")] }],
  ])("goes on after a call beside %s", async (_what, first) => {
    const { agent, engine } = setup([first, "25"], { tools: [calculator] });
    expect((await agent.run("5*5?")).content).toBe("25");
    expect(engine.messagesOf(1)[1]).toMatchObject({ role: "assistant", content: "" });
  });

  it("takes call arguments as an object, and makes up ids that servers leave out", async () => {
    const { agent, engine } = setup(
      [
        calls(
          { name: "calculator", arguments: { expression: "1+1" }, id: null },
          { name: "calculator", arguments: { expression: "2+2" }, id: null },
        ),
        "done",
      ],
      { tools: [calculator] },
    );
    expect(outcomes(await agent.run("q"))).toEqual(["2", "4"]);
    const [, assistant, ...answers] = engine.messagesOf(1);
    const ids = assistant?.toolCalls?.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(answers.map(({ toolCallId }) => toolCallId)).toEqual(ids);
  });

  it("gives every call an id of its own when a server counts from zero in each answer", async () => {
    const { agent, engine, events } = setup(
      [calls(calc("1+1", "call_0")), calls(calc("2+2", "call_0"), calc("3+3", "call_1")), "done"],
      { tools: [calculator] },
    );
    await agent.run("q");
    const asked = engine.messagesOf(-1).flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
    expect(new Set(asked).size).toBe(3);
    expect(toolMessages(engine.messagesOf(-1)).map(({ toolCallId }) => toolCallId)).toEqual(asked);
    expect(events.of("TOOL_CALL_START").map((event) => event.data.callId)).toEqual(asked);
  });

  it.each([
    ["<think>2+2</think>", "", "2+2"],
    ["<think>plan</think>It is 4.", "It is 4.", ""],
    ["plan\n</think>\nIt is 4.", "It is 4.", ""],
    ["Hello. <think>private", "Hello.", ""],
    ["Write `<think>` and `</think>`.", "Write `<think>` and `</think>`.", ""],
  ])("shows no reasoning of %j, in answers and in the history", async (text, content, shownInstead) => {
    const { agent, engine } = setup([{ text, toolCalls: [calc("2+2")] }, { text }], { tools: [calculator] });
    const result = await agent.run("q");
    expect(result.content).toBe(content || shownInstead);
    expect(engine.messagesOf(1)[1]).toMatchObject({ role: "assistant", content });
  });
});

describe("parallel calls", () => {
  const waiting = (order: string[]) =>
    spyTool("wait", {
      run: async ({ text }) => {
        order.push(`start ${text}`);
        // The first call waits for the last one: without concurrency this would never end.
        for (let round = 0; round < 50 && text === "a" && !order.includes("end c"); round += 1) {
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        order.push(`end ${text}`);
        return text;
      },
    });
  const three = calls(...["a", "b", "c"].map((text) => ({ name: "wait", arguments: { text } })));

  it("run side by side, and their results keep the order of the calls", async () => {
    const order: string[] = [];
    const { agent, engine, events } = setup([three, "done"], { tools: [waiting(order).tool] });
    const result = await agent.run("q");
    expect(order.at(-1)).toBe("end a");
    expect(outcomes(result)).toEqual(["a", "b", "c"]);
    expect(toolMessages(engine.messagesOf(1)).map(({ content }) => content)).toEqual(["a", "b", "c"]);
    events.assertBalanced();
  });

  it.each([{ parallelTools: false }, { concurrency: 1 }, { parallelTools: false, concurrency: 8 }])(
    "run one after the other with %o",
    async (options) => {
      const order: string[] = [];
      const { agent } = setup([three, "done"], { tools: [waiting(order).tool], ...options });
      expect(outcomes(await agent.run("q"))).toEqual(["a", "b", "c"]);
      expect(order).toEqual(["start a", "end a", "start b", "end b", "start c", "end c"]);
    },
  );

  it("never run more at once than the limit", async () => {
    let [open, most] = [0, 0];
    const { tool } = spyTool("busy", {
      run: async () => {
        open += 1;
        most = Math.max(most, open);
        await new Promise((resolve) => setTimeout(resolve, 2));
        open -= 1;
      },
    });
    const many = Array.from({ length: 20 }, (_, index) => ({
      name: "busy",
      arguments: { text: String(index) },
    }));
    const { agent } = setup([calls(...many), "done"], { tools: [tool], concurrency: 3 });
    expect((await agent.run("q")).toolResults).toHaveLength(20);
    expect(most).toBe(3);
  });
});

describe("failures of the engine", () => {
  it("end the run with balanced events and its turns, and are rethrown", async () => {
    const failure = new JarvisError("OJ_ENGINE_SERVER", "The server said 500.");
    const { agent, events, engine } = setup([calls(calc("2+2")), failure], { tools: [calculator] });
    await expect(agent.run("q")).rejects.toBe(failure);
    events.assertBalanced();
    expect(events.of("AGENT_TURN_END")[0]?.data).toMatchObject({ turns: 2, error: "The server said 500." });
    engine.assertDone();
  });

  it("leave the agent usable", async () => {
    const failure = new JarvisError("OJ_ENGINE_RATE_LIMIT", "Slow down.");
    const { agent } = setup([failure, "ok"]);
    await expect(agent.run("q")).rejects.toBe(failure);
    expect((await agent.run("q")).content).toBe("ok");
  });
});
