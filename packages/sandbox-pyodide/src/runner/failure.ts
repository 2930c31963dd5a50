import type { CellOutcome, FatalFrame } from "../protocol.js";

/** How an error of JavaScript that left the interpreter ends its process. */
export function fatalOf(error: unknown): FatalFrame {
  const { name, message, status } = factsOf(error);
  if (typeof status === "number") {
    return {
      type: "fatal",
      kind: "exit",
      message: `the cell ended the interpreter with exit code ${status}`,
    };
  }
  if (name === "RangeError" && /call stack/i.test(message)) {
    return { type: "fatal", kind: "stack", message: "the stack of the interpreter is full" };
  }
  return {
    type: "fatal",
    kind: "crash",
    message: `the interpreter broke: ${name}: ${message}`.slice(0, 2000),
  };
}

/** The outcome of a cell whose report itself failed, as it may when the memory is full; `undefined` for other errors. */
export function outcomeOf(error: unknown): CellOutcome | undefined {
  const { name, type } = factsOf(error);
  if (name !== "PythonError") return undefined;
  const kind = type === "MemoryError" ? "memory" : "crash";
  const message = "the cell failed, and so did the report about it";
  return { error: { kind, name: type, message, traceback: "" } };
}

function factsOf(error: unknown): { name: string; message: string; type: string; status: unknown } {
  const facts = typeof error === "object" && error !== null ? (error as Record<string, unknown>) : {};
  const text = (value: unknown) => (typeof value === "string" ? value : "");
  return {
    name: text(facts.name),
    message: text(facts.message),
    type: text(facts.type),
    status: facts.status,
  };
}
