import { describe, expect, it, vi } from "vitest";
import { defineTool, EventBus, type InferenceDelta } from "../src/index.js";
import { call, Engine, echo, fails, LoopAgent, setUp } from "./loop-agent-support.js";
import { eventsOf, recordEvents, type Step, text, toolCall } from "./support.js";

describe("ToolUsingAgent", () => {
  it("accepts tools, calls them and answers with what they brought", async () => {
    const { agent, engine, events } = setUp([call("a", 5), [text("it is 5")]]);
    expect(LoopAgent.acceptsTools).toBe(true);
    const result = await agent.run("which?", {}, { runId: "r" });
    expect(result).toMatchObject({
      content: "it is 5",
      turns: 2,
      metadata: { stopReason: "final", inferenceCalls: 2 },
    });
    expect(result.toolResults).toMatchObject([{ toolName: "echo", content: "echo 5", success: true }]);
    expect(engine.calls[0]?.options.tools?.map((tool) => tool.function.name)).toEqual(["now", "echo"]);
    expect(engine.calls[1]?.messages.slice(1)).toMatchObject([
      { role: "assistant", toolCalls: [{ id: "a", name: "echo", arguments: '{"n":5}' }] },
      { role: "tool", toolCallId: "a", name: "echo", content: "echo 5" },
    ]);
    expect(events.map((event) => event.type)).toEqual([
      "AGENT_TURN_START",
      "TOOL_CALL_START",
      "TOOL_CALL_END",
      "AGENT_TURN_END",
    ]);
    for (const event of events) expect(event.runId).toBe("r");
    expect(eventsOf(events, "TOOL_CALL_START")[0]?.data).toMatchObject({ agent: "loop", callId: "a" });
  });

  it("answers every call of a turn, the broken ones too, in order", async () => {
    const turn = [
      toolCall("a", "echo", { n: 1 }),
      toolCall("b", "nope", "{}"),
      toolCall("c", "echo", "{bad"),
    ];
    const { agent, engine } = setUp([turn, [text("done")]]);
    const result = await agent.run("x");
    const replies = engine.calls[1]?.messages.filter((message) => message.role === "tool");
    expect(replies?.map((message) => message.toolCallId)).toEqual(["a", "b", "c"]);
    expect(replies?.map((message) => message.content?.startsWith("Error:"))).toEqual([false, true, true]);
    expect(result.toolResults.map((entry) => entry.success)).toEqual([true, false, false]);
  });

  it("answers a call without an id under the id it was given", async () => {
    const turn: InferenceDelta[] = [{ type: "tool_call", id: null, name: "now", arguments: {} }];
    const { agent, engine } = setUp([turn, [text("done")]]);
    await agent.run("x");
    const [, asked, answered] = engine.calls[1]?.messages ?? [];
    expect(answered?.toolCallId).toMatch(/^call_/);
    expect(asked?.toolCalls?.map((entry) => entry.id)).toEqual([answered?.toolCallId]);
  });

  it("runs undisturbed by a subscriber that throws, and others see everything in order", async () => {
    const errors: unknown[] = [];
    const bus = new EventBus({ onSubscriberError: (error) => errors.push(error) });
    bus.subscribe("*", () => {
      throw new Error("observer");
    });
    const events = recordEvents(bus);
    const agent = new LoopAgent({
      engine: new Engine(call("a", 1), [text("done")]),
      model: "m",
      bus,
      tools: [echo],
    });
    expect((await agent.run("x")).content).toBe("done");
    expect(events.map((event) => event.type)).toEqual([
      "AGENT_TURN_START",
      "TOOL_CALL_START",
      "TOOL_CALL_END",
      "AGENT_TURN_END",
    ]);
    expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4]);
    expect(errors).toHaveLength(4);
  });

  it("offers and runs only the tools of the context", async () => {
    const { agent, engine } = setUp([call("a", 1), [text("done")]]);
    const result = await agent.run("x", { tools: ["now"] });
    expect(engine.calls[0]?.options.tools?.map((tool) => tool.function.name)).toEqual(["now"]);
    expect(result.toolResults[0]?.content).toBe("Unknown tool: echo. Available tools: now.");
  });

  it("hands its options to the executor", async () => {
    const confirm = vi.fn(() => false);
    const guarded = defineTool({
      name: "echo",
      description: "d",
      requiresConfirmation: true,
      run: () => "x".repeat(1_000),
    });
    const denied = setUp([call("a", 1), [text("done")]], { confirm }, [guarded]);
    expect((await denied.agent.run("x")).toolResults[0]?.metadata.code).toBe("OJ_TOOL_DENIED");
    expect(confirm).toHaveBeenCalledOnce();
    const capped = setUp([call("a", 1), [text("done")]], { confirm: () => true, maxResultChars: 100 }, [
      guarded,
    ]);
    await capped.agent.run("x");
    expect(capped.engine.calls[1]?.messages.at(-1)?.content?.length).toBeLessThanOrEqual(100);
    expect(() => setUp([], { toolTimeoutSeconds: 0 })).toThrow(/timeoutSeconds/);
  });

  it("runs many inputs at once without mixing them", async () => {
    const answer: Step = async function* (_options, messages) {
      const question = messages.find((message) => message.role === "user")?.content ?? "";
      await new Promise((resolve) => setImmediate(resolve));
      if (messages.at(-1)?.role === "user") yield* call(`id_${question}`, Number(question));
      else yield text(`${question}: ${messages.at(-1)?.content}`);
    };
    const { agent } = setUp(Array(20).fill(answer));
    const results = await Promise.all(Array.from({ length: 10 }, (_, n) => agent.run(String(n))));
    expect(results.map((result) => result.content)).toEqual(
      Array.from({ length: 10 }, (_, n) => `${n}: echo ${n}`),
    );
    expect(results.every((result) => result.toolResults.length === 1)).toBe(true);
  });
});

