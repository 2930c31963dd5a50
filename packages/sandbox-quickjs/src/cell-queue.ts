/** Most things of one session that may wait. */
const maxWaiting = 256;

/** Does one thing after the other, in the order in which they came. */
export class CellQueue {
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
   * Does `work` when its turn comes. When `signal` fires before that, `work` is not done, and `onCancel` gives the
   * result at once.
   */
  add<T>(
    work: () => Promise<T>,
    cancel?: { signal: AbortSignal | undefined; onCancel: () => T },
  ): Promise<T> {
    const signal = cancel?.signal;
    if (cancel !== undefined && signal?.aborted) return Promise.resolve(cancel.onCancel());
    this.#length += 1;
    return new Promise<T>((resolve, reject) => {
      let cancelled = false;
      const onAbort = () => {
        cancelled = true;
        if (cancel !== undefined) resolve(cancel.onCancel());
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      this.#last = this.#last.then(async () => {
        signal?.removeEventListener("abort", onAbort);
        try {
          if (!cancelled) resolve(await work());
        } catch (error) {
          reject(error);
        }
        this.#length -= 1;
      });
    });
  }
}
