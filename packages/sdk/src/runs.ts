import { settled } from "./waiting.js";

interface Run {
  controller: AbortController;
  done: Promise<unknown>;
}

/** The runs in flight, so that they can be cancelled together. */
export class Runs {
  readonly #runs = new Set<Run>();

  /** Starts work with a signal that fires with the caller's, or when all runs are cancelled. */
  async follow<T>(signal: AbortSignal | undefined, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const abort = () => controller.abort(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const done = start(controller.signal);
    const run: Run = { controller, done };
    this.#runs.add(run);
    try {
      return await done;
    } finally {
      this.#runs.delete(run);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Cancels every run and waits for their ends, but no longer than `seconds`. */
  async cancelAll(reason: Error, seconds: number): Promise<void> {
    const runs = [...this.#runs];
    for (const { controller } of runs) controller.abort(reason);
    await settled(Promise.allSettled(runs.map(({ done }) => done)), seconds);
  }
}
