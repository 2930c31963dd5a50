import { type InferenceOptions, type Message, textOf, truncateEnd } from "@openjarvis/core";

const charactersPerToken = 4;

/** Tokens a text of this many characters would be for a typical model. */
export function estimateTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** The characters of messages and the calls in them. */
export function charactersOf(messages: readonly Message[]): number {
  let total = 0;
  for (const message of messages) {
    total += textOf(message).length;
    for (const call of message.toolCalls ?? []) total += call.name.length + call.arguments.length;
  }
  return total;
}

/** An answer as far as `stop` and `maxTokens` allow; `cut` says that the token limit ended it. */
export function limitText(
  text: string,
  { stop = [], maxTokens }: InferenceOptions,
): { text: string; cut: boolean } {
  const stops = stop.filter((mark) => mark !== "").map((mark) => text.indexOf(mark));
  const end = Math.min(text.length, ...stops.filter((at) => at >= 0));
  const stopped = text.slice(0, end);
  if (maxTokens === undefined) return { text: stopped, cut: false };
  const limited = truncateEnd(stopped, maxTokens * charactersPerToken);
  return { text: limited, cut: limited.length < stopped.length };
}
