import { type Message, textOf } from "@openjarvis/core";
import type { ToolOutcome } from "./plan.js";

/** What a conversation asks now. */
export interface Exchange {
  /** The question; empty when nobody asked anything. */
  question: string;
  /** The messages before the question. */
  history: readonly Message[];
  /** The tool calls answered since the question, in the order of the calls. */
  outcomes: ToolOutcome[];
}

/**
 * Splits a conversation at a user message: the last one, or the one before the last tool results.
 *
 * @param beforeTools whether the last user message is passed over when tool results stand right before it, as a
 *   request to answer from them does
 */
export function readExchange(messages: readonly Message[], { beforeTools = false } = {}): Exchange {
  let index = messages.findLastIndex((message) => message.role === "user");
  if (beforeTools && messages[index - 1]?.role === "tool") {
    const earlier = messages.findLastIndex((message, at) => at < index && message.role === "user");
    index = earlier >= 0 ? earlier : index;
  }
  const message = messages[index];
  if (message === undefined) return { question: "", history: [], outcomes: outcomesIn(messages) };
  return {
    question: textOf(message),
    history: messages.slice(0, index),
    outcomes: outcomesIn(messages.slice(index + 1)),
  };
}

/** Whether the last user message stands right after tool results. */
export function followsTools(messages: readonly Message[]): boolean {
  const index = messages.findLastIndex((message) => message.role === "user");
  return messages[index - 1]?.role === "tool";
}

function outcomesIn(messages: readonly Message[]): ToolOutcome[] {
  const calls = new Map<string, { name: string; arguments: string }>();
  const outcomes: ToolOutcome[] = [];
  for (const message of messages) {
    for (const call of message.toolCalls ?? []) calls.set(call.id, call);
    if (message.role !== "tool") continue;
    const call = message.toolCallId === undefined ? undefined : calls.get(message.toolCallId);
    const content = textOf(message);
    outcomes.push({
      tool: call?.name ?? message.name ?? "",
      arguments: call?.arguments ?? "",
      content,
      failed: message.metadata?.success === false || /^\s{0,3}Error\b/.test(content),
    });
  }
  return outcomes;
}
