import type { CellError } from "@openjarvis/core";
import type { CellLimits } from "./limits.js";

/** Why the host stops a cell. */
export type StopReason = "timeout" | "total" | "cancelled";

/** The error of a cell that the host stopped. */
export function stopError(reason: StopReason, limits: CellLimits): CellError {
  switch (reason) {
    case "timeout": {
      const message = `The cell computed longer than ${limits.timeoutMs} ms.`;
      return { kind: "timeout", name: "timeoutMs", message, traceback: "" };
    }
    case "total": {
      const message = `The cell took longer than ${limits.totalTimeoutMs} ms in all, waiting included.`;
      return { kind: "timeout", name: "totalTimeoutMs", message, traceback: "" };
    }
    case "cancelled":
      return { kind: "cancelled", name: "AbortError", message: "The cell was cancelled.", traceback: "" };
  }
}

/** The error with the lines at which the cell was when it was stopped; their last names the reason. */
export function withReason(error: CellError, raised: CellError | undefined): CellError {
  if (raised === undefined || raised.traceback === "") return error;
  const lines = raised.traceback.split("\n");
  const last = lines.findLastIndex((line) => /^(?:KeyboardInterrupt|Interrupted)\b/.test(line));
  if (last < 0) return { ...error, traceback: raised.traceback };
  const traceback = [
    ...lines.slice(0, last),
    `${error.name}: ${error.message}`,
    ...lines.slice(last + 1),
  ].join("\n");
  return { ...error, traceback };
}
