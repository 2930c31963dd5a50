import { type InferenceOptions, JarvisError, type Message, type ToolCall, textOf } from "@openjarvis/core";
import type { OpenAI } from "openai";

type WireMessage = OpenAI.Chat.ChatCompletionMessageParam;

/** The body of a streamed `/chat/completions` request. */
export type ChatBody = OpenAI.Chat.ChatCompletionCreateParamsStreaming;

/** The body for a conversation. `newLimit` tells a server that knows `max_completion_tokens` alone. */
export function chatBody(
  messages: readonly Message[],
  { model, temperature, maxTokens, tools, stop }: InferenceOptions,
  { modelOptions, newLimit }: { modelOptions: Readonly<Record<string, unknown>>; newLimit: boolean },
): ChatBody {
  return {
    ...modelOptions,
    model,
    messages: toOpenAIMessages(messages),
    stream: true,
    stream_options: { include_usage: true },
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined
      ? {}
      : newLimit
        ? { max_completion_tokens: maxTokens }
        : { max_tokens: maxTokens }),
    ...(stop === undefined || stop.length === 0 ? {} : { stop: [...stop] }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: [...tools] }),
  };
}

/** Messages as Chat Completions has them: arguments as JSON text, images as content parts. */
export function toOpenAIMessages(messages: readonly Message[]): WireMessage[] {
  return messages.map((message) => {
    const content = textOf(message);
    const images = message.images ?? [];
    if (images.length > 0 && message.role !== "user") {
      throw new JarvisError(
        "OJ_ENGINE_BAD_REQUEST",
        `Only user messages can carry images; this one is of role "${message.role}".`,
      );
    }
    switch (message.role) {
      case "system":
        return { role: "system", content };
      case "tool":
        return { role: "tool", tool_call_id: message.toolCallId ?? "", content };
      case "assistant":
        return assistantMessage(message);
      default:
        return { role: "user", content: images.length === 0 ? content : contentParts(content, images) };
    }
  });
}

function assistantMessage(message: Message): WireMessage {
  const content = textOf(message);
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) return { role: "assistant", content };
  return { role: "assistant", content: content === "" ? null : content, tool_calls: calls.map(wireCall) };
}

function wireCall({
  id,
  name,
  arguments: text,
}: ToolCall): OpenAI.Chat.ChatCompletionMessageFunctionToolCall {
  return { id, type: "function", function: { name, arguments: argumentsText(text) } };
}

/**
 * Arguments as the JSON text of an object, whatever a model wrote: servers that fill a template parse the history again
 * and fail at anything else. Text that is one already is kept to the letter; text that is none is kept under one key.
 */
export function argumentsText(text: string): string {
  const value = text.trim() === "" ? null : parsed(text);
  if (value === null) return "{}";
  if (isObject(value)) return text;
  const inner = typeof value === "string" ? parsed(value) : undefined;
  return JSON.stringify(isObject(inner) ? inner : { arguments: value ?? text });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function contentParts(text: string, images: readonly string[]): OpenAI.Chat.ChatCompletionContentPart[] {
  const parts: OpenAI.Chat.ChatCompletionContentPart[] = images.map((image) => ({
    type: "image_url",
    image_url: { url: `data:${imageType(image)};base64,${image}` },
  }));
  return text === "" ? parts : [{ type: "text", text }, ...parts];
}

/** The media type of base64 image data, by the first bytes of each format; PNG when they are unknown. */
function imageType(base64: string): string {
  if (base64.startsWith("/9j/")) return "image/jpeg";
  if (base64.startsWith("R0lGOD")) return "image/gif";
  if (base64.startsWith("UklGR")) return "image/webp";
  return "image/png";
}
