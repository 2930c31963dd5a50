import type { CellErrorKind } from "@openjarvis/core";
import type { Thrown } from "../guest/natives.js";
import type { WorkerCellError } from "../protocol.js";
import type { BlockedCall } from "../rewrite/awaits.js";
import { runtimeHint } from "./runtime-hint.js";

/** The error of a cell from what the guest threw; `full` says that its memory has no room left. */
export function cellError(
  thrown: Thrown & { traceback: string },
  { compiling, full, blocked }: { compiling: boolean; full: boolean; blocked: readonly BlockedCall[] },
): WorkerCellError {
  const { name, traceback, causes } = thrown;
  // When not even an error fits into the memory, QuickJS throws null.
  const noError = full && name === "Uncaught" && thrown.message === "null";
  const message = noError ? "out of memory" : thrown.message;
  const kind = noError ? "memory" : kindOf(thrown, compiling);
  const hint = kind === "runtime" ? runtimeHint(thrown, blocked) : limitHints[kind];
  const because = causes.map((cause) => `caused by ${cause}`);
  return {
    kind,
    name,
    message: hint === undefined ? message : `${message}. ${hint}`,
    traceback: [traceback, ...because].filter((part) => part !== "").join("\n"),
  };
}

const limitHints: Partial<Record<CellErrorKind, string>> = {
  memory: "Work on smaller pieces, and set to null what is not needed any more.",
  stack: "The recursion is too deep; use a loop.",
};

function kindOf({ name, message }: Thrown, compiling: boolean): CellErrorKind {
  if (message === "stack overflow") return "stack";
  if (name === "InternalError" && message.startsWith("out of memory")) return "memory";
  return compiling && name === "SyntaxError" ? "syntax" : "runtime";
}

/** The error of a cell that waits for what cannot come. */
export function unsettledError(): WorkerCellError {
  const message =
    "The cell did not finish: it waits for a promise that nothing can settle any more. " +
    "Host functions answer only while the cell that called them runs.";
  return { kind: "runtime", name: "UnsettledPromise", message, traceback: "" };
}

/** The error of a cell whose memory does not hold what the host puts in. */
export function memoryError(): WorkerCellError {
  return {
    kind: "memory",
    name: "InternalError",
    message: `out of memory. ${limitHints.memory}`,
    traceback: "",
  };
}

/** The error of a cell that broke its interpreter. */
export function brokenError(error: unknown): WorkerCellError {
  if (error instanceof RangeError) {
    const message = "The cell needed more stack than there is, and the interpreter had to be replaced.";
    return { kind: "stack", name: "RangeError", message, traceback: "" };
  }
  const message = "The interpreter broke and had to be replaced.";
  return { kind: "crash", name: "InterpreterError", message, traceback: "" };
}
