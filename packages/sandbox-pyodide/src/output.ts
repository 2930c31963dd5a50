import type { StreamRest } from "./protocol.js";

/** The share of a cut text that its head gets; the rest is its tail. */
const headShare = 0.7;

/** What is known of one stream of a cell: its head, and, once the cell is over, how long it is and its tail. */
export class StreamText {
  readonly #maxChars: number;
  #head = "";
  #rest: StreamRest | undefined;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  /** Takes a piece of the head. What goes beyond the limit is dropped: the sender is not trusted to keep it. */
  add(piece: Buffer): void {
    if (this.#head.length >= this.#maxChars) return;
    this.#head = (this.#head + piece.toString("utf8")).slice(0, this.#maxChars);
  }

  /** Takes what comes after the head. */
  finish(rest: StreamRest): void {
    const tail = rest.tail.slice(0, this.#maxChars);
    const total = Math.max(rest.total, this.#head.length + tail.length);
    this.#rest = { total, tail };
  }

  /** Characters that were written, as far as is known. */
  get total(): number {
    return this.#rest?.total ?? this.#head.length;
  }

  /** At most `share` characters: all, or a head and a tail with a mark between them. */
  fit(share: number): string {
    const { total, tail } = this.#rest ?? { total: this.#head.length, tail: "" };
    const all = this.#head + tail;
    if (total <= share && all.length === total) return all;
    const mark = (missing: number) => `\n[… ${missing} characters left out …]\n`;
    const room = share - mark(total).length;
    if (room <= 0) return withoutHalf(this.#head.slice(0, share));
    const whole = all.length === total;
    const wantedHead = Math.ceil(room * headShare);
    const first = withoutHalf((whole ? all : this.#head).slice(0, wantedHead));
    const wantedTail = room - wantedHead;
    const last = wantedTail === 0 ? "" : withoutFirstHalf((whole ? all : tail).slice(-wantedTail));
    return first + mark(total - first.length - last.length) + last;
  }
}

/** The captured output of a cell. */
export interface Output {
  stdout: string;
  stderr: string;
  /** Whether anything was left out. */
  truncated: boolean;
}

/**
 * Both streams within `limit` characters. When they are longer, stderr gets a quarter, or what stdout leaves; of each
 * the head and the tail are kept.
 */
export function fitOutput(stdout: StreamText, stderr: StreamText, limit: number): Output {
  const truncated = stdout.total + stderr.total > limit;
  const errShare = truncated
    ? Math.min(stderr.total, Math.max(Math.floor(limit / 4), limit - stdout.total))
    : stderr.total;
  const outShare = truncated ? Math.min(stdout.total, limit - errShare) : stdout.total;
  return { stdout: stdout.fit(outShare), stderr: stderr.fit(errShare), truncated };
}

/** A text without a first half of a surrogate pair at its end. */
function withoutHalf(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

/** A text without a second half of a surrogate pair at its start. */
function withoutFirstHalf(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
