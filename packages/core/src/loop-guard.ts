import type { EventMap } from "./events.js";
import type { ToolResult, ToolSpec } from "./tool-types.js";

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
export type LoopVerdict =
  | { action: "allow" }
  | { action: "warn" | "block"; reason: string; reasonType: EventMap["LOOP_GUARD_TRIGGERED"]["reasonType"] };

interface Seen {
  count: number;
  outcome: string | undefined;
}

const allow: LoopVerdict = { action: "allow" };

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
  }

  /** Judges a call that is about to run and counts it. */
  check(spec: Pick<ToolSpec, "name" | "metadata">, args: string): LoopVerdict {
    if (!this.#limits.enabled) return allow;
    const key = `${spec.name}:${canonicalArguments(args)}`;
    const polling = spec.metadata?.polling === true;
    const seen = this.#seen.get(key) ?? { count: 0, outcome: undefined };
    seen.count += 1;
    this.#seen.set(key, seen);
    const limit = polling ? this.#limits.pollToolBudget : this.#limits.maxIdenticalCalls;
    if (seen.count > limit) {
      const reason = `${spec.name} was called ${seen.count} times with the same arguments and the same outcome`;
      return this.#offence(key, reason, polling ? "poll_budget" : "identical_call");
    }
    if (polling) return allow;
    this.#recent.push(key);
    if (this.#recent.length > this.#limits.pingPongWindow) this.#recent.shift();
    const period = this.#period();
    if (period === 0) return allow;
    const pattern = [...new Set(this.#recent)].sort().join("\n");
    return this.#offence(pattern, `the same ${period} calls alternate without end`, "ping_pong");
  }

  /** Notes what a call brought; another outcome than before starts its count anew. */
  record(name: string, args: string, result: Pick<ToolResult, "content" | "success">): void {
    if (!this.#limits.enabled) return;
    const seen = this.#seen.get(`${name}:${canonicalArguments(args)}`);
    if (seen === undefined) return;
    const outcome = `${result.success}:${result.content}`;
    if (seen.outcome !== undefined && seen.outcome !== outcome) seen.count = 1;
    seen.outcome = outcome;
  }

  #offence(
    key: string,
    reason: string,
    reasonType: EventMap["LOOP_GUARD_TRIGGERED"]["reasonType"],
  ): LoopVerdict {
    if (!this.#warned.has(key)) {
      this.#warned.add(key);
      return { action: "warn", reason, reasonType };
    }
    this.blockedCalls += 1;
    return { action: "block", reason, reasonType };
  }

  /** 2 or 3 when the whole window repeats with that period and is not one call over and over; else 0. */
  #period(): number {
    const recent = this.#recent;
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
  const keys = Object.keys(value);
  const object = value as Record<string, unknown>;
  return Object.fromEntries(keys.sort().map((key) => [key, sortKeys(object[key])]));
}
