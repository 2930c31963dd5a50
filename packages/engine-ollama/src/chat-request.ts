import type { InferenceOptions, Message, ToolCall } from "@openjarvis/core";
import { textOf } from "@openjarvis/core";
import type { ChatRequest, Message as OllamaMessage, Tool } from "ollama";
import type { ResolvedOptions } from "./options.js";

/** The body of `/api/chat` for a conversation. */
export function chatRequest(
  messages: readonly Message[],
  { model, temperature, maxTokens, tools, stop }: InferenceOptions,
  { think, keepAlive, modelOptions }: Pick<ResolvedOptions, "think" | "keepAlive" | "modelOptions">,
  numCtx: number,
): ChatRequest & { stream: true } {
  return {
    model,
    messages: toOllamaMessages(messages),
    stream: true,
    options: {
      ...modelOptions,
      num_ctx: numCtx,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { num_predict: maxTokens }),
      ...(stop === undefined || stop.length === 0 ? {} : { stop: [...stop] }),
    },
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools as readonly Tool[] as Tool[] }),
    ...(think === undefined ? {} : { think }),
    ...(keepAlive === undefined ? {} : { keep_alive: keepAlive }),
  };
}

/** Messages as Ollama has them: tool-call arguments as objects, tool replies with the name of their tool. */
export function toOllamaMessages(messages: readonly Message[]): OllamaMessage[] {
  const toolNames = new Map<string, string>();
  return messages.map((message) => {
    const out: OllamaMessage = { role: message.role, content: textOf(message) };
    if (message.images !== undefined && message.images.length > 0) out.images = [...message.images];
    if (message.role === "assistant" && message.reasoning) out.thinking = message.reasoning;
    if (message.toolCalls !== undefined && message.toolCalls.length > 0) {
      for (const call of message.toolCalls) toolNames.set(call.id, call.name);
      out.tool_calls = message.toolCalls.map(toOllamaCall);
    }
    if (message.role === "tool") {
      const name = message.name ?? toolNames.get(message.toolCallId ?? "");
      if (name !== undefined) out.tool_name = name;
    }
    return out;
  });
}

function toOllamaCall(call: ToolCall): { function: { name: string; arguments: Record<string, unknown> } } {
  return { function: { name: call.name, arguments: argumentsObject(call.arguments) } };
}

/**
 * Arguments as an object, whatever text a model wrote: JSON, JSON inside a JSON string, nothing at all, null. Text that is no
 * object is kept under one key, so that the model can see what it wrote.
 */
export function argumentsObject(text: string): Record<string, unknown> {
  if (text.trim() === "") return {};
  let value: unknown = text;
  for (let depth = 0; depth < 2 && typeof value === "string"; depth += 1) {
    try {
      value = JSON.parse(value);
    } catch {
      break;
    }
  }
  if (value === null) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return { arguments: value };
}
