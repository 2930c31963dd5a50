/** Counts down the milliseconds that something runs, and acts when they are used up. Pausing stops the count. */
export class Countdown {
  readonly #act: () => void;
  #left: number;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(milliseconds: number, act: () => void) {
    this.#left = milliseconds;
    this.#act = act;
  }

  resume(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#act, Math.ceil(this.#left));
  }

  pause(): void {
    if (this.#since === undefined) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
    this.#since = undefined;
  }
}
