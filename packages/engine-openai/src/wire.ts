import { type InferenceDelta, toolCallDelta, type Usage } from "@openjarvis/core";

/** A message, or a piece of one, as the many servers of this protocol send it. */
export interface WireMessage {
  content?: string | readonly unknown[] | null;
  /** DeepSeek, vLLM, SGLang, llama.cpp. */
  reasoning_content?: string | null;
  /** OpenRouter, newer vLLM, Ollama. */
  reasoning?: string | null;
  refusal?: string | null;
  tool_calls?: readonly unknown[] | null;
  /** The form before tools. */
  function_call?: unknown;
}

/** A chunk of a stream, or a whole answer, whose choice has `message` in place of `delta`. */
export interface WireChunk {
  object?: string;
  model?: string;
  choices?:
    | readonly { delta?: WireMessage | null; message?: WireMessage | null; finish_reason?: string | null }[]
    | null;
  usage?: { prompt_tokens?: number; completion_tokens?: number; total_tokens?: number } | null;
}

/** The deltas of a message or a piece of one. */
export function messageDeltas(message: WireMessage): InferenceDelta[] {
  const deltas: InferenceDelta[] = [];
  const reasoning = message.reasoning_content || message.reasoning;
  if (typeof reasoning === "string" && reasoning !== "") deltas.push({ type: "reasoning", text: reasoning });
  if (typeof message.content === "string") {
    if (message.content !== "") deltas.push({ type: "text", text: message.content });
  } else if (Array.isArray(message.content)) {
    for (const part of message.content) deltas.push(...partDeltas(part));
  }
  if (message.refusal) deltas.push({ type: "text", text: message.refusal });
  for (const call of message.tool_calls ?? []) deltas.push(toolCallDelta(call));
  if (message.function_call) deltas.push({ ...toolCallDelta(message.function_call), index: 0 });
  return deltas;
}

/** Some servers (Mistral) send content in parts, of which reasoning is one. */
function partDeltas(part: unknown): InferenceDelta[] {
  if (typeof part !== "object" || part === null) return [];
  const { type, text, thinking } = part as { type?: unknown; text?: unknown; thinking?: unknown };
  if (type === "thinking" && Array.isArray(thinking)) {
    return thinking
      .flatMap(partDeltas)
      .map((delta) => (delta.type === "text" ? { ...delta, type: "reasoning" } : delta));
  }
  return typeof text === "string" && text !== "" ? [{ type: "text", text }] : [];
}

/** What the protocol's usage means here. */
export function usageOf(usage: NonNullable<WireChunk["usage"]>): Partial<Usage> {
  const counted: Partial<Usage> = {};
  if (typeof usage.prompt_tokens === "number") counted.promptTokens = usage.prompt_tokens;
  if (typeof usage.completion_tokens === "number") counted.completionTokens = usage.completion_tokens;
  if (typeof usage.total_tokens === "number") counted.totalTokens = usage.total_tokens;
  return counted;
}
