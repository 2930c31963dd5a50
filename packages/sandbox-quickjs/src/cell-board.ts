/** Reasons for which the host stops a cell, as numbers on the board. */
export const stopCodes = { cancelled: 1, total: 2 } as const;

/** A reason for which the host stops a cell. */
export type HostStop = keyof typeof stopCodes;

/** Where output goes. */
export type StreamName = "stdout" | "stderr";

const stopRequest = 0;
const computing = 1;
const enteredAt = 2;
const usedMs = 3;
const headerBytes = 48;
const streamNames = ["stdout", "stderr"] as const satisfies readonly StreamName[];

/** The share of a cut text that its head gets; the rest is its tail. */
export const headShare = 0.7;

/**
 * The memory that a cell's host and worker share, so that neither has to wait for the other.
 *
 * - The host writes the request to stop; the interrupt handler of the guest polls it.
 * - The worker writes how long the guest has computed and since when it computes; the host's watchdog reads it.
 * - The worker writes captured output, and the host has it even when the worker had to be killed. Of each stream the
 *   first `maxChars` characters and a tail are kept: memory does not grow with output.
 */
export class CellBoard {
  readonly memory: SharedArrayBuffer;
  readonly #maxChars: number;
  readonly #tailChars: number;
  readonly #flags: Int32Array;
  readonly #totals: Float64Array;
  readonly #text: Buffer;

  /** Makes a board, or opens the one that lies in `memory`. */
  constructor(maxChars: number, memory?: SharedArrayBuffer) {
    this.#maxChars = maxChars;
    this.#tailChars = maxChars - Math.floor(maxChars * headShare);
    const textBytes = 2 * streamNames.length * (maxChars + this.#tailChars);
    this.memory = memory ?? new SharedArrayBuffer(headerBytes + textBytes);
    this.#flags = new Int32Array(this.memory, 0, 4);
    this.#totals = new Float64Array(this.memory, 16, streamNames.length);
    this.#text = Buffer.from(this.memory, headerBytes, textBytes);
  }

  get maxChars(): number {
    return this.#maxChars;
  }

  /** Makes the board ready for a cell that computes from now on. */
  clear(): void {
    this.#flags.fill(0);
    this.#flags[computing] = 1;
    this.#totals.fill(0);
  }

  requestStop(stop: HostStop): void {
    Atomics.compareExchange(this.#flags, stopRequest, 0, stopCodes[stop]);
  }

  get requestedStop(): HostStop | undefined {
    const code = Atomics.load(this.#flags, stopRequest);
    if (code === 0) return undefined;
    return code === stopCodes.cancelled ? "cancelled" : "total";
  }

  /** Notes that the guest computes since `atMs` after the start of the cell, having used `used` milliseconds before. */
  enter(atMs: number, used: number): void {
    Atomics.store(this.#flags, usedMs, Math.round(used));
    Atomics.store(this.#flags, enteredAt, Math.round(atMs));
    Atomics.store(this.#flags, computing, 1);
  }

  /** Notes that the guest waits, having computed `used` milliseconds. */
  leave(used: number): void {
    Atomics.store(this.#flags, usedMs, Math.round(used));
    Atomics.store(this.#flags, computing, 0);
  }

  /** Milliseconds the guest has computed when the cell is `atMs` old, and whether it is computing. */
  computed(atMs: number): { ms: number; running: boolean } {
    const running = Atomics.load(this.#flags, computing) === 1;
    const used = Atomics.load(this.#flags, usedMs);
    return { running, ms: running ? used + atMs - Atomics.load(this.#flags, enteredAt) : used };
  }

  /** Adds to a stream: a text, then `skipped` characters that were left out already, then the text after them. */
  write(stream: StreamName, text: string, skipped = 0, tail = ""): void {
    this.#append(stream, text);
    if (skipped > 0) this.#totals[streamNames.indexOf(stream)] = this.total(stream) + skipped;
    if (tail !== "") this.#append(stream, tail);
  }

  /** Characters written to a stream, kept or not. */
  total(stream: StreamName): number {
    return this.#totals[streamNames.indexOf(stream)] ?? 0;
  }

  /** The first characters of a stream, at most `count`. */
  head(stream: StreamName, count: number): string {
    const start = this.#start(stream);
    return this.#read(start, Math.min(count, this.total(stream), this.#maxChars));
  }

  /** The last characters of a stream that is longer than the board keeps, at most `count`. */
  tail(stream: StreamName, count: number): string {
    const start = this.#start(stream) + this.#maxChars;
    const kept = Math.min(count, this.#tailChars);
    const end = this.total(stream) % this.#tailChars;
    if (end >= kept) return this.#read(start + end - kept, kept);
    return this.#read(start + this.#tailChars - (kept - end), kept - end) + this.#read(start, end);
  }

  #append(stream: StreamName, text: string): void {
    const index = streamNames.indexOf(stream);
    const start = this.#start(stream);
    const total = this.total(stream);
    const room = this.#maxChars - total;
    if (room > 0) this.#put(start + total, room >= text.length ? text : text.slice(0, room));
    // The ring of the tail is filled from the first character on: it must be whole when the head turns out too small.
    const tail = text.length > this.#tailChars ? text.slice(-this.#tailChars) : text;
    const at = (total + text.length - tail.length) % this.#tailChars;
    const first = Math.min(tail.length, this.#tailChars - at);
    const ring = start + this.#maxChars;
    this.#put(ring + at, tail.slice(0, first));
    if (first < tail.length) this.#put(ring, tail.slice(first));
    this.#totals[index] = total + text.length;
  }

  #start(stream: StreamName): number {
    return streamNames.indexOf(stream) * (this.#maxChars + this.#tailChars);
  }

  #put(at: number, text: string): void {
    this.#text.write(text, at * 2, "utf16le");
  }

  #read(at: number, count: number): string {
    return this.#text.toString("utf16le", at * 2, (at + count) * 2);
  }
}
