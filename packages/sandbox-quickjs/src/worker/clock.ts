import type { CellBoard } from "../cell-board.js";
import { sharedClock } from "../protocol.js";

/** Measures how long a cell computes; time in which it waits does not count. */
export class ComputeClock {
  readonly #board: CellBoard;
  readonly #startedAt: number;
  #used = 0;
  /** When the present stretch began, or undefined while the cell waits. */
  #since: number | undefined;

  constructor(board: CellBoard, startedAt: number) {
    this.#board = board;
    this.#startedAt = startedAt;
  }

  get running(): boolean {
    return this.#since !== undefined;
  }

  enter(): void {
    this.#since = performance.now();
    this.#board.enter(sharedClock() - this.#startedAt, this.#used);
  }

  leave(): void {
    this.#used = this.usedMs(performance.now());
    this.#since = undefined;
    this.#board.leave(this.#used);
  }

  /** Milliseconds computed until `now`, on the clock of `performance.now()`. */
  usedMs(now: number): number {
    return this.#used + (this.#since === undefined ? 0 : now - this.#since);
  }
}
