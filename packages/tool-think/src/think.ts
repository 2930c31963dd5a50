import { BaseTool, type ToolSpec } from "@openjarvis/core";

const parameters = {
  type: "object",
  properties: {
    thought: { type: "string", description: "The reasoning or thought process" },
  },
  required: ["thought"],
} as const;

/**
 * The tool `think`: hands a thought back as its result, so that a model can reason inside a tool-calling loop. It
 * costs nothing and never fails.
 *
 * @example
 * await new ThinkTool().execute({ thought: "First the units." }); // { content: "First the units.", success: true, … }
 */
export class ThinkTool extends BaseTool {
  readonly toolId = "think";

  get spec(): ToolSpec {
    return {
      name: "think",
      description:
        "Reasoning scratchpad for thinking step by step before acting. The thought is returned unchanged; nothing else happens.",
      parameters,
      category: "reasoning",
      costEstimate: 0,
    };
  }

  protected override run({ thought }: { thought: string }): string {
    return thought;
  }
}
