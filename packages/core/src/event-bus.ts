import { errorText } from "./errors.js";
import type { AnyEvent, EventMap, EventType, JarvisEvent, RunRef, Subscriber } from "./events.js";
import { checkInteger } from "./options.js";

/** Options of an {@link EventBus}. */
export interface EventBusOptions {
  /** Told about a subscriber that threw or rejected. @default a process warning */
  onSubscriberError?: (error: unknown, event: AnyEvent) => void;
  /** The clock, in milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

const noRun: RunRef = { runId: "", parentId: "" };

/**
 * Delivers events to subscribers, in the order of subscription, before `publish` returns.
 *
 * - A subscriber that throws or rejects is reported and never disturbs the publisher or the other subscribers.
 * - A subscriber may subscribe or unsubscribe while it is called; that takes effect with the next event.
 */
export class EventBus {
  // A list is replaced, never changed in place, so that a delivery under way keeps the list it began with.
  readonly #subscribers = new Map<EventType | "*", readonly Subscriber<never>[]>();
  readonly #onSubscriberError: (error: unknown, event: AnyEvent) => void;
  readonly #now: () => number;
  #seq = 0;

  constructor(options: EventBusOptions = {}) {
    this.#onSubscriberError = options.onSubscriberError ?? warnAboutSubscriber;
    this.#now = options.now ?? Date.now;
  }

  /** Calls `subscriber` for each event of a type, or for every event with `"*"`. Returns what ends it. */
  subscribe<T extends EventType>(type: T, subscriber: Subscriber<T>): () => void;
  subscribe(type: "*", subscriber: (event: AnyEvent) => unknown): () => void;
  subscribe(type: EventType | "*", subscriber: Subscriber<never>): () => void {
    this.#subscribers.set(type, [...(this.#subscribers.get(type) ?? []), subscriber]);
    let active = true;
    return () => {
      if (active) this.unsubscribe(type, subscriber);
      active = false;
    };
  }

  /** Ends a subscription; a subscriber that is not subscribed is no error. */
  unsubscribe(type: EventType | "*", subscriber: Subscriber<never>): void {
    const list = this.#subscribers.get(type);
    const index = list?.lastIndexOf(subscriber) ?? -1;
    if (list === undefined || index < 0) return;
    if (list.length === 1) this.#subscribers.delete(type);
    else this.#subscribers.set(type, list.toSpliced(index, 1));
  }

  /** Whether anybody would receive an event of this type; lets a publisher skip costly payloads. */
  hasSubscribers(type: EventType): boolean {
    return this.#subscribers.has(type) || this.#subscribers.has("*");
  }

  /** Publishes an event for a run and returns it. Never throws. */
  publish<T extends EventType>(type: T, data: EventMap[T], run: RunRef = noRun): JarvisEvent<T> {
    this.#seq += 1;
    const event: JarvisEvent<T> = {
      type,
      timestamp: this.#now(),
      seq: this.#seq,
      runId: run.runId,
      parentId: run.parentId,
      data,
    };
    const own = this.#subscribers.get(type);
    if (own !== undefined) for (const subscriber of own) this.#deliver(subscriber, event);
    const all = this.#subscribers.get("*");
    if (all !== undefined) for (const subscriber of all) this.#deliver(subscriber, event);
    return event;
  }

  /**
   * The events from now on, as an async iterable that ends when the signal fires or the loop is left. Events that are
   * not taken wait in a queue; past `limit` the oldest is dropped, and the next one taken carries the count in
   * `dropped`.
   */
  events(
    options: { signal?: AbortSignal; limit?: number } = {},
  ): AsyncIterableIterator<AnyEvent & { dropped?: number }> {
    return new EventStream(this, options.signal, options.limit ?? 10_000);
  }

  #deliver<T extends EventType>(subscriber: Subscriber<never>, event: JarvisEvent<T>): void {
    try {
      const outcome = (subscriber as Subscriber<T>)(event);
      if (outcome instanceof Promise) outcome.catch((error: unknown) => this.#report(error, event));
    } catch (error) {
      this.#report(error, event);
    }
  }

  #report(error: unknown, event: JarvisEvent): void {
    try {
      this.#onSubscriberError(error, event as AnyEvent);
    } catch {
      // The reporter itself failed; there is nobody left to tell, and the run must not suffer.
    }
  }
}

class EventStream implements AsyncIterableIterator<AnyEvent & { dropped?: number }> {
  readonly #queue: AnyEvent[] = [];
  readonly #waiting: ((result: IteratorResult<AnyEvent>) => void)[] = [];
  readonly #limit: number;
  readonly #stop: () => void;
  #dropped = 0;
  #done = false;

  constructor(bus: EventBus, signal: AbortSignal | undefined, limit: number) {
    checkInteger("limit", limit, 1);
    this.#limit = limit;
    const unsubscribe = bus.subscribe("*", (event) => this.#push(event));
    const end = () => this.#stop();
    this.#stop = () => {
      this.#done = true;
      unsubscribe();
      signal?.removeEventListener("abort", end);
      for (const resolve of this.#waiting.splice(0)) resolve({ done: true, value: undefined });
    };
    if (signal?.aborted) this.#stop();
    else signal?.addEventListener("abort", end, { once: true });
  }

  #push(event: AnyEvent): void {
    const resolve = this.#waiting.shift();
    if (resolve !== undefined) {
      resolve({ done: false, value: event });
      return;
    }
    this.#queue.push(event);
    if (this.#queue.length > this.#limit) {
      this.#queue.shift();
      this.#dropped += 1;
    }
  }

  next(): Promise<IteratorResult<AnyEvent & { dropped?: number }>> {
    const event = this.#queue.shift();
    if (event !== undefined) {
      const dropped = this.#dropped;
      this.#dropped = 0;
      return Promise.resolve({ done: false, value: dropped > 0 ? { ...event, dropped } : event });
    }
    if (this.#done) return Promise.resolve({ done: true, value: undefined });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  return(): Promise<IteratorResult<AnyEvent>> {
    this.#stop();
    this.#queue.length = 0;
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

function warnAboutSubscriber(error: unknown, event: AnyEvent): void {
  process.emitWarning(`A subscriber of ${event.type} failed: ${errorText(error)}`, "OpenJarvisWarning");
}
