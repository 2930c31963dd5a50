import type { Message } from "./message.js";
import { truncateMiddle } from "./text.js";

/** Tokens of a message, estimated at four characters each with four for its frame. */
export function estimateTokens(message: Message): number {
  let chars = (message.content?.length ?? 0) + (message.reasoning?.length ?? 0) + (message.name?.length ?? 0);
  for (const call of message.toolCalls ?? [])
    chars += call.id.length + call.name.length + call.arguments.length;
  return Math.ceil(chars / 4) + 4;
}

/**
 * The messages of a run, within a budget of tokens.
 *
 * - `messages` is one growing list; it is handed to engines as it is, so that a long run copies nothing.
 * - When the budget is exceeded, the outputs of old tool calls shrink first, then the oldest exchanges go. A tool
 *   result never outlives its call, and the system prompt, the question and the last exchange stay whole.
 */
export class MessageHistory {
  readonly messages: Message[];
  /** The user's question of this run. */
  readonly #question: Message | undefined;
  /** Messages that say what calls brought: tool messages, and the observations of agents that speak in text. */
  readonly #observations = new WeakSet<Message>();
  #tokens = 0;

  constructor(messages: readonly Message[]) {
    this.messages = [...messages];
    this.#question = this.messages.findLast((message) => message.role === "user");
    for (const message of this.messages) this.#tokens += estimateTokens(message);
  }

  /** Estimated tokens of all messages. */
  get tokens(): number {
    return this.#tokens;
  }

  add(message: Message): void {
    this.messages.push(message);
    this.#tokens += estimateTokens(message);
  }

  /** Adds a user message that says what calls brought; it shrinks and goes like a tool message. */
  addObservation(message: Message): void {
    this.#observations.add(message);
    this.add(message);
  }

  #isObservation(message: Message | undefined): boolean {
    return message !== undefined && (message.role === "tool" || this.#observations.has(message));
  }

  /** Brings the history under `budget` tokens as far as that can be done, and says whether it changed anything. */
  fit(budget: number): boolean {
    if (this.#tokens <= budget) return false;
    const before = this.#tokens;
    for (const limit of [2_000, 400]) {
      if (this.#tokens > budget) this.#shrinkToolOutputs(budget, limit);
    }
    while (this.#tokens > budget && this.#dropOldest());
    return this.#tokens < before;
  }

  #shrinkToolOutputs(budget: number, limit: number): void {
    const end = this.#lastExchangeStart();
    for (let index = 0; index < end && this.#tokens > budget; index += 1) {
      const message = this.messages[index];
      if (message === undefined || !this.#isObservation(message)) continue;
      if ((message.content?.length ?? 0) <= limit) continue;
      this.#replace(index, message, { ...message, content: truncateMiddle(message.content ?? "", limit) });
    }
  }

  #replace(index: number, before: Message, after: Message): void {
    this.#tokens += estimateTokens(after) - estimateTokens(before);
    if (this.#observations.has(before)) this.#observations.add(after);
    this.messages[index] = after;
  }

  /** Drops the oldest message that may go, with the tool results that answer it. */
  #dropOldest(): boolean {
    const end = this.#lastExchangeStart();
    const start = this.messages.findIndex(
      (message, index) => index < end && message.role !== "system" && message !== this.#question,
    );
    if (start < 0) return false;
    let after = start + 1;
    while (after < end && this.#isObservation(this.messages[after])) after += 1;
    for (const message of this.messages.splice(start, after - start)) this.#tokens -= estimateTokens(message);
    return true;
  }

  /** Where the last assistant message with its tool results begins; the end when the run has none yet. */
  #lastExchangeStart(): number {
    const question = this.#question === undefined ? -1 : this.messages.indexOf(this.#question);
    for (let index = this.messages.length - 1; index > question; index -= 1) {
      if (this.messages[index]?.role === "assistant") return index;
    }
    return this.messages.length;
  }
}
