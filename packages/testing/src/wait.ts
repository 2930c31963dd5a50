import { setTimeout as sleep } from "node:timers/promises";
import { abortedError } from "@openjarvis/core";

/** Waits some seconds; rejects with `OJ_ABORTED` as soon as the signal fires. */
export async function waitSeconds(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(seconds * 1000, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted) throw abortedError(signal);
    throw error;
  }
}

/** Settles with the promise, or rejects with `OJ_ABORTED` as soon as the signal fires. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const fire = () => reject(abortedError(signal));
    if (signal.aborted) fire();
    else signal.addEventListener("abort", fire, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", fire));
  });
}
