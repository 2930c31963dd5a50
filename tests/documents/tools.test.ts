import {
  BaseTool,
  buildToolDescriptions,
  EventBus,
  ToolExecutor,
  ToolRegistry,
  type ToolSpec,
} from "@openjarvis/core";
import { startOpenAIDouble } from "@openjarvis/testing";
import { CalculatorTool } from "@openjarvis/tool-calculator";
import { ThinkTool } from "@openjarvis/tool-think";
import { Jarvis } from "openjarvis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HermeticHome, hermeticHome, jarvisCommand } from "./jarvis-command.js";

/** The examples of the tools document, in TypeScript spelling, its commands as written. */

let home: HermeticHome;
beforeAll(() => {
  home = hermeticHome();
});
afterAll(() => home.remove());

describe("the contracts of the tools document", () => {
  it("converts a tool to OpenAI function-calling format", () => {
    expect(new CalculatorTool().toOpenAIFunction()).toEqual({
      type: "function",
      function: {
        name: "calculator",
        description: "Evaluate a mathematical expression safely.",
        parameters: {
          type: "object",
          properties: { expression: { type: "string", description: "Math expression to evaluate" } },
          required: ["expression"],
        },
      },
    });
  });

  it("executes a tool call and gives 4 for 2+2", async () => {
    const bus = new EventBus();
    const seen: unknown[] = [];
    bus.subscribe("TOOL_CALL_START", ({ data }) => seen.push(data));
    bus.subscribe("TOOL_CALL_END", ({ data }) => seen.push(data));
    const executor = new ToolExecutor({ tools: [new CalculatorTool(), new ThinkTool()], bus });
    expect(executor.getOpenAITools()).toHaveLength(2);
    expect(executor.availableTools().map(({ name }) => name)).toEqual(["calculator", "think"]);
    const result = await executor.execute({
      id: "call_1",
      name: "calculator",
      arguments: '{"expression": "2+2"}',
    });
    expect(result.content).toBe("4");
    expect(result.latencySeconds).toBeGreaterThan(0);
    expect(seen).toMatchObject([
      { tool: "calculator", arguments: { expression: "2+2" } },
      { tool: "calculator", success: true, latency: result.latencySeconds },
    ]);
  });

  it("captures an unknown tool, bad JSON and an exception as failed results", async () => {
    const executor = new ToolExecutor({ tools: [new CalculatorTool()] });
    for (const call of [
      { name: "nope", arguments: "{}" },
      { name: "calculator", arguments: "{bad" },
      { name: "calculator", arguments: '{"expression": "1/0"}' },
    ]) {
      expect(await executor.execute(call)).toMatchObject({ success: false });
    }
  });

  it("builds the descriptions of the document", () => {
    const description = buildToolDescriptions([new CalculatorTool(), new ThinkTool()]);
    expect(description).toContain(`### calculator
Evaluate a mathematical expression safely.
Category: math
Parameters:
  - expression (string, required): Math expression to evaluate

### think
Reasoning scratchpad`);
  });

  it("evaluates sqrt(144) + 3**2 as 21.0", async () => {
    expect(await new CalculatorTool().execute({ expression: "sqrt(144) + 3**2" })).toMatchObject({
      content: "21.0",
      success: true,
    });
  });

  it("echoes a thought", async () => {
    const thought = "Let me break this problem into steps...";
    expect(await new ThinkTool().execute({ thought })).toMatchObject({ content: thought, success: true });
  });
});

describe("a tool of one's own", () => {
  class MyTool extends BaseTool {
    readonly toolId = "my_tool";

    get spec(): ToolSpec {
      return {
        name: "my_tool",
        description: "A custom tool that does something useful.",
        parameters: {
          type: "object",
          properties: { input: { type: "string", description: "The input to process." } },
          required: ["input"],
        },
        category: "custom",
      };
    }

    override async execute(params: Record<string, unknown>) {
      return {
        toolName: "my_tool",
        content: `Processed: ${String(params.input ?? "")}`,
        success: true,
        usage: {},
        costUsd: 0,
        latencySeconds: 0,
        metadata: {},
      };
    }
  }

  // `@ToolRegistry.register("my_tool")` above the class does the same; core's tests compile and run it.
  ToolRegistry.register("my_tool")(MyTool);

  it("is registered and used with an agent", async () => {
    expect(ToolRegistry.get("my_tool")).toBe(MyTool);
    const call = { name: "my_tool", arguments: { input: "this data" } };
    await using server = await startOpenAIDouble({ replies: [{ toolCalls: [call] }, { text: "Done." }] });
    const j = new Jarvis({
      root: import.meta.url,
      env: home.env,
      config: { engine: { options: { openai: { baseUrl: server.url, apiKey: "none" } } } },
      projectDir: false,
      engine: "openai",
      model: "test-model",
    });
    const result = await j.askFull("Process this data", { agent: "orchestrator", tools: ["my_tool"] });
    expect(result).toMatchObject({
      content: "Done.",
      turns: 2,
      toolResults: [{ toolName: "my_tool", content: "Processed: this data", success: true }],
    });
    await j.close();
  });
});

describe("using tools with agents", () => {
  it.each([
    ["calculator", "What is 15% of 340?", "51"],
    ["calculator,think", "Solve: 2x + 5 = 13", "4"],
  ])("ask --agent orchestrator --tools %s %j", async (tools, question, answer) => {
    const { code, stdout } = await jarvisCommand(
      ["ask", "--agent", "orchestrator", "--tools", tools, question],
      home.env,
    );
    expect(stdout).toContain(answer);
    expect(code).toBe(0);
  });

  it("gives the area of a circle with radius 7 through the SDK", async () => {
    const j = new Jarvis({ root: import.meta.url, env: home.env, projectDir: false });
    const result = await j.askFull("What is the area of a circle with radius 7?", {
      agent: "orchestrator",
      tools: ["calculator", "think"],
    });
    expect(result.content).toContain("153.93804002");
    expect(result.toolResults.map((tr) => `${tr.toolName}: ${tr.success}`)).toEqual(["calculator: true"]);
    await j.close();
  });
});
