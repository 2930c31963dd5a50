import { type InferenceDelta, toolCallDelta, type Usage } from "@openjarvis/core";
import type { ChatResponse } from "ollama";

/** A tool call of Ollama, which always comes whole; without arguments it would look unfinished to who collects it. */
export function wholeCall(call: unknown): InferenceDelta {
  const delta = toolCallDelta(call);
  return { ...delta, arguments: delta.arguments ?? {} };
}

/** What the last chunk of an answer reports. */
export function ending(chunk: ChatResponse, asked: string): InferenceDelta[] {
  const usage: Partial<Usage> = {};
  if (typeof chunk.prompt_eval_count === "number") usage.promptTokens = chunk.prompt_eval_count;
  if (typeof chunk.eval_count === "number") usage.completionTokens = chunk.eval_count;
  const deltas: InferenceDelta[] = [
    { type: "usage", usage },
    { type: "finish", reason: chunk.done_reason },
  ];
  if (chunk.model && chunk.model !== asked) deltas.unshift({ type: "model", model: chunk.model });
  return deltas;
}
