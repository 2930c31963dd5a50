import type { StreamRest } from "../protocol.js";

/** The share of a cut text that its head gets; the rest is its tail. */
const headShare = 0.7;
/** Characters that are collected before they are sent. */
const batchChars = 16_384;
/** First characters of a cell that are sent at once: a cell that has to be killed may not come to sending them later. */
const promptChars = 4_096;

/**
 * One output stream of a cell. Its head is sent as it comes, so that the host has it even when the interpreter has to
 * be killed; of the rest only the tail is kept. Memory does not grow with the output.
 */
export class OutputSink {
  readonly #send: (text: string) => void;
  #headRoom = 0;
  #tailChars = 0;
  #batch = "";
  #tail: string[] = [];
  #tailHeld = 0;
  #total = 0;
  #muted = false;

  constructor(send: (text: string) => void) {
    this.#send = send;
  }

  /** Starts a cell of whose output at most `maxChars` characters are wanted. */
  begin(maxChars: number): void {
    this.#headRoom = Math.ceil(maxChars * headShare);
    // A whole limit of tail: when the other stream leaves room, the host can show all of it.
    this.#tailChars = maxChars;
    this.#batch = "";
    this.#tail = [];
    this.#tailHeld = 0;
    this.#total = 0;
    this.#muted = false;
  }

  /** Ignores what is written until the next cell. */
  mute(): void {
    this.#muted = true;
  }

  /** Adds a text, then `skipped` characters that are left out, then `tail`. */
  write(text: string, skipped = 0, tail = ""): void {
    this.#append(text);
    this.#total += skipped;
    // What was skipped lies between: what is kept of the tail must not pretend to be continuous.
    if (skipped > 0) {
      this.#tail = [];
      this.#tailHeld = 0;
      this.#headRoom = 0;
    }
    if (tail !== "") this.#append(tail);
  }

  /** Sends what is collected. */
  flush(): void {
    if (this.#batch === "") return;
    const text = this.#batch;
    this.#batch = "";
    this.#send(text);
  }

  /** What comes after the head; ends the cell. */
  finish(): StreamRest {
    this.flush();
    const tail = this.#tail.join("").slice(-this.#tailChars);
    return { total: this.#total, tail: this.#tailChars === 0 ? "" : tail };
  }

  #append(text: string): void {
    if (this.#muted) return;
    this.#total += text.length;
    let rest = text;
    if (this.#headRoom > 0) {
      const cut = text.slice(0, this.#headRoom);
      // A character that would be parted goes to the tail whole: halves do not survive the way to the host.
      const parts = cut.length < text.length && /[\ud800-\udbff]$/.test(cut);
      const head = parts ? cut.slice(0, -1) : cut;
      this.#headRoom = parts ? 0 : this.#headRoom - head.length;
      this.#batch += head;
      if (this.#total <= promptChars || this.#batch.length >= batchChars) this.flush();
      rest = text.slice(head.length);
    }
    if (rest === "") return;
    const kept = rest.length > this.#tailChars ? rest.slice(rest.length - this.#tailChars) : rest;
    this.#tail.push(kept);
    this.#tailHeld += kept.length;
    if (this.#tailHeld > 2 * this.#tailChars + batchChars) {
      const tail = this.#tail.join("").slice(-this.#tailChars || undefined);
      this.#tail = [tail];
      this.#tailHeld = tail.length;
    }
  }
}
