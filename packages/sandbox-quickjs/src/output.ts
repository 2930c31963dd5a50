import { type CellBoard, headShare, type StreamName } from "./cell-board.js";

/** The captured output of a cell. */
export interface Output {
  stdout: string;
  stderr: string;
  /** Whether anything was left out. */
  truncated: boolean;
}

/**
 * The output on a board, both streams together at most `board.maxChars` characters. When they are longer, stderr gets a
 * quarter, or what stdout leaves; of each stream the head and the tail are kept.
 */
export function readOutput(board: CellBoard): Output {
  const limit = board.maxChars;
  const out = board.total("stdout");
  const err = board.total("stderr");
  const truncated = out + err > limit;
  const errShare = truncated ? Math.min(err, Math.max(Math.floor(limit / 4), limit - out)) : err;
  const outShare = truncated ? Math.min(out, limit - errShare) : out;
  return { stdout: cut(board, "stdout", outShare), stderr: cut(board, "stderr", errShare), truncated };
}

function cut(board: CellBoard, stream: StreamName, share: number): string {
  const total = board.total(stream);
  if (total <= share) return board.head(stream, total);
  const mark = (missing: number) => `\n[… ${missing} characters left out …]\n`;
  const room = share - mark(total).length;
  if (room <= 0) return withoutHalf(board.head(stream, share));
  const headLength = Math.ceil(room * headShare);
  const head = withoutHalf(board.head(stream, headLength));
  const tailLength = room - headLength;
  const tail = withoutFirstHalf(lastOf(board, stream, total, tailLength));
  return head + mark(total - head.length - tail.length) + tail;
}

function lastOf(board: CellBoard, stream: StreamName, total: number, count: number): string {
  if (count === 0) return "";
  return total <= board.maxChars ? board.head(stream, total).slice(-count) : board.tail(stream, count);
}

/** A text without a first half of a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** A text without a second half of a surrogate pair at its start. */
function withoutFirstHalf(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
