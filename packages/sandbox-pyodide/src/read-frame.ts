import type { CellErrorKind } from "@openjarvis/core";
import type { CellOutcome, CellReport, FatalFrame, StreamName, StreamRest } from "./protocol.js";

const kinds: ReadonlySet<string> = new Set([
  "syntax",
  "runtime",
  "timeout",
  "memory",
  "stack",
  "exit",
  "host_calls",
  "cancelled",
  "crash",
] satisfies CellErrorKind[]);

/** A number of a request or a call. Throws for anything else. */
export function readId(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error("a frame has no number");
}

/** The name of a stream. Throws for anything else. */
export function readStream(value: unknown): StreamName {
  if (value === "stdout" || value === "stderr") return value;
  throw new Error("a frame names an unknown stream");
}

/** Why an interpreter ended. */
export function readFatal(head: Record<string, unknown>): FatalFrame {
  return { type: "fatal", kind: readKind(head.kind), message: readText(head.message) };
}

/** What an interpreter says of a cell. Throws when it is not of the form it must have. */
export function readReport(text: string): CellReport {
  const report = readObject(JSON.parse(text));
  return {
    outcome: readOutcome(report.outcome),
    stdout: readRest(report.stdout),
    stderr: readRest(report.stderr),
  };
}

function readOutcome(value: unknown): CellOutcome {
  const given = readObject(value);
  const outcome: CellOutcome = {};
  if (given.value !== undefined) outcome.value = readText(given.value);
  if (given.json !== undefined) outcome.json = readText(given.json);
  if (given.truncated === true) outcome.truncated = true;
  if (given.error === undefined) return outcome;
  const error = readObject(given.error);
  const { name, message, traceback } = error;
  outcome.error = {
    kind: readKind(error.kind),
    name: readText(name),
    message: readText(message),
    traceback: readText(traceback),
  };
  return outcome;
}

function readRest(value: unknown): StreamRest {
  const { total, tail } = readObject(value);
  return { total: readId(total), tail: readText(tail) };
}

function readKind(value: unknown): CellErrorKind {
  if (typeof value === "string" && kinds.has(value)) return value as CellErrorKind;
  throw new Error("an error has an unknown kind");
}

function readText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error("a report lacks a text");
}

function readObject(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw new Error("a report lacks an object");
}
