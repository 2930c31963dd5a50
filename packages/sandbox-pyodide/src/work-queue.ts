/** Most things of one session that may wait. */
const maxWaiting = 256;

/** Does one thing after the other, in the order in which they came; holds a bounded number of them. */
export class WorkQueue {
  #last: Promise<void> = Promise.resolve();
  #length = 0;

  /** Things that wait or are being done. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length >= maxWaiting;
  }

  /**
   * Does `work` when its turn comes. When `signal` fires before that, it is not done, and `cancelled` gives the result
   * at once.
   */
  add<T>(
    work: () => Promise<T>,
    cancel?: { signal: AbortSignal | undefined; cancelled: () => T },
  ): Promise<T> {
    const { signal, cancelled } = cancel ?? {};
    if (signal?.aborted && cancelled !== undefined) return Promise.resolve(cancelled());
    this.#length += 1;
    return new Promise<T>((resolve, reject) => {
      let gone = false;
      const onAbort = () => {
        gone = true;
        if (cancelled !== undefined) resolve(cancelled());
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#last = this.#last.then(async () => {
        signal?.removeEventListener("abort", onAbort);
        try {
          if (!gone) resolve(await work());
        } catch (error) {
          reject(error);
        } finally {
          this.#length -= 1;
        }
      });
    });
  }
}
