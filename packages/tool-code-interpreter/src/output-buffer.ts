import { truncateEnd } from "@openjarvis/core";

/** Text that arrives in pieces, of which head and tail are kept. */
export class OutputBuffer {
  readonly #limit: number;
  #head = "";
  #tail = "";
  #total = 0;

  /** @param limit most characters of {@link text}, at least 100 */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get truncated(): boolean {
    return this.#total > this.#limit;
  }

  /** What arrived, at most the limit; a mark stands for what is left out. */
  get text(): string {
    if (!this.truncated) return this.#head;
    const room = this.#limit - 60;
    const headRoom = Math.ceil(room * 0.7);
    const head = truncateEnd(this.#head, headRoom);
    // Half a character at the start of the tail is no text.
    const tail = (this.#head + this.#tail).slice(headRoom - room).replace(/^[\uDC00-\uDFFF]/, "");
    const missing = this.#total - head.length - tail.length;
    return `${head}\n[… output truncated: ${missing} characters …]\n${tail}`;
  }

  add(text: string): void {
    this.#total += text.length;
    const room = this.#limit - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Cutting at every piece would copy the tail again and again.
    if (this.#tail.length > 2 * this.#limit) this.#tail = this.#tail.slice(-this.#limit);
  }
}
