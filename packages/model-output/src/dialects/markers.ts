import { FenceClosers } from "../fences.js";
import { skipSpace } from "../json-scan.js";

/**
 * What a labelled line begins. `params` and `answer` are labels such as `Input:` and `Answer:`, which are words of
 * ordinary prose too. `break` is a fence line that ends what stood before it without beginning anything.
 */
export type MarkerKind =
  | "thought"
  | "action"
  | "input"
  | "params"
  | "observation"
  | "final"
  | "answer"
  | "break";

/** A label at the start of a line. */
export interface Marker {
  kind: MarkerKind;
  /** Where its line begins. */
  start: number;
  /** Where its value begins. */
  value: number;
  /** Emphasis that was opened before the label and not closed after it. */
  emphasis: string;
}

/** The labels of a dialect, as sources of regular expressions without capturing groups. */
export type Labels = Readonly<Partial<Record<Exclude<MarkerKind, "break">, string>>>;

/** List bullets, quotes, headings and numbers that may stand before a label. */
const lead = "(?:[>#+•*\\-–]{1,6}[ \\t]+|\\d{1,3}[.)][ \\t]+|>){0,3}";

function lineOf(labels: Labels): RegExp {
  const names = Object.entries(labels).map(([kind, source]) => `(?<${kind}>${source})`);
  const label = `(?<lead>${lead})(?<mark>[*_\`]{0,3})(?:${names.join("|")})(?:[ \\t]{0,3}#?\\d{1,3})?`;
  return new RegExp(
    `(?<![^\\r\\n])[ \\t]{0,12}(?:(?<fence>\`{3,}|~{3,})(?<info>[^\\r\\n]*)|` +
      `${label}(?<tail>[ \\t]{0,3}[*_\`]{0,3}[ \\t]{0,3}(?:[:：][*_\`]{0,3}|(?![^\\r\\n]))))`,
    "gi",
  );
}

/** Languages of a fence that may hold a whole reply in the form of labelled lines. */
const plainLanguage = /^(?:text|txt|plain|plaintext|markdown|md|yaml|react|plain text)?$/i;

/**
 * Finds labels at the start of lines, whatever Markdown stands around them (`**Action:**`, `### Action:`,
 * `- Action:`, `Action 1:`), outside code fences. A fence that holds a reply in the form of labelled lines is looked
 * into.
 */
export class MarkerScanner {
  readonly #text: string;
  readonly #line: RegExp;
  readonly #closers: FenceClosers;
  #transparent: string | undefined;
  #last: { from: number; marker: Marker | undefined } | undefined;

  constructor(text: string, labels: Labels) {
    this.#text = text;
    this.#line = lineOf(labels);
    this.#closers = new FenceClosers(text);
  }

  /** The first label at or after `from`. `from` must not fall from call to call. */
  next(from: number): Marker | undefined {
    const last = this.#last;
    if (last !== undefined && from >= last.from && (last.marker === undefined || from <= last.marker.start)) {
      return last.marker;
    }
    const marker = this.#find(from);
    this.#last = { from, marker };
    return marker;
  }

  #find(from: number): Marker | undefined {
    this.#line.lastIndex = this.#pastFence(from);
    for (let match = this.#line.exec(this.#text); match !== null; match = this.#line.exec(this.#text)) {
      const groups = match.groups ?? {};
      const end = match.index + match[0].length;
      const marker =
        groups.fence === undefined
          ? this.#label(match.index, end, groups)
          : this.#fence(match.index, end, groups.fence, groups.info ?? "");
      if (marker !== undefined) return marker;
    }
    return undefined;
  }

  #label(start: number, end: number, groups: Record<string, string | undefined>): Marker | undefined {
    const { lead = "", mark = "", tail = "" } = groups;
    const kind = kinds.find((name) => groups[name] !== undefined);
    if (kind === undefined) return undefined;
    const colon = /[:：]/.exec(tail);
    if (colon === null) {
      // Without a colon only what is set off as a heading is a label.
      const setOff = lead.includes("#") || (mark.length > 1 && tail.trim() === mark);
      return setOff ? { kind, start, value: end, emphasis: "" } : undefined;
    }
    const before = tail.slice(0, colon.index).trim();
    if (before !== "" && before !== mark) return undefined;
    const closesAfter = before === "" && mark !== "" && tail.slice(colon.index + 1).startsWith(mark);
    // Emphasis that begins after the colon is the value's.
    const value = end - (tail.length - colon.index - 1) + (closesAfter ? mark.length : 0);
    return { kind, start, value, emphasis: before === "" && !closesAfter ? mark : "" };
  }

  /** Skips a fence; returns a marker where a fence line ends what stood before it. */
  #fence(start: number, end: number, run: string, info: string): Marker | undefined {
    const bare = info.trim() === "";
    if (this.#transparent !== undefined && bare && run.startsWith(this.#transparent)) {
      this.#transparent = undefined;
      return { kind: "break", start, value: end, emphasis: "" };
    }
    if (plainLanguage.test(info.trim()) && this.#startsWithLabel(end)) {
      this.#transparent = run;
      return undefined;
    }
    const closer = this.#closers.find(end, run);
    if (closer !== undefined) this.#line.lastIndex = closer.end;
    // A fence line that neither opens nor closes anything is left over from a reply written inside a fence.
    return closer === undefined && bare ? { kind: "break", start, value: end, emphasis: "" } : undefined;
  }

  #startsWithLabel(from: number): boolean {
    const first = skipSpace(this.#text, from);
    let lineStart = first;
    while (lineStart > from && !/[\r\n]/.test(this.#text[lineStart - 1] ?? "")) lineStart -= 1;
    const line = new RegExp(this.#line.source, "iy");
    line.lastIndex = lineStart;
    const groups = line.exec(this.#text)?.groups;
    return groups !== undefined && groups.fence === undefined;
  }

  /** A fence that opens right after a label, on the label's line, is skipped like one on a line of its own. */
  #pastFence(from: number): number {
    const opener = /[ \t]{0,8}(`{3,}|~{3,})(?![`~])([^\r\n`]*)(?![^\r\n])/y;
    opener.lastIndex = from;
    const match = opener.exec(this.#text);
    if (match === null || !/[^\r\n]/.test(this.#text[from - 1] ?? "\n")) return from;
    return this.#closers.find(from + match[0].length, match[1] ?? "")?.end ?? from;
  }
}

const kinds = ["thought", "input", "action", "params", "observation", "final", "answer"] as const;
