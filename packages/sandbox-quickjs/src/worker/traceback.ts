/** Most characters of the code of all cells that is kept to show lines of it. */
const maxKept = 1_000_000;
const maxLine = 160;
const headFrames = 10;
const tailFrames = 3;

/** The code of the cells of a session, to show the lines that an error came from. */
export class Sources {
  readonly #lines = new Map<number, string[]>();
  readonly #sizes = new Map<number, number>();
  #kept = 0;

  add(cell: number, code: string): void {
    this.#lines.set(cell, code.split(/\r\n|[\n\r\u2028\u2029]/));
    this.#sizes.set(cell, code.length);
    this.#kept += code.length;
    for (const [oldest, size] of this.#sizes) {
      if (this.#kept <= maxKept || oldest === cell) break;
      this.#lines.delete(oldest);
      this.#sizes.delete(oldest);
      this.#kept -= size;
    }
  }

  /** A line of a cell's code, shortened around a column from 0. */
  line(cell: number, line: number, column = 0): string {
    const text = this.#lines.get(cell)?.[line - 1] ?? "";
    if (text.length <= maxLine) return text.trim();
    const start = Math.max(0, Math.min(column - maxLine / 2, text.length - maxLine));
    const end = start + maxLine;
    return `${start > 0 ? "…" : ""}${text.slice(start, end).trim()}${end < text.length ? "…" : ""}`;
  }
}

/** The name of a cell as a file. */
export function cellFile(cell: number): string {
  return `cell-${cell}`;
}

/**
 * The lines of the guest's cells in a stack of QuickJS, the innermost first. Frames of the engine, of the sandbox's own
 * code and of code that the guest made at run time have no lines to show.
 */
export function traceback(stack: string, sources: Sources): string {
  const frames: { text: string; times: number }[] = [];
  for (const match of stack.matchAll(/^ {4}at (?:(.*) \()?cell-(\d+):(\d+)(?::(\d+))?\)?$/gm)) {
    const [, name = "", cell = "", line = "", column = "1"] = match;
    // The script around a cell, whose line says nothing.
    if (name === "<eval>") continue;
    const where = `cell ${cell}, line ${line}`;
    const code = sources.line(Number(cell), Number(line), Number(column) - 1);
    const place = name === "" || name === "<anonymous>" ? where : `${name} (${where})`;
    const text = `at ${place}${code === "" ? "" : `: ${code}`}`;
    const last = frames.at(-1);
    if (last?.text === text) last.times += 1;
    else frames.push({ text, times: 1 });
  }
  const lines = frames.map(({ text, times }) => (times === 1 ? text : `${text} [${times} times]`));
  if (lines.length <= headFrames + tailFrames + 1) return lines.join("\n");
  const left = lines.length - headFrames - tailFrames;
  return [...lines.slice(0, headFrames), `… ${left} more`, ...lines.slice(-tailFrames)].join("\n");
}

/** The place of a syntax error: its line, and a mark below the column. */
export function syntaxPlace(
  cell: number,
  position: { line: number; column: number } | undefined,
  code: string,
): string {
  if (position === undefined) return "";
  const text = code.split(/\r\n|[\n\r\u2028\u2029]/)[position.line - 1] ?? "";
  const start = Math.max(0, Math.min(position.column - maxLine / 2, text.length - maxLine));
  const shown = text.slice(start, start + maxLine);
  const mark = shown.slice(0, position.column - start).replace(/[^\t]/g, " ");
  return `at cell ${cell}, line ${position.line}:\n${shown}\n${mark}^`;
}
