import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "@openjarvis/core";

/** One statement about a subject. `run` rejects, saying what is wrong, when the subject does not keep it. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A check that failed. */
export interface Problem {
  /** The name of the check. */
  check: string;
  message: string;
}

/** Runs checks one after the other, without a test runner, and returns those that failed. */
export async function runChecks(checks: readonly Check[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const check of checks) {
    try {
      await check.run();
    } catch (error) {
      problems.push({ check: check.name, message: errorText(error) });
    }
  }
  return problems;
}

/** The value of a promise; rejects when it has not settled after a time that only a subject that hangs needs. */
export async function settled<T>(promise: Promise<T>, seconds: number, what: string): Promise<T> {
  const end = new AbortController();
  const late = sleep(seconds * 1000, undefined, { signal: end.signal }).then(() => {
    throw new Error(`${what} had not settled after ${seconds} s.`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    end.abort();
    // The race is decided; what the loser says no longer matters.
    late.catch(() => {});
  }
}

/** Freezes plain objects and arrays to any depth, so that a subject that changes them throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (Array.isArray(value) || prototype === Object.prototype) {
      Object.freeze(value);
      for (const item of Object.values(value)) deepFreeze(item);
    }
  }
  return value;
}
