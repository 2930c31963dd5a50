import { BaseTool, type ToolSpec } from "@openjarvis/core";
import { evaluate } from "./evaluate.js";

const parameters = {
  type: "object",
  properties: {
    expression: { type: "string", description: "Math expression to evaluate" },
  },
  required: ["expression"],
} as const;

/**
 * The tool `calculator`: evaluates arithmetic without running code.
 *
 * - A value is the content of a successful result: `4` for an integer, `21.0` for a float.
 * - Whatever has no value is a failed result that says what is wrong and how to write it.
 *
 * @example
 * await new CalculatorTool().execute({ expression: "2 + 3 * 4" }); // { content: "14", success: true, … }
 */
export class CalculatorTool extends BaseTool {
  readonly toolId = "calculator";

  get spec(): ToolSpec {
    return {
      name: "calculator",
      description: "Evaluate a mathematical expression safely.",
      parameters,
      category: "math",
    };
  }

  protected override run({ expression }: { expression: string }): Promise<string> {
    return evaluate(expression);
  }
}
