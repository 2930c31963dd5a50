import type { ErrorCode } from "./error-codes.js";
import type { BaseTool } from "./tool.js";
import { failedResult, type ToolResult } from "./tool-types.js";
import type { Validation } from "./validate.js";

/** A tool call on its way to being run. */
export interface Draft {
  callId: string;
  name: string;
  /** The parsed arguments, or what the model wrote in their place. */
  arguments: unknown;
}

/** A call that is ready to be performed. */
export interface Prepared extends Draft {
  /** What runs, or the result of a call that cannot. */
  work: { tool: BaseTool; params: Record<string, unknown> } | ToolResult;
}

/** A call that will not run. */
export function refuse({ callId, name, arguments: args }: Draft, content: string, code: ErrorCode): Prepared {
  return { callId, name, arguments: args, work: failedResult(name, content, code) };
}

/** A call that may run with the arguments that were checked; a refused one when they are wrong. */
export function accept(draft: Draft, tool: BaseTool, checked: Validation): Prepared {
  if (!checked.ok) return refuse(draft, `Invalid arguments: ${checked.message}`, "OJ_TOOL_ARGUMENTS");
  const { callId, name } = draft;
  return { callId, name, arguments: checked.value, work: { tool, params: checked.value } };
}