describe("the loop guard of an agent", () => {
  const same = Array.from({ length: 6 }, (_, n) => call(`id_${n}`, 1));

  it("lets three equal calls run, warns the model at the fourth, blocks, and asks for an answer", async () => {
    const { agent, engine, events } = setUp([...same, [text("best I can")]]);
    const result = await agent.run("x");
    expect(result).toMatchObject({ content: "best I can", turns: 6, metadata: { stopReason: "loop_guard" } });
    const codes = result.toolResults.map((entry) => entry.metadata.code);
    expect(codes).toEqual([undefined, undefined, undefined, undefined, "OJ_LOOP_GUARD", "OJ_LOOP_GUARD"]);
    expect(engine.calls[4]?.messages.at(-1)?.content).toMatch(
      /^echo 1\n\[Loop guard: echo was called 4 times/,
    );
    expect(engine.calls[5]?.messages.at(-1)?.content).toMatch(
      /^Error: Loop guard: .* The call was not run\.$/,
    );
    expect(engine.calls.at(-1)?.options.tools).toBeUndefined();
    expect(eventsOf(events, "LOOP_GUARD_TRIGGERED").map((event) => event.data)).toEqual([
      { tool: "echo", reasonType: "identical_call", blocked: false },
      { tool: "echo", reasonType: "identical_call", blocked: true },
      { tool: "echo", reasonType: "identical_call", blocked: true },
    ]);
  });

  it("publishes a start and an end for blocked calls too", async () => {
    const { agent, events } = setUp([...same, [text("x")]]);
    await agent.run("x");
    expect(eventsOf(events, "TOOL_CALL_START")).toHaveLength(6);
    const ends = eventsOf(events, "TOOL_CALL_END");
    expect(ends).toHaveLength(6);
    expect(ends.at(-1)?.data).toMatchObject({
      tool: "echo",
      callId: "id_5",
      success: false,
      code: "OJ_LOOP_GUARD",
    });
  });

  it("starts clean with every run", async () => {
    const { agent } = setUp([...same.slice(0, 3), [text("1")], ...same.slice(0, 3), [text("2")]]);
    expect((await agent.run("x")).metadata.stopReason).toBe("final");
    const second = await agent.run("x");
    expect(second.toolResults.every((entry) => entry.success)).toBe(true);
  });

  it("takes another spelling of a tool's name for the same tool, and another outcome for progress", async () => {
    let state = 0;
    const status = defineTool({ name: "status", description: "d", run: () => `${++state} %` });
    const turns = Array.from({ length: 8 }, (_, n) => [
      toolCall(`id_${n}`, n % 2 === 0 ? "Status" : "functions.status", ""),
    ]);
    const { agent, events } = setUp([...turns, [text("done")]], {}, [status]);
    expect((await agent.run("x")).metadata.stopReason).toBe("final");
    expect(eventsOf(events, "LOOP_GUARD_TRIGGERED")).toEqual([]);
  });

  it("reads polling from the metadata of a tool", async () => {
    const poll = defineTool({
      name: "echo",
      description: "d",
      metadata: { polling: true },
      run: () => "same",
    });
    const { agent } = setUp([...same, [text("done")]], {}, [poll]);
    expect((await agent.run("x")).metadata.stopReason).toBe("final");
  });

  it("can be loosened, and refuses options it does not have", async () => {
    const { agent } = setUp([...same, [text("done")]], { loopGuard: { enabled: false } });
    expect((await agent.run("x")).metadata.stopReason).toBe("final");
    expect(() => setUp([], { loopGuard: { maxIdentical: 1 } as never })).toThrow(/no option "maxIdentical"/);
  });

  it("has a sentence when nothing was said and the closing answer fails", async () => {
    const { agent, events } = setUp([...same, fails]);
    const result = await agent.run("x");
    expect(result.content).toBe(
      "Stopped: the model repeated the same tool calls without coming to an answer.",
    );
    expect(result.metadata.warnings).toEqual(["The closing answer failed: broken"]);
    expect(eventsOf(events, "WARNING").map((event) => event.data)).toEqual([
      { source: "loop", message: "The closing answer failed: broken" },
    ]);
  });
});
