import { describe, expect, it } from "vitest";
import { defineTool, EventBus, ToolExecutor, type ToolExecutorOptions } from "../src/index.js";
import { calculator, now, setUp } from "./executor-support.js";
import { deferred, eventsOf, recordEvents } from "./support.js";

describe("ToolExecutor", () => {
  it("runs the call of the documents", async () => {
    const { executor, events } = setUp();
    const result = await executor.execute({
      id: "call_1",
      name: "calculator",
      arguments: '{"expression": "2+2"}',
    });
    expect(result).toMatchObject({ toolName: "calculator", content: "4", success: true });
    expect(result.latencySeconds).toBeGreaterThan(0);
    expect(result.metadata.arguments).toEqual({ expression: "2+2" });
    expect(events).toMatchObject([
      {
        type: "TOOL_CALL_START",
        data: { tool: "calculator", arguments: { expression: "2+2" }, agent: "tester", callId: "call_1" },
      },
      {
        type: "TOOL_CALL_END",
        data: {
          tool: "calculator",
          success: true,
          latency: result.latencySeconds,
          result: "4",
          callId: "call_1",
        },
      },
    ]);
    expect(events[1]?.data).not.toHaveProperty("code");
  });

  it("works without a bus and makes up ids that are not repeated", async () => {
    const executor = new ToolExecutor({ tools: [now] });
    expect(await executor.execute({ name: "now", arguments: "" })).toMatchObject({ content: "noon" });
    const { executor: observed, events } = setUp();
    await observed.executeAll([
      { name: "now", arguments: "" },
      { name: "now", arguments: "" },
    ]);
    const ids = eventsOf(events, "TOOL_CALL_START").map((event) => event.data.callId);
    expect(new Set(ids).size).toBe(2);
  });

  it("names the run and the agent of a call in its events", async () => {
    const { executor, events } = setUp();
    const run = { runId: "run_2", parentId: "run_1" };
    await executor.execute({ name: "now", arguments: {} }, { run, agentId: "other" });
    for (const event of events) expect(event).toMatchObject({ ...run, data: { agent: "other" } });
  });

  it("lists tools in the order they were given, none for none", () => {
    const { executor } = setUp();
    expect(executor.availableTools().map((spec) => spec.name)).toEqual(["calculator", "think", "now"]);
    expect(executor.getOpenAITools().map((tool) => tool.function.name)).toEqual([
      "calculator",
      "think",
      "now",
    ]);
    const empty = new ToolExecutor({ tools: [] });
    expect([empty.availableTools(), empty.getOpenAITools()]).toEqual([[], []]);
  });

  it.each<[string, string | object | null | undefined, string]>([
    ["an empty text", "", "noon"],
    ["white space", "   ", "noon"],
    ["an empty object", "{}", "noon"],
    ["null", null, "noon"],
    ["nothing", undefined, "noon"],
  ])("takes %s as no arguments", async (_name, args, content) => {
    const { executor } = setUp();
    expect(await executor.execute({ name: "now", arguments: args as string })).toMatchObject({ content });
  });

  it("takes arguments as an object, doubly encoded, and in a value that nearly fits", async () => {
    const { executor } = setUp();
    const run = async (args: string | Record<string, unknown>) =>
      (await executor.execute({ name: "calculator", arguments: args })).content;
    expect(await run({ expression: "4+4" })).toBe("8");
    expect(await run(JSON.stringify('{"expression":"4+4"}'))).toBe("8");
    expect(await run('{"expression": 8}')).toBe("8");
  });

  it.each<[string, string, RegExp, string]>([
    [
      "an unknown tool",
      "shell",
      /^Unknown tool: shell\. Available tools: calculator, think, now\.$/,
      "OJ_TOOL_NOT_FOUND",
    ],
    [
      "a slip",
      "calculater",
      /^Unknown tool: calculater\. Did you mean "calculator"\? Available/,
      "OJ_TOOL_NOT_FOUND",
    ],
    ["a short form", "calc", /^Unknown tool: calc\. Available tools:/, "OJ_TOOL_NOT_FOUND"],
    ["no name", "", /^Unknown tool: \(no name\)\. Available/, "OJ_TOOL_NOT_FOUND"],
    ["an endless name", "x".repeat(10_000), /^Unknown tool: x{100}\. Available/, "OJ_TOOL_NOT_FOUND"],
  ])("answers %s with a failed result that names the tools", async (_name, name, content, code) => {
    const { executor, events, types } = setUp();
    const result = await executor.execute({ name, arguments: "{}" });
    expect(result).toMatchObject({ success: false, metadata: { code } });
    expect(result.content).toMatch(content);
    expect(types()).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
    expect(events[1]?.data).toMatchObject({ success: false, code, result: result.content });
  });

  it.each(["Calculator", " calculator", "functions.calculator", "functions:calculator", "CALCULATOR\n"])(
    "runs the tool that the name %j can only mean",
    async (name) => {
      const { executor, events } = setUp();
      expect(await executor.execute({ name, arguments: { expression: "1+1" } })).toMatchObject({
        content: "2",
      });
      for (const event of events) expect(event.data).toMatchObject({ tool: "calculator" });
    },
  );

  it("prefers the exact name and does not choose between two that fit", async () => {
    const upper = defineTool({ name: "Now", description: "d", run: () => "NOON" });
    const { executor } = setUp({ tools: [now, upper] });
    expect(await executor.execute({ name: "Now", arguments: "" })).toMatchObject({ content: "NOON" });
    expect(await executor.execute({ name: "NOW", arguments: "" })).toMatchObject({ success: false });
  });

  it.each<[string, string, RegExp]>([
    ["text that is no JSON", "{bad", /^Invalid arguments JSON: /],
    ["a number", "5", /^Invalid arguments: expected a JSON object, got number\.$/],
    ["a list", "[1]", /got array\.$/],
    [
      "a wrong field",
      '{"expr":"1+1"}',
      /^Invalid arguments: missing required parameter "expression"\. The tool takes: expression/,
    ],
  ])("answers %s with a failed result and both events", async (_name, args, content) => {
    const { executor, events, types } = setUp();
    const result = await executor.execute({ name: "calculator", arguments: args });
    expect(result).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_ARGUMENTS" } });
    expect(result.content).toMatch(content);
    expect(types()).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
    expect(events[1]?.data).toMatchObject({ success: false, code: "OJ_TOOL_ARGUMENTS" });
  });

  it("publishes the model's text when it could not be parsed", async () => {
    const { executor, events } = setUp();
    await executor.execute({ name: "calculator", arguments: "{bad" });
    expect(events[0]?.data).toMatchObject({ arguments: "{bad" });
  });

  it("answers a throwing tool with both events", async () => {
    const tool = defineTool({
      name: "bad",
      description: "d",
      run: () => {
        throw new Error("boom");
      },
    });
    const { executor, events, types } = setUp({ tools: [tool] });
    expect(await executor.execute({ name: "bad", arguments: "" })).toMatchObject({
      success: false,
      content: "boom",
    });
    expect(types()).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
    expect(events[1]?.data).toMatchObject({ success: false, code: "OJ_TOOL_FAILED", result: "boom" });
  });

  it("lets only the named tools be called", async () => {
    const { executor } = setUp();
    const result = await executor.execute({ name: "calculator", arguments: "{}" }, { only: ["now"] });
    expect(result.content).toBe("Unknown tool: calculator. Available tools: now.");
    expect(await executor.execute({ name: "now", arguments: "" }, { only: ["now"] })).toMatchObject({
      success: true,
    });
    expect((await executor.execute({ name: "now", arguments: "" }, { only: [] })).content).toContain(
      "There are no tools.",
    );
  });

  it("publishes what a tool says while it works, and nothing after", async () => {
    const late = deferred();
    const tool = defineTool({
      name: "slow",
      description: "d",
      run: (_params, ctx) => {
        ctx.emit("half done");
        late.promise.then(() => ctx.emit("too late"));
        return "done";
      },
    });
    const { executor, events, types } = setUp({ tools: [tool] });
    await executor.execute({ id: "c", name: "slow", arguments: "" });
    late.resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(types()).toEqual(["TOOL_CALL_START", "TOOL_PROGRESS", "TOOL_CALL_END"]);
    expect(events[1]?.data).toEqual({ tool: "slow", callId: "c", message: "half done" });
  });

  it("validates the parameters of a tool that another tool calls with its own context", async () => {
    const outer = defineTool({
      name: "outer",
      description: "d",
      run: async (_params, ctx) => (await calculator.execute({ expr: "1+1" }, ctx)).content,
    });
    const { executor } = setUp({ tools: [outer] });
    expect((await executor.execute({ name: "outer", arguments: "" })).content).toMatch(
      /missing required parameter "expression"/,
    );
  });

  it("gives a called tool a whole context, also from a spread of its own", async () => {
    const inner = defineTool({
      name: "inner",
      description: "d",
      run: (_params, { signal, callId }) => `${signal.aborted} ${callId}`,
    });
    const outer = defineTool({
      name: "outer",
      description: "d",
      run: async (_params, ctx) => (await inner.execute({}, { ...ctx, callId: "inner" })).content,
    });
    const { executor } = setUp({ tools: [outer] });
    expect((await executor.execute({ name: "outer", arguments: "" })).content).toBe("false inner");
  });

  it("bounds the result in events at 10,240 characters", async () => {
    const tool = defineTool({ name: "big", description: "d", run: () => "x".repeat(50_000) });
    const { executor, events } = setUp({ tools: [tool] });
    const result = await executor.execute({ name: "big", arguments: "" });
    expect(result.content.length).toBe(50_000);
    expect(eventsOf(events, "TOOL_CALL_END")[0]?.data.result.length).toBe(10_240);
  });

  it("runs on when a subscriber throws", async () => {
    const bus = new EventBus({ onSubscriberError: () => {} });
    bus.subscribe("TOOL_CALL_START", () => {
      throw new Error("observer");
    });
    const events = recordEvents(bus);
    const executor = new ToolExecutor({ tools: [now], bus });
    expect(await executor.execute({ name: "now", arguments: "" })).toMatchObject({ success: true });
    expect(events).toHaveLength(2);
  });

  it.each<[string, Partial<ToolExecutorOptions>, string, RegExp]>([
    ["an unknown option", { timeout: 5 } as never, "OJ_OPTION", /ToolExecutor has no option "timeout"/],
    ["a concurrency of zero", { concurrency: 0 }, "OJ_OPTION", /concurrency/],
    ["a result cap that is too small", { maxResultChars: 10 }, "OJ_OPTION", /maxResultChars/],
    ["a timeout that is no number", { timeoutSeconds: Number.NaN }, "OJ_OPTION", /timeoutSeconds/],
    ["two tools of one name", { tools: [now, now] }, "OJ_TOOL_SPEC", /Two of the tools are named "now"/],
    [
      "a name that models cannot call",
      { tools: [defineTool({ name: "a b", description: "", run: () => "" })] },
      "OJ_TOOL_SPEC",
      /"a b" cannot be the name/,
    ],
    ...[0, -1, Number.NaN].map((timeoutSeconds): [string, Partial<ToolExecutorOptions>, string, RegExp] => [
      `a tool with the deadline ${timeoutSeconds}`,
      { tools: [defineTool({ name: "t", description: "", timeoutSeconds, run: () => "" })] },
      "OJ_TOOL_SPEC",
      /timeoutSeconds must be more than 0/,
    ]),
  ])("refuses %s", (_name, options, code, message) => {
    expect(() => setUp(options)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
