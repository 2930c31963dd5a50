import { bracketEnd } from "../json-scan.js";
import { parseLooseJson } from "../loose-json.js";

/** JSON found in a text, and the index after it; or why it cannot be read. */
export type JsonAt = { ok: true; value: unknown; end: number } | { ok: false; reason: string };

/** Searches one text from front to back, so that what is not there is looked for only once. */
export class TextSearch {
  readonly #text: string;
  readonly #found = new Map<string, number>();
  #unbalanced = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** The index of a text at or after `from`, or -1. */
  find(wanted: string, from: number): number {
    const known = this.#found.get(wanted);
    if (known !== undefined && (known < 0 || known >= from)) return known;
    const at = this.#text.indexOf(wanted, from);
    this.#found.set(wanted, at);
    return at;
  }

  /**
   * Reads the JSON that begins at `start`. `close` is where a mark ends it, or -1: what stands before a mark is whole,
   * so that brackets missing there are added.
   */
  json(start: number, close: number): JsonAt {
    const limit = close < 0 ? this.#text.length : close;
    const near = bracketEnd(this.#text, start, limit);
    const read = near > 0 ? parseLooseJson(this.#text.slice(start, near)) : undefined;
    if (read?.ok === true) return { ok: true, value: read.value, end: near };
    if (close < 0) return { ok: false, reason: read?.reason ?? "The JSON is not closed." };
    const whole = parseLooseJson(this.#text.slice(start, limit), { closeBrackets: true });
    if (whole.ok) return { ok: true, value: whole.value, end: limit };
    // The mark may stand in a string.
    const far = this.#unbalanced ? -1 : bracketEnd(this.#text, start);
    this.#unbalanced ||= far < 0;
    const beyond = far > limit ? parseLooseJson(this.#text.slice(start, far)) : whole;
    return beyond.ok ? { ok: true, value: beyond.value, end: far } : { ok: false, reason: whole.reason };
  }
}
