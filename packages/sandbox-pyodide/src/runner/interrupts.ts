import { Buffer } from "node:buffer";
import { readSync } from "node:fs";
import { Socket } from "node:net";
import { performance } from "node:perf_hooks";

const pollMs = 5;
const repeatMs = 50;
const sigint = 2;

/**
 * Requests of the host to stop a cell. They come as numbers of cells on a descriptor of their own, which the Python
 * interpreter polls every few milliseconds while it runs (Pyodide's interrupt buffer), without an event loop or a thread.
 */
export class Interrupts {
  /** Whether code of the guest runs; only that is interrupted. */
  armed = false;
  /** Called every few milliseconds while Python runs. */
  onPoll: () => void = () => undefined;
  readonly #fd: number;
  readonly #hostGone: () => void;
  readonly #bytes = Buffer.alloc(64);
  readonly #now = performance.now.bind(performance);
  /** The cell that runs; 0 for none. */
  #cell = 0;
  #requested = 0;
  #polledAt = 0;
  #deliveredAt = 0;
  /** Keeps the descriptor from blocking. */
  readonly #socket: Socket;

  /** @param hostGone what to do when the host has ended; must not return */
  constructor(fd: number, hostGone: () => void) {
    this.#fd = fd;
    this.#hostGone = hostGone;
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.on("error", hostGone);
    this.#socket.unref();
  }

  /** Notes which cell runs now; 0 for none. */
  begin(cell: number): void {
    this.#cell = cell;
    this.#deliveredAt = 0;
  }

  /** Gives what runs now as many milliseconds before the next interrupt. */
  pause(milliseconds: number): void {
    this.#deliveredAt = this.#now() + milliseconds - repeatMs;
  }

  /** What Pyodide reads as the first element of its interrupt buffer. */
  get signal(): number {
    const now = this.#now();
    if (now - this.#polledAt >= pollMs) {
      this.#polledAt = now;
      this.poll();
      this.onPoll();
    }
    // A guest may catch the exception and go on, so it comes again until the cell ends.
    if (!this.armed || !this.requested || now - this.#deliveredAt < repeatMs) return 0;
    this.#deliveredAt = now;
    return sigint;
  }

  /** Whether the running cell has to stop. */
  get requested(): boolean {
    return this.#requested !== 0 && this.#requested === this.#cell;
  }

  /** Reads what the host has sent. */
  poll(): void {
    try {
      const count = readSync(this.#fd, this.#bytes, 0, this.#bytes.length, null);
      if (count === 0) this.#hostGone();
      // Only the latest request counts; each has four bytes.
      if (count >= 4) this.#requested = this.#bytes.readUInt32BE(count - (count % 4) - 4);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EAGAIN" && code !== "EWOULDBLOCK") this.#hostGone();
    }
  }
}
