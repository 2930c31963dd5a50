import type { FenceClosers } from "../fences.js";
import { bracketEnd, skipSpace } from "../json-scan.js";
import { parseLooseJson } from "../loose-json.js";
import { jsonText } from "../strict-json.js";

/** The value of an input label. */
export interface LabelledInput {
  /** As it was written, without a fence around it; as JSON, if closing brackets were missing. */
  text: string;
  /** Where it ends in the reply. */
  end: number;
  /** Whether its own end shows that nothing is missing. */
  complete: boolean;
}

/** Reads inputs one after the other. */
export class InputReader {
  readonly #text: string;
  readonly #closers: FenceClosers;
  /** Set once an object has been looked for beyond its label in vain, so that no text is searched again and again. */
  #unbalanced = false;
  readonly #isWhole: boolean;

  /** `isWhole` says that nothing was cut off at the end of the text. */
  constructor(text: string, { closers, isWhole }: { closers: FenceClosers; isWhole: boolean }) {
    this.#text = text;
    this.#closers = closers;
    this.#isWhole = isWhole;
  }

  /** The input that begins at `from`, where the next label stands at `limit`. */
  read(from: number, limit: number): LabelledInput {
    const start = skipSpace(this.#text, from);
    if (start >= limit) return { text: "", end: Math.min(limit, this.#text.length), complete: false };
    const first = this.#text[start] ?? "";
    const found =
      first === "{" || first === "["
        ? this.#json(start, limit)
        : first === "`" || first === "~"
          ? this.#fenced(start, limit)
          : undefined;
    if (found !== undefined) return found;
    const text = this.#text.slice(start, limit).trimEnd();
    return { text: unquoteCode(text), end: start + text.length, complete: false };
  }

  #json(start: number, limit: number): LabelledInput | undefined {
    const near = bracketEnd(this.#text, start, limit);
    if (near > 0 && this.#isJson(start, near)) return this.#upTo(start, near);
    // What looks like the next label may stand in a string with raw line breaks.
    const far = this.#unbalanced ? -1 : bracketEnd(this.#text, start);
    if (far > limit && this.#isJson(start, far)) return this.#upTo(start, far);
    this.#unbalanced = true;
    if (limit >= this.#text.length && !this.#isWhole) return undefined;
    const closed = parseLooseJson(this.#text.slice(start, limit), { closeBrackets: true });
    return closed.ok ? { text: jsonText(closed.value), end: limit, complete: true } : undefined;
  }

  #isJson(start: number, end: number): boolean {
    return parseLooseJson(this.#text.slice(start, end)).ok;
  }

  #upTo(start: number, end: number): LabelledInput {
    return { text: this.#text.slice(start, end), end, complete: true };
  }

  #fenced(start: number, limit: number): LabelledInput | undefined {
    const opener = /(`{3,}|~{3,})(?![`~])[^\r\n`]*(?:\r?\n|$)/y;
    opener.lastIndex = start;
    const match = opener.exec(this.#text);
    if (match === null) return undefined;
    const inside = start + match[0].length;
    const run = match[1] ?? "";
    const closer = this.#closers.find(inside, run) ?? this.#closers.findAtLineEnd(inside, run);
    if (closer === undefined || closer.start > limit) {
      const text = this.#text.slice(inside, limit).trimEnd();
      return { text, end: inside + text.length, complete: false };
    }
    const text = this.#text.slice(inside, closer.start).replace(/\r?\n$/, "");
    return { text: text.replace(/\r\n/g, "\n"), end: closer.end, complete: true };
  }
}

/** A value that is one code span, as the text in it. */
function unquoteCode(text: string): string {
  const run = /^`+/.exec(text)?.[0] ?? "";
  if (run === "" || text.length < 2 * run.length + 1 || !text.endsWith(run)) return text;
  const inside = text.slice(run.length, -run.length);
  return inside.includes("`") || inside.includes("\n") ? text : inside.trim();
}
