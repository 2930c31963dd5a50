import { type Message, textOf } from "@openjarvis/core";
import type { Exchange } from "../conversation.js";
import type { TextForm, WrittenCall } from "./text-form.js";

/** A conversation in a form of text as it stands. */
export interface Transcript {
  exchange: Exchange;
  /** The exchange before it, when the last user message stands right after results and may only ask to answer. */
  earlier: Exchange | undefined;
}

/**
 * Reads who said what. A user message is results when it begins as they do and stands right behind calls; it is a
 * correction when it holds the words of one; any other asks something, and the one right after results may ask nothing
 * new.
 */
export function readTranscript(messages: readonly Message[], form: TextForm): Transcript {
  let exchange: Exchange = { question: "", history: [], outcomes: [] };
  let earlier: Exchange | undefined;
  let asked = false;
  let calls: WrittenCall[] = [];
  let isOpen = false;
  for (const [index, message] of messages.entries()) {
    const text = textOf(message);
    if (message.role === "assistant") {
      calls = form.callsIn(text);
      isOpen = false;
    }
    if (message.role !== "user") continue;
    const results = asked && calls.length > 0 ? form.resultsIn(text, calls) : undefined;
    calls = [];
    if (results !== undefined) {
      exchange.outcomes.push(...results);
      isOpen = true;
    } else if (asked && form.isCorrection(text)) {
      isOpen = true;
    } else {
      earlier = isOpen ? exchange : undefined;
      exchange = { question: text, history: messages.slice(0, index), outcomes: [] };
      asked = true;
      isOpen = false;
    }
  }
  return { exchange, earlier };
}
