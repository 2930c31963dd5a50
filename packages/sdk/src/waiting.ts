import { abortedError, JarvisError } from "@openjarvis/core";

/** Settles with a promise, or rejects as soon as the signal fires; the work itself goes on for others who wait. */
export async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    const fire = () => reject(abortedError(signal));
    if (signal.aborted) fire();
    signal.addEventListener("abort", fire, { once: true });
    stop = () => signal.removeEventListener("abort", fire);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    stop();
    // Nobody else may be listening when the wait was given up.
    promise.catch(() => undefined);
  }
}

/**
 * Runs work with a signal that fires after `seconds` or with `signal`, and stops waiting for it then, even when the
 * work does not listen. Throws `OJ_ENGINE_TIMEOUT` or `OJ_ABORTED`.
 */
export async function within<T>(
  what: string,
  seconds: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const follow = () => controller.abort(abortedError(signal));
  if (signal.aborted) follow();
  signal.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => {
    controller.abort(new JarvisError("OJ_ENGINE_TIMEOUT", `${what} did not answer within ${seconds} s.`));
  }, seconds * 1000);
  try {
    return await orAborted(work(controller.signal), controller.signal);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", follow);
  }
}

/** Waits until a promise has settled, either way, but no longer than `seconds`. */
export async function settled(promise: Promise<unknown>, seconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  await Promise.race([promise.catch(() => undefined), limit]);
  clearTimeout(timer);
}
