import type { ErrorCode } from "./error-codes.js";
import { errorText, isJarvisError } from "./errors.js";
import { failedResult, type ToolOutput, type ToolResult } from "./tool-types.js";

/** The result of whatever a tool's `run` returned. */
export function resultOf(toolName: string, output: unknown): ToolResult {
  if (typeof output === "string") return succeeded(toolName, output);
  if (isOutputObject(output)) {
    return {
      toolName,
      content: output.content,
      success: output.success ?? true,
      usage: output.usage ?? {},
      costUsd: output.costUsd ?? 0,
      latencySeconds: 0,
      metadata: codedMetadata(output),
    };
  }
  if (output === undefined || output === null) return succeeded(toolName, "");
  if (typeof output !== "object") return succeeded(toolName, String(output));
  return succeeded(toolName, JSON.stringify(output, bigintAsText) ?? String(output));
}

/** A complete result of what an overridden `execute` returned. */
export function completeResult(toolName: string, value: unknown): ToolResult {
  const result = value as Partial<ToolResult> | null | undefined;
  if (typeof result !== "object" || result === null || typeof result.content !== "string") {
    return failedResult(
      toolName,
      `Tool "${toolName}" returned no result with a text in "content".`,
      "OJ_TOOL_FAILED",
    );
  }
  return {
    toolName: result.toolName ?? toolName,
    content: result.content,
    success: result.success ?? true,
    usage: result.usage ?? {},
    costUsd: result.costUsd ?? 0,
    latencySeconds: 0,
    metadata: codedMetadata(result),
  };
}

/** A copy of the metadata, with a code when the call failed: programs tell failures apart by it. */
function codedMetadata({ success, metadata }: Partial<ToolResult>): Record<string, unknown> {
  const code: ErrorCode = "OJ_TOOL_FAILED";
  return success === false ? { code, ...metadata } : { ...metadata };
}

function isOutputObject(value: unknown): value is Exclude<ToolOutput, string> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { content?: unknown }).content === "string"
  );
}

function succeeded(toolName: string, content: string): ToolResult {
  return { toolName, content, success: true, usage: {}, costUsd: 0, latencySeconds: 0, metadata: {} };
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** The failed result of something a tool threw. */
export function failureOf(toolName: string, error: unknown): ToolResult {
  if (isJarvisError(error)) return failedResult(toolName, error.message, error.code, error.details);
  return failedResult(toolName, errorText(error), "OJ_TOOL_FAILED");
}
