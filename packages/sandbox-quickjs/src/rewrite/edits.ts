/**
 * Changes to a text that are laid over it when it is rendered. What is opened first stays outside of what is opened at
 * the same place later. No change adds or removes a line break, so that line numbers stay those of the text.
 */
export class Edits {
  readonly #text: string;
  readonly #opened = new Map<number, string>();
  readonly #closed = new Map<number, string>();
  readonly #replaced = new Map<number, { end: number; by: string }>();

  constructor(text: string) {
    this.#text = text;
  }

  /** Puts `added` before position `at`. */
  open(at: number, added: string): void {
    this.#opened.set(at, (this.#opened.get(at) ?? "") + added);
  }

  /** Puts `added` after what ends at position `at`. */
  close(at: number, added: string): void {
    this.#closed.set(at, added + (this.#closed.get(at) ?? ""));
  }

  /** Puts `by` in place of a range; changes inside the range are dropped. */
  replace(start: number, end: number, by: string): void {
    this.#replaced.set(start, { end, by });
  }

  /** The changed text of a range. */
  render(start = 0, end = this.#text.length): string {
    const places = new Set([...this.#opened.keys(), ...this.#closed.keys(), ...this.#replaced.keys()]);
    let result = "";
    let at = start;
    for (const place of [...places].filter((p) => p >= start && p <= end).sort((a, b) => a - b)) {
      if (place < at) continue;
      result += this.#text.slice(at, place);
      at = place;
      // What ends at the start of a range, and what begins at its end, lie outside of it.
      if (place > start) result += this.#closed.get(place) ?? "";
      if (place < end) result += this.#opened.get(place) ?? "";
      const replaced = place < end ? this.#replaced.get(place) : undefined;
      if (replaced === undefined) continue;
      result += replaced.by;
      at = replaced.end;
    }
    return result + this.#text.slice(at, end);
  }
}

/** A text of the same lines with nothing on them. */
export function blank(text: string): string {
  return text.replace(/[^\n\r\u2028\u2029]+/g, (run) => " ".repeat(run.length));
}
