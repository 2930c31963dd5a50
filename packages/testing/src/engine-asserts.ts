import assert from "node:assert/strict";
import {
  errorText,
  type InferenceEngine,
  type InferenceOptions,
  type InferenceResult,
  isJarvisError,
} from "@openjarvis/core";
import { settled } from "./check.js";
import type { EngineReply } from "./engine-reply.js";

/** Runs a body with a fresh engine and closes it afterwards. */
export type WithEngine = (
  replies: readonly EngineReply[],
  body: (engine: InferenceEngine, options: InferenceOptions) => Promise<void>,
) => () => Promise<void>;

/** Fails unless a call ends with `OJ_ABORTED` within the time. */
export async function assertAborted(call: Promise<unknown>, seconds: number): Promise<void> {
  let error: unknown;
  try {
    await settled(call, seconds, "The cancelled call");
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error !== undefined, "a cancelled call gave an answer");
  assert.ok(isJarvisError(error, "OJ_ABORTED"), `a cancelled call ended with: ${errorText(error)}`);
}

/** Fails unless a result has the form every engine gives. */
export function assertUniform(result: InferenceResult): void {
  const { content, reasoning, toolCalls, usage, finishReason, model, warnings } = result;
  for (const text of [content, reasoning, model]) assert.equal(typeof text, "string");
  assert.notEqual(model, "", "the answer does not say which model gave it");
  assert.ok(finishReasons.includes(finishReason), `finishReason is ${finishReason}`);
  assert.ok(Array.isArray(warnings), "warnings must be a list");
  for (const count of [usage.promptTokens, usage.completionTokens, usage.totalTokens]) {
    assert.ok(Number.isInteger(count) && count >= 0, `a count of tokens is ${count}`);
  }
  for (const call of toolCalls) {
    assert.ok(call.id !== "" && call.name !== "", "a tool call has no id or no name");
    assert.equal(typeof call.arguments, "string", "arguments must be JSON text");
  }
  assert.equal(new Set(toolCalls.map(({ id }) => id)).size, toolCalls.length, "tool calls share an id");
}

const finishReasons: readonly string[] = ["stop", "length", "tool_calls", "content_filter", "other"];
