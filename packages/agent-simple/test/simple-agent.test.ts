import {
  AgentRegistry,
  Conversation,
  EventBus,
  InstrumentedEngine,
  isJarvisError,
  JarvisError,
  type Message,
} from "@openjarvis/core";
import { recordEvents, ScriptedEngine, type ScriptedReply, spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { SimpleAgent } from "../src/index.js";

const model = "qwen3:8b";

function simple(...script: (string | ScriptedReply | Error)[]) {
  const engine = new ScriptedEngine(script);
  return { engine, agent: new SimpleAgent({ engine, model }) };
}

describe("SimpleAgent", () => {
  it("is registered as simple and takes no tools", () => {
    expect(AgentRegistry.get("simple")).toBe(SimpleAgent);
    expect(SimpleAgent.acceptsTools).toBe(false);
    const { agent } = simple();
    expect(agent.agentId).toBe("simple");
  });

  it("sends the question to the model once and returns its answer with the facts of the run", async () => {
    const usage = { promptTokens: 12, completionTokens: 5, totalTokens: 17 };
    const { engine, agent } = simple({ text: "Paris.", usage, model: "qwen3:8b-q4" });
    const result = await agent.run("What is the capital of France?");
    expect(result).toEqual({
      content: "Paris.",
      toolResults: [],
      turns: 1,
      metadata: {
        usage,
        stopReason: "final",
        model: "qwen3:8b-q4",
        engine: "scripted",
        inferenceCalls: 1,
        runId: expect.stringMatching(/^run_/),
      },
    });
    expect(engine.messagesOf(0)).toEqual([{ role: "user", content: "What is the capital of France?" }]);
    engine.assertDone();
  });

  it("puts the conversation before the question, from a Conversation or a list", async () => {
    const messages: Message[] = [
      { role: "user", content: "My name is Ana." },
      { role: "assistant", content: "Hello, Ana." },
    ];
    for (const conversation of [messages, new Conversation(messages)]) {
      const { engine, agent } = simple("Ana.");
      await agent.run("What is my name?", { conversation });
      expect(engine.messagesOf(0)).toEqual([...messages, { role: "user", content: "What is my name?" }]);
    }
    expect(messages).toHaveLength(2);
  });

  it.each<[string, Message[], string | undefined, string[], string | undefined]>([
    ["nothing", [], undefined, ["user"], undefined],
    ["its own prompt", [], "Be brief.", ["system", "user"], "Be brief."],
    ["an empty prompt", [], "", ["user"], undefined],
    [
      "scattered system messages",
      [
        { role: "user", content: "a" },
        { role: "system", content: "one" },
        { role: "assistant", content: "b" },
        { role: "system", content: "two" },
      ],
      undefined,
      ["system", "user", "assistant", "user"],
      "one\n\ntwo",
    ],
    [
      "its own prompt and one of the conversation",
      [{ role: "system", content: "Speak French." }],
      "Be brief.",
      ["system", "user"],
      "Be brief.\n\nSpeak French.",
    ],
    [
      "only empty system messages",
      [
        { role: "system", content: "" },
        { role: "system", content: null },
      ],
      undefined,
      ["user"],
      undefined,
    ],
  ])(
    "folds %s into at most one leading system message",
    async (_what, conversation, systemPrompt, roles, system) => {
      const engine = new ScriptedEngine(["ok"]);
      await new SimpleAgent({ engine, model, systemPrompt }).run("q", { conversation });
      const sent = engine.messagesOf(0);
      expect(sent.map(({ role }) => role)).toEqual(roles);
      expect(sent.find(({ role }) => role === "system")?.content).toBe(system);
      expect(sent.at(-1)).toEqual({ role: "user", content: "q" });
    },
  );

  it("passes its settings to the engine", async () => {
    const engine = new ScriptedEngine(["ok"]);
    const { signal } = new AbortController();
    const agent = new SimpleAgent({ engine, model, temperature: 0.1, maxTokens: 64 });
    await agent.run("q", {}, { signal, runId: "run-1", parentId: "run-0" });
    expect(engine.optionsOf(0)).toEqual({
      model,
      temperature: 0.1,
      maxTokens: 64,
      signal,
      run: { runId: "run-1", parentId: "run-0" },
    });
  });

  it("takes tool options and the tools of a context, and offers the model none", async () => {
    const spy = spyTool("echo");
    const engine = new ScriptedEngine([
      { text: "I would call a tool.", toolCalls: [{ name: "echo", arguments: { text: "x" } }] },
    ]);
    const agent = new SimpleAgent({
      engine,
      model,
      tools: [spy.tool],
      confirm: () => true,
      policy: () => "allow",
      loopGuard: { maxIdenticalCalls: 1 },
      toolTimeoutSeconds: 1,
      maxResultChars: 1000,
      concurrency: 2,
    });
    const result = await agent.run("q", { tools: ["echo"] });
    expect(engine.optionsOf(0)).not.toHaveProperty("tools");
    expect(result.content).toBe("I would call a tool.");
    expect(result.toolResults).toEqual([]);
    expect(spy.calls).toEqual([]);
    engine.assertDone();
  });

  it("publishes one start and one end, and leaves inference events to the instrumented engine", async () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const engine = new ScriptedEngine(["Hello."]);
    const plain = await new SimpleAgent({ engine, model, bus }).run("Hi", {}, { parentId: "parent" });
    expect(events.types).toEqual(["AGENT_TURN_START", "AGENT_TURN_END"]);
    const [start, end] = events.list;
    expect(start?.data).toEqual({ agent: "simple", input: "Hi", model });
    expect(end?.data).toEqual({ agent: "simple", turns: 1, contentLength: 6, stopReason: "final" });
    for (const event of events.list) {
      expect(event).toMatchObject({ runId: plain.metadata.runId, parentId: "parent" });
    }
    events.clear();
    const instrumented = new InstrumentedEngine(new ScriptedEngine(["Hello."]), bus);
    await new SimpleAgent({ engine: instrumented, model, bus }).run("Hi");
    expect(events.types).toEqual([
      "AGENT_TURN_START",
      "INFERENCE_START",
      "INFERENCE_DELTA",
      "INFERENCE_END",
      "AGENT_TURN_END",
    ]);
    events.assertBalanced();
  });

  it("is not disturbed by a subscriber that throws or rejects", async () => {
    const reported: unknown[] = [];
    const bus = new EventBus({ onSubscriberError: (error) => reported.push(error) });
    bus.subscribe("AGENT_TURN_START", () => {
      throw new Error("broken observer");
    });
    bus.subscribe("AGENT_TURN_END", async () => {
      throw new Error("broken observer");
    });
    const result = await new SimpleAgent({ engine: new ScriptedEngine(["ok"]), model, bus }).run("q");
    expect(result.content).toBe("ok");
    await new Promise((resolve) => setImmediate(resolve));
    expect(reported).toHaveLength(2);
  });

  it.each<[string, ScriptedReply, string, string]>([
    ["text", { text: "42" }, "42", "final"],
    ["an empty text", { text: "" }, "", "empty"],
    ["null", { text: null }, "", "empty"],
    ["white space", { text: " \n\n\t" }, "", "empty"],
    [
      "white space beside reasoning",
      { text: "\n\n", reasoning: "It must be 42." },
      "It must be 42.",
      "final",
    ],
    ["white space as reasoning", { reasoning: "\n" }, "", "empty"],
    ["nothing but a finish reason", { finishReason: "stop" }, "", "empty"],
    ["nothing at all", { finishReason: null }, "", "empty"],
    ["only reasoning", { reasoning: "It must be 42." }, "It must be 42.", "final"],
    ["only reasoning between tags", { text: "<think>It must be 42.</think>" }, "It must be 42.", "final"],
    ["reasoning and text", { reasoning: "Adding.", text: "42" }, "42", "final"],
    ["an unknown finish reason", { text: "42", finishReason: "eos_token" }, "42", "final"],
    ["a filtered answer", { text: "42", finishReason: "content_filter" }, "42", "final"],
    [
      "tool_calls as the reason, without calls",
      { text: "done", finishReason: "tool_calls" },
      "done",
      "final",
    ],
  ])("survives a model that gives %s", async (_what, reply, content, stopReason) => {
    const { engine, agent } = simple(reply);
    const result = await agent.run("q");
    expect(result).toMatchObject({ content, turns: 1, metadata: { stopReason, inferenceCalls: 1 } });
    engine.assertDone();
  });

  it("says when the token limit cut the answer, and only then", async () => {
    const cut = await simple({ text: "It is", finishReason: "length" }).agent.run("q");
    expect(cut.metadata).toMatchObject({ truncated: true, stopReason: "final" });
    const thoughts = await simple({ reasoning: "Let me", finishReason: "length" }).agent.run("q");
    expect(thoughts).toMatchObject({ content: "Let me", metadata: { truncated: true } });
    const whole = await simple("It is 42.").agent.run("q");
    expect(whole.metadata).not.toHaveProperty("truncated");
  });

  it("reports the engine's warnings once each", async () => {
    const result = await simple({
      text: "ok",
      warnings: ["The prompt was cut.", "The prompt was cut."],
    }).agent.run("q");
    expect(result.metadata.warnings).toEqual(["The prompt was cut."]);
  });

  it("counts zeros when the engine reports no usage", async () => {
    const result = await simple("ok").agent.run("q");
    expect(result.metadata.usage).toEqual({ promptTokens: 0, completionTokens: 0, totalTokens: 0 });
  });

  it.each([
    new JarvisError("OJ_ENGINE_UNREACHABLE", "Nothing answers at 127.0.0.1:11434."),
    new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "The prompt is too long."),
    new TypeError("a defect of the engine"),
  ])("rethrows what the engine threw, at once or in the middle ($message)", async (failure) => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const engine = new InstrumentedEngine(
      new ScriptedEngine([failure, { text: ["half"], error: failure }]),
      bus,
    );
    const agent = new SimpleAgent({ engine, model, bus });
    for (let count = 0; count < 2; count += 1) await expect(agent.run("q")).rejects.toBe(failure);
    events.assertBalanced();
    expect(events.of("AGENT_TURN_END").map((event) => event.data)).toEqual(
      Array.from({ length: 2 }, () => ({
        agent: "simple",
        turns: 1,
        contentLength: 0,
        error: failure.message,
      })),
    );
  });

  it("keeps nothing when it is aborted, and says so", async () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const engine = new ScriptedEngine([{ text: ["half an ans"], hang: true }]);
    const controller = new AbortController();
    const running = new SimpleAgent({ engine, model, bus }).run("q", {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect(await running).toMatchObject({ content: "", turns: 1, metadata: { stopReason: "aborted" } });
    expect(events.of("AGENT_TURN_END")[0]?.data).toMatchObject({ stopReason: "aborted" });
    events.assertBalanced();
  });

  it("ends at a deadline of the caller like at any other abort", async () => {
    const engine = new ScriptedEngine([{ hang: true }]);
    const result = await new SimpleAgent({ engine, model }).run("q", {}, { signal: AbortSignal.timeout(10) });
    expect(result.metadata.stopReason).toBe("aborted");
  });

  it.each([
    { temperature: 3 },
    { temperature: Number.NaN },
    { maxTokens: 0 },
    { maxTokens: 1.5 },
    { maxTurns: 0 },
    { maxTurns: -1 },
  ])("refuses settings out of range: %o", (settings) => {
    const make = () => new SimpleAgent({ engine: new ScriptedEngine([]), model, ...settings });
    expect(make).toThrow(expect.objectContaining({ code: "OJ_OPTION" }));
    expect(make).toThrow(Object.keys(settings)[0]);
  });

  it("names the nearest option for one it does not know", () => {
    const options = { engine: new ScriptedEngine([]), model, temprature: 0.1 };
    expect(() => new SimpleAgent(options)).toThrow(
      'SimpleAgent has no option "temprature". Did you mean "temperature"?',
    );
    try {
      new SimpleAgent(options);
    } catch (error) {
      expect(isJarvisError(error, "OJ_OPTION")).toBe(true);
    }
  });

  it("takes an explicit setting before a configured one before its own default", () => {
    const engine = new ScriptedEngine([]);
    const settings = (options: object) => {
      const { temperature, maxTokens } = new SimpleAgent({ engine, model, ...options });
      return [temperature, maxTokens];
    };
    expect(settings({})).toEqual([0.7, 1024]);
    expect(settings({ configured: { temperature: 0.2, maxTokens: 300 } })).toEqual([0.2, 300]);
    expect(settings({ temperature: 0, configured: { temperature: 0.2, maxTokens: 300 } })).toEqual([0, 300]);
    expect(settings({ temperature: undefined, configured: { temperature: 0.2 } })).toEqual([0.2, 1024]);
  });
});
