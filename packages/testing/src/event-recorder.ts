import type { AnyEvent, EventBus, EventType, JarvisEvent } from "@openjarvis/core";
import { findImbalances } from "./balance.js";

/**
 * The events of a bus, in the order they were published.
 *
 * @example
 * const events = recordEvents(bus);
 * await agent.run("2+2?");
 * events.assertBalanced();
 * events.of("TOOL_CALL_END").map((event) => event.data.tool);
 */
export interface EventRecorder extends Disposable {
  /** Every event so far. */
  readonly list: readonly AnyEvent[];
  /** The types of all events so far, in order. */
  readonly types: readonly EventType[];
  /** How many events of each type there were; types that never occurred are missing. */
  readonly counts: Readonly<Partial<Record<EventType, number>>>;
  /** The events of one type. */
  of<T extends EventType>(type: T): JarvisEvent<T>[];
  /** The events of one run. */
  ofRun(runId: string): AnyEvent[];
  /**
   * Throws, with every finding, unless each start of a run, a tool call and an inference call has exactly one end after
   * it, tool and inference calls lie inside the run they belong to, and `seq` counts up.
   */
  assertBalanced(): void;
  /** Forgets what was recorded and goes on. */
  clear(): void;
  /** Ends the recording. */
  stop(): void;
}

/** Records the events of a bus from now on. */
export function recordEvents(bus: EventBus): EventRecorder {
  const list: AnyEvent[] = [];
  const stop = bus.subscribe("*", (event) => void list.push(event));
  return {
    list,
    get types() {
      return list.map((event) => event.type);
    },
    get counts() {
      const counts: Partial<Record<EventType, number>> = {};
      for (const { type } of list) counts[type] = (counts[type] ?? 0) + 1;
      return counts;
    },
    of<T extends EventType>(type: T): JarvisEvent<T>[] {
      return list.filter((event): event is AnyEvent & JarvisEvent<T> => event.type === type);
    },
    ofRun: (runId) => list.filter((event) => event.runId === runId),
    assertBalanced() {
      const problems = findImbalances(list);
      if (problems.length > 0) throw new Error(`The events are not balanced:\n- ${problems.join("\n- ")}`);
    },
    clear: () => void list.splice(0),
    stop,
    [Symbol.dispose]: stop,
  };
}
