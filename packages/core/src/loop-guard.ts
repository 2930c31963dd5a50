import type { EventMap } from "./events.js";
import { checkInteger, checkOptionKeys } from "./options.js";
import type { ToolResult } from "./tool-types.js";

/** Limits of a {@link LoopGuard}. */
export interface LoopGuardOptions {
  /** @default true */
  enabled?: boolean;
  /** How often the same call (name and arguments) with the same outcome runs before the model is warned. @default 3 */
  maxIdenticalCalls?: number;
  /** How many last calls are looked at for a repeating pattern of two or three calls. @default 6 */
  pingPongWindow?: number;
  /** The limit in place of `maxIdenticalCalls` for tools with `metadata.polling`. @default 30 */
  pollToolBudget?: number;
}

/** What the guard says of a call. A warned call runs, and the model is told the reason beside the result. */
export interface LoopVerdict {
  action: "allow" | "warn" | "block";
  /** What the call is, for {@link LoopGuard.record}. */
  key: string;
  /** Why a call is warned about or blocked; empty when it is allowed. */
  reason: string;
  reasonType: EventMap["LOOP_GUARD_TRIGGERED"]["reasonType"] | undefined;
}

interface Seen {
  count: number;
  outcome: string | undefined;
}

/**
 * Notices a model that repeats itself: the first offence warns, the next one of its kind blocks. It holds the state of
 * one run; every run has its own guard.
 *
 * A call counts as a repetition only while it also brings the same outcome, so that asking for a changing state is no
 * offence.
 */
export class LoopGuard {
  readonly #limits: Required<LoopGuardOptions>;
  readonly #seen = new Map<string, Seen>();
  readonly #recent: string[] = [];
  readonly #warned = new Set<string>();
  /** Calls blocked so far. */
  blockedCalls = 0;

  constructor(options: LoopGuardOptions = {}) {
    this.#limits = {
      enabled: options.enabled ?? true,
      maxIdenticalCalls: options.maxIdenticalCalls ?? 3,
      pingPongWindow: options.pingPongWindow ?? 6,
      pollToolBudget: options.pollToolBudget ?? 30,
    };
    checkOptionKeys("loopGuard", options, Object.keys(this.#limits));
    for (const key of ["maxIdenticalCalls", "pingPongWindow", "pollToolBudget"] as const) {
      checkInteger(`loopGuard.${key}`, this.#limits[key], 1);
    }
  }

  /**
   * Judges a call that is about to run and counts it.
   *
   * @param polling whether the tool is asked the same thing again on purpose
   */
  check(name: string, args: string, polling = false): LoopVerdict {
    const key = `${name}:${canonicalArguments(args)}`;
    const allowed: LoopVerdict = { action: "allow", key, reason: "", reasonType: undefined };
    if (!this.#limits.enabled) return allowed;
    const seen = this.#seen.get(key) ?? { count: 0, outcome: undefined };
    seen.count += 1;
    this.#seen.set(key, seen);
    // Patterns come first: calls in turn that are also equal ones would be warned about once more instead of blocked.
    const period = polling ? 0 : this.#periodWith(key);
    if (period > 0) {
      const pattern = [...new Set(this.#recent)].sort().join("\n");
      return this.#offence(key, pattern, `the same ${period} calls alternate without end`, "ping_pong");
    }
    const limit = polling ? this.#limits.pollToolBudget : this.#limits.maxIdenticalCalls;
    if (seen.count <= limit) return allowed;
    const reason = `${name} was called ${seen.count} times with the same arguments and the same outcome`;
    return this.#offence(key, key, reason, polling ? "poll_budget" : "identical_call");
  }

  /** Notes what a call brought; another outcome than before means progress, and counting starts anew. */
  record({ key }: LoopVerdict, result: Pick<ToolResult, "content" | "success">): void {
    const seen = this.#seen.get(key);
    if (seen === undefined) return;
    const outcome = `${result.success}:${result.content}`;
    if (seen.outcome !== undefined && seen.outcome !== outcome) {
      seen.count = 1;
      this.#recent.length = 0;
    }
    seen.outcome = outcome;
  }

  #offence(key: string, kind: string, reason: string, reasonType: LoopVerdict["reasonType"]): LoopVerdict {
    if (!this.#warned.has(kind)) {
      this.#warned.add(kind);
      return { action: "warn", key, reason, reasonType };
    }
    this.blockedCalls += 1;
    return { action: "block", key, reason, reasonType };
  }

  /** Notes a call; 2 or 3 when the window repeats with that period and is not one call over and over; else 0. */
  #periodWith(key: string): number {
    const recent = this.#recent;
    recent.push(key);
    if (recent.length > this.#limits.pingPongWindow) recent.shift();
    if (recent.length < this.#limits.pingPongWindow || recent.length < 4) return 0;
    if (recent.every((key) => key === recent[0])) return 0;
    for (const period of [2, 3]) {
      if (recent.length >= 2 * period && recent.every((key, i) => i < period || key === recent[i - period]))
        return period;
    }
    return 0;
  }
}

/** Arguments as text that does not depend on the order of keys or on white space. */
function canonicalArguments(args: string): string {
  try {
    return JSON.stringify(sortKeys(JSON.parse(args)));
  } catch {
    return args.trim();
  }
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object);
  const [only] = keys;
  if (only !== undefined && keys.length === 1 && typeof object[only] !== "object") return value;
  return Object.fromEntries(keys.sort().map((key) => [key, sortKeys(object[key])]));
}
