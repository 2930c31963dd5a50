import { BaseTool, buildToolDescriptions, ToolExecutor, ToolRegistry } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { CalculatorTool } from "../src/index.js";

describe("CalculatorTool", () => {
  it("is registered as calculator", () => {
    expect(ToolRegistry.get("calculator")).toBe(CalculatorTool);
    const tool = ToolRegistry.create("calculator");
    expect(tool).toBeInstanceOf(BaseTool);
    expect(tool).toMatchObject({ toolId: "calculator", isLocal: true });
  });

  it("describes itself to a model as the documents show", () => {
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
    expect(buildToolDescriptions([new CalculatorTool()])).toBe(
      [
        "### calculator",
        "Evaluate a mathematical expression safely.",
        "Category: math",
        "Parameters:",
        "  - expression (string, required): Math expression to evaluate",
      ].join("\n"),
    );
  });

  it("answers with the value as text", async () => {
    expect(await new CalculatorTool().execute({ expression: "sqrt(144) + 3**2" })).toMatchObject({
      toolName: "calculator",
      content: "21.0",
      success: true,
      costUsd: 0,
    });
  });

  it("answers a call of an executor", async () => {
    const executor = new ToolExecutor({ tools: [new CalculatorTool()] });
    const result = await executor.execute({
      id: "call_1",
      name: "calculator",
      arguments: '{"expression": "2+2"}',
    });
    expect(result).toMatchObject({ content: "4", success: true });
  });

  it("fails in words for what has no value", async () => {
    const tool = new CalculatorTool();
    expect(await tool.execute({ expression: "1/0" })).toMatchObject({
      content: expect.stringMatching(/division by zero/i),
      success: false,
      metadata: { code: "OJ_TOOL_FAILED" },
    });
    expect(await tool.execute({ expression: "" })).toMatchObject({
      content: expect.stringContaining("No expression"),
      success: false,
    });
    expect(await tool.execute({ expression: "import os" })).toMatchObject({ success: false });
  });

  it("fails for arguments that are not an expression", async () => {
    const tool = new CalculatorTool();
    expect(await tool.execute({})).toMatchObject({
      content: expect.stringContaining("expression"),
      success: false,
      metadata: { code: "OJ_TOOL_ARGUMENTS" },
    });
    expect(await tool.execute({ expression: ["1+1"] })).toMatchObject({ success: false });
  });
});
