import { findJsonObjects, type JsonSpan } from "./json-scan.js";
import { parseLooseJson } from "./loose-json.js";

/** A block of code in a text. */
export interface CodeBlock {
  /** What marks it: a Markdown fence, or a `<code>` element on lines of its own, as smolagents' prompts ask for. */
  kind: "fence" | "element";
  /** The first word of the info string, in lower case; empty when there is none. */
  language: string;
  /** The text after the opening fence. */
  info: string;
  /** What the block holds, its lines joined by `\n`, without the line break before the closing fence. */
  code: string;
  /** Whether the block was closed; false for a reply that was cut off, or a fence that the model forgot. */
  closed: boolean;
  /** Where the block begins in the text, its opening fence included. */
  start: number;
  /** Where it ends, its closing fence included. */
  end: number;
}

/** As many blocks are read from one text. */
const maxBlocks = 10_000;

const opener = /(?<![^\r\n])( {0,3})(?:(`{3,}|~{3,})([^\r\n]*)|<code>)/gi;

/**
 * The code blocks of a text, as CommonMark reads fenced code: backticks or tildes, three or more, indented by up to
 * three spaces, closed by at least as many of the same at the start of a line. Beyond CommonMark:
 *
 * - a fence in a string of a JSON object is part of the string;
 * - a fence that no line closes ends where a line's end closes it (`print(1)` and three backticks);
 * - `<code>…</code>` on lines of its own is a block.
 *
 * Takes time linear in the length of the text. At most 10,000 blocks are read.
 *
 * @example
 * extractCodeBlocks("Run:\n~~~Python\nprint(1)\n~~~")[0]?.code; // "print(1)"
 */
export function extractCodeBlocks(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  const closers = new FenceClosers(text);
  const strings = new JsonStrings(text);
  const openers = new RegExp(opener);
  for (
    let match = openers.exec(text);
    match !== null && blocks.length < maxBlocks;
    match = openers.exec(text)
  ) {
    const [line, indent = "", run, info = ""] = match;
    if (strings.cover(match.index, blocks.at(-1)?.end ?? 0)) continue;
    const from = match.index + line.length;
    const block =
      run === undefined
        ? codeElement(text, match.index, from, closers)
        : run.startsWith("`") && info.includes("`")
          ? undefined
          : fencedBlock(text, { start: match.index, from, indent, run, info, closers });
    if (block === undefined) continue;
    blocks.push(block);
    openers.lastIndex = block.end;
  }
  return blocks;
}

interface OpenFence {
  start: number;
  /** The end of the opening line. */
  from: number;
  indent: string;
  run: string;
  info: string;
  closers: FenceClosers;
}

function fencedBlock(text: string, { start, from, indent, run, info, closers }: OpenFence): CodeBlock {
  const closer = closers.find(from, run) ?? closers.findAtLineEnd(from, run);
  const inside = text.slice(from, closer?.start ?? text.length).replace(/\r\n?/g, "\n");
  const lines = inside.slice(1).split("\n");
  // A line break stands before a closing fence, and often at the end of a text.
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  const outdented = indent === "" ? lines : lines.map((line) => outdent(line, indent.length));
  return {
    kind: "fence",
    language: /^\s*(\S*)/.exec(info)?.[1]?.toLowerCase() ?? "",
    info: info.trim(),
    code: outdented.join("\n"),
    closed: closer !== undefined,
    start,
    end: closer?.end ?? text.length,
  };
}

function outdent(line: string, width: number): string {
  let at = 0;
  while (at < width && line[at] === " ") at += 1;
  return line.slice(at);
}

function codeElement(
  text: string,
  start: number,
  from: number,
  closers: FenceClosers,
): CodeBlock | undefined {
  const close = closers.findText("</code>", from);
  const end = close < 0 ? text.length : close + "</code>".length;
  if (close < 0 && !/[\r\n]/.test(text[from] ?? "")) return undefined;
  if (!/^[ \t]*(?:[\r\n]|$)/.test(text.slice(end, end + 40))) return undefined;
  const code = text
    .slice(from, close < 0 ? end : close)
    .replace(/\r\n?/g, "\n")
    .replace(/^\n|\n$/g, "");
  // What stands in a fence inside is found as a fence.
  if (/^\s*(?:```|~~~)/.test(code.slice(0, 100))) return undefined;
  return { kind: "element", language: "", info: "", code, closed: close >= 0, start, end };
}

/** A closing fence. */
export interface FenceCloser {
  start: number;
  end: number;
}

const closingLine = /(?<![^\r\n]) {0,3}(`{3,}|~{3,})[ \t]*(?![^\r\n])/g;
const closingEnd = {
  "`": /(?<=[^\r\n`])(`{3,})[ \t]*(?![^\r\n])/g,
  "~": /(?<=[^\r\n~])(~{3,})[ \t]*(?![^\r\n])/g,
};
/** Longer runs count as this long, so that few lengths can be looked for in vain. */
const longestRun = 32;

/** Finds what closes a block. Remembers what it looked for in vain, so that no text is searched again and again. */
export class FenceClosers {
  readonly #text: string;
  /** From which length on no fence of a mark is left. */
  readonly #none = new Map<string, number>();
  readonly #noText = new Set<string>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The first line after `from` that closes a fence opened by `run`. */
  find(from: number, run: string): FenceCloser | undefined {
    const mark = run[0] ?? "";
    const wanted = Math.min(run.length, longestRun);
    if (wanted >= (this.#none.get(mark) ?? Number.POSITIVE_INFINITY)) return undefined;
    const lines = new RegExp(closingLine);
    lines.lastIndex = from;
    for (let match = lines.exec(this.#text); match !== null; match = lines.exec(this.#text)) {
      const found = match[1] ?? "";
      if (found.startsWith(mark) && Math.min(found.length, longestRun) >= wanted) {
        return { start: match.index, end: match.index + match[0].length };
      }
    }
    this.#none.set(mark, wanted);
    return undefined;
  }

  /** The first line after `from` that ends in as many marks as `run` has. */
  findAtLineEnd(from: number, run: string): FenceCloser | undefined {
    const ends = new RegExp(run.startsWith("`") ? closingEnd["`"] : closingEnd["~"]);
    ends.lastIndex = from;
    for (let match = ends.exec(this.#text); match !== null; match = ends.exec(this.#text)) {
      if (match[1]?.length === run.length) {
        return { start: match.index, end: match.index + match[0].length };
      }
    }
    return undefined;
  }

  /** The index of a text from `from` on, or -1. */
  findText(wanted: string, from: number): number {
    if (this.#noText.has(wanted)) return -1;
    const found = this.#text.indexOf(wanted, from);
    if (found < 0) this.#noText.add(wanted);
    return found;
  }
}

/** The objects of a text that are JSON, to tell what stands in their strings. */
class JsonStrings {
  readonly #text: string;
  #spans: JsonSpan[] | undefined;
  #next = 0;
  /** Whether the current span is JSON; undefined until something asks. */
  #isJson: boolean | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Whether an object that begins at `from` or later covers `index`. Indexes must rise from call to call. */
  cover(index: number, from: number): boolean {
    this.#spans ??= findJsonObjects(this.#text);
    let span = this.#spans[this.#next];
    while (span !== undefined && span.end <= index) {
      this.#next += 1;
      this.#isJson = undefined;
      span = this.#spans[this.#next];
    }
    if (span === undefined || span.start >= index || span.start < from) return false;
    this.#isJson ??= parseLooseJson(this.#text.slice(span.start, span.end)).ok;
    return this.#isJson;
  }
}
