import { type AgentResult, addUsage, errorText, type ToolResult, type Usage } from "@openjarvis/core";
import type { AskResult } from "./options.js";
import { toSnakeCase } from "./spelling.js";

/** What an ask adds to the result of its agent. */
export interface AskFacts {
  engine: string;
  engineReason: string;
  agent: string;
  warnings: readonly string[];
}

/** The result of an ask, from that of its agent. */
export function toAskResult(result: AgentResult, facts: AskFacts): AskResult {
  const warnings = [...facts.warnings, ...(result.metadata.warnings ?? [])];
  const metadata = { ...result.metadata, ...(warnings.length > 0 ? { warnings } : {}) };
  const usage = { ...result.metadata.usage };
  for (const tool of result.toolResults) addUsage(usage, usageOf(tool));
  return {
    content: result.content,
    usage,
    toolResults: result.toolResults,
    turns: result.turns,
    model: metadata.model,
    engine: facts.engine,
    engineReason: facts.engineReason,
    agent: facts.agent,
    stopReason: metadata.stopReason,
    metadata,
  };
}

/**
 * A result as it leaves the process: plain JSON with snake_case keys. Keys inside a tool call's arguments, and whatever
 * else a user or model named, stay as they are.
 */
export function askResultToJson(result: AskResult): Record<string, unknown> {
  return {
    content: result.content,
    turns: result.turns,
    tool_results: result.toolResults.map((tool) => ({
      tool_name: tool.toolName,
      content: tool.content,
      success: tool.success,
      usage: snakeCased(tool.usage),
      cost_usd: tool.costUsd,
      latency_seconds: tool.latencySeconds,
      metadata: snakeCased(tool.metadata),
    })),
    usage: snakeCased(result.usage),
    model: result.model,
    engine: result.engine,
    engine_reason: result.engineReason,
    agent: result.agent,
    stop_reason: result.stopReason,
    metadata: { ...snakeCased(result.metadata), usage: snakeCased(result.metadata.usage) },
  };
}

function usageOf({ usage }: ToolResult): Usage {
  const count = (key: string): number => {
    const value = usage[key];
    return typeof value === "number" && Number.isFinite(value) ? value : 0;
  };
  const promptTokens = count("promptTokens");
  const completionTokens = count("completionTokens");
  return {
    promptTokens,
    completionTokens,
    totalTokens: count("totalTokens") || promptTokens + completionTokens,
  };
}

/** Renames the outermost keys only. */
function snakeCased(facts: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [toSnakeCase(key), toJson(value, [])]),
  );
}

/** What `JSON.stringify` can write; metadata of tools may hold anything. */
function toJson(value: unknown, above: readonly object[]): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value) || above.length > 100) return "[not shown: nested in itself or too deep]";
  const path = [...above, value];
  if (value instanceof Error) return value.message;
  if (value instanceof Map) return toJson(Object.fromEntries(value), path);
  if (value instanceof Set) return toJson([...value], path);
  if ("toJSON" in value && typeof value.toJSON === "function") return ownJson(value.toJSON.bind(value), path);
  if (Array.isArray(value)) return value.map((item) => toJson(item, path) ?? null);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJson(item, path)]));
}

function ownJson(convert: () => unknown, path: readonly object[]): unknown {
  try {
    return toJson(convert(), path);
  } catch (error) {
    return `[not shown: ${errorText(error)}]`;
  }
}
