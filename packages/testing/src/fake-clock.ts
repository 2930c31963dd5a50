import { abortedError, JarvisError } from "@openjarvis/core";

/** A timer of a {@link FakeClock}. */
export interface FakeTimer {
  /** When it fires, in milliseconds since the epoch. */
  readonly at: number;
}

/**
 * A clock that stands still until it is advanced. Its members can be handed out one by one wherever a clock or a timer
 * is injected.
 */
export interface FakeClock {
  /** The time, in milliseconds since the epoch; stands in for `Date.now`. */
  readonly now: () => number;
  /** The time as a date. */
  readonly date: () => Date;
  /** Stands in for the global of that name. */
  readonly setTimeout: (callback: () => void, milliseconds?: number) => FakeTimer;
  /** Stands in for the global of that name. */
  readonly clearTimeout: (timer: FakeTimer | undefined) => void;
  /** Resolves when the clock has advanced that far; rejects with `OJ_ABORTED` when the signal fires first. */
  readonly sleep: (milliseconds: number, options?: { signal?: AbortSignal }) => Promise<void>;
  /**
   * Moves the time on and fires, in order of their time, the timers that are due, those they set included. Between two
   * timers, promises that are ready get their turn. Resolves when everything due has fired.
   */
  readonly advance: (milliseconds: number) => Promise<void>;
  /** How many timers wait. */
  readonly pending: () => number;
}

/**
 * Makes a {@link FakeClock}.
 *
 * @param start the time it begins at: milliseconds since the epoch, a date, or an ISO 8601 text
 */
export function fakeClock(start: number | Date | string = "2030-01-01T00:00:00Z"): FakeClock {
  let time = new Date(start).getTime();
  if (Number.isNaN(time))
    throw new JarvisError("OJ_OPTION", `"${String(start)}" is no time a clock can begin at.`);
  const timers = new Map<FakeTimer, () => void>();

  const now = () => time;
  const clearTimeout = (timer: FakeTimer | undefined) => {
    if (timer !== undefined) timers.delete(timer);
  };
  const setTimeout = (callback: () => void, milliseconds = 0): FakeTimer => {
    const timer = { at: time + Math.max(0, milliseconds) };
    timers.set(timer, callback);
    return timer;
  };

  return {
    now,
    date: () => new Date(time),
    setTimeout,
    clearTimeout,
    sleep: (milliseconds, { signal } = {}) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          signal?.removeEventListener("abort", cancel);
          resolve();
        }, milliseconds);
        const cancel = () => {
          clearTimeout(timer);
          if (signal !== undefined) reject(abortedError(signal));
        };
        if (signal?.aborted) cancel();
        else signal?.addEventListener("abort", cancel, { once: true });
      }),
    async advance(milliseconds) {
      const end = time + milliseconds;
      await settle();
      for (let next = earliest(timers, end); next !== undefined; next = earliest(timers, end)) {
        const callback = timers.get(next);
        timers.delete(next);
        time = Math.max(time, next.at);
        callback?.();
        await settle();
      }
      time = end;
    },
    pending: () => timers.size,
  };
}

/** The next timer due until `end`; of several at one time, the one that was set first. */
function earliest(timers: ReadonlyMap<FakeTimer, unknown>, end: number): FakeTimer | undefined {
  let first: FakeTimer | undefined;
  for (const timer of timers.keys()) {
    if (timer.at <= end && (first === undefined || timer.at < first.at)) first = timer;
  }
  return first;
}

/** Lets promises that are ready run, however long their chain; real input and output may need more than this. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
