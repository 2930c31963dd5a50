import { type BaseTool, defineTool, type ToolContext, type ToolSpec } from "@openjarvis/core";

/** A tool that notes its calls. */
export interface SpyTool {
  readonly tool: BaseTool;
  /** The parameters of each call that ran, in order. */
  readonly calls: readonly Record<string, unknown>[];
}

/** Options of {@link spyTool}: fields of the tool's spec, and what a call does. */
export interface SpyToolOptions extends Partial<Omit<ToolSpec, "name" | "parameters">> {
  /** @default gives back `text` of the parameters */
  run?: (params: { text: string }, ctx: ToolContext) => unknown;
}

const parameters = {
  type: "object",
  properties: { text: { type: "string", description: "Any text" } },
  required: ["text"],
} as const;

/** Makes a tool with one required parameter `text`. */
export function spyTool(name: string, options: SpyToolOptions = {}): SpyTool {
  const { run = ({ text }) => text, ...spec } = options;
  const calls: Record<string, unknown>[] = [];
  const tool = defineTool({
    description: "Gives a text back.",
    ...spec,
    name,
    parameters,
    run(params, ctx) {
      calls.push(params);
      return run(params, ctx);
    },
  });
  return { tool, calls };
}
