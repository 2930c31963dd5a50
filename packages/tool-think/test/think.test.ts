import { BaseTool, buildToolDescriptions, ToolExecutor, ToolRegistry } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ThinkTool } from "../src/index.js";

describe("ThinkTool", () => {
  it("is registered as think", () => {
    expect(ToolRegistry.get("think")).toBe(ThinkTool);
    const tool = ToolRegistry.create("think");
    expect(tool).toBeInstanceOf(BaseTool);
    expect(tool).toMatchObject({ toolId: "think", isLocal: true });
  });

  it("describes itself to a model", () => {
    const tool = new ThinkTool();
    expect(tool.spec).toMatchObject({ name: "think", category: "reasoning" });
    expect(tool.toOpenAIFunction().function.parameters).toEqual({
      type: "object",
      properties: { thought: { type: "string", description: "The reasoning or thought process" } },
      required: ["thought"],
    });
    expect(buildToolDescriptions([tool])).toMatch(/^### think\nReasoning scratchpad/);
  });

  it("hands every thought back unchanged, at no cost", async () => {
    const tool = new ThinkTool();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary" }), async (thought) => {
        expect(await tool.execute({ thought })).toMatchObject({
          toolName: "think",
          content: thought,
          success: true,
          costUsd: 0,
          usage: {},
        });
      }),
    );
    const thought = "Let me break this problem into steps...";
    expect(await tool.execute({ thought })).toMatchObject({ content: thought, success: true });
  });

  it("answers a call of an executor", async () => {
    const executor = new ToolExecutor({ tools: [new ThinkTool()] });
    const result = await executor.execute({
      id: "call_1",
      name: "think",
      arguments: '{"thought": "units first"}',
    });
    expect(result).toMatchObject({ content: "units first", success: true });
  });

  it("names the field when there is no thought", async () => {
    expect(await new ThinkTool().execute({})).toMatchObject({
      content: expect.stringContaining("thought"),
      success: false,
      metadata: { code: "OJ_TOOL_ARGUMENTS" },
    });
  });
});
