import type { Message } from "@openjarvis/core";
import type { RunFlags } from "../run-flags.js";

/** The state of a chat: who answers, and what was said. */
export class ChatSession {
  readonly flags: RunFlags;
  #messages: readonly Message[] = [];

  constructor(flags: RunFlags) {
    this.flags = { ...flags };
  }

  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Notes a turn that was answered; one that was not leaves nothing behind. */
  add(question: string, answer: string): void {
    this.#messages = [
      ...this.#messages,
      { role: "user", content: question },
      { role: "assistant", content: answer },
    ];
  }

  clear(): void {
    this.#messages = [];
  }
}
