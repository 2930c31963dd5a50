import type { HostStop } from "../cell-board.js";
import type { WorkerCellError, WorkerLimits } from "../protocol.js";

/** Why a cell is stopped. `total` is told by the host, as `cancelled` is. */
export type StopReason = HostStop | "timeout" | "host_calls";

/** The error of a cell that was stopped. */
export function stopError(reason: StopReason, limits: WorkerLimits, traceback: string): WorkerCellError {
  switch (reason) {
    case "timeout": {
      const message = `The cell computed longer than ${limits.timeoutMs} ms.`;
      return { kind: "timeout", name: "timeoutMs", message, traceback };
    }
    case "total":
      // The host knows this limit and puts in the message.
      return { kind: "timeout", name: "totalTimeoutMs", message: "", traceback };
    case "host_calls": {
      const message = `The cell called host functions more than ${limits.maxHostCalls} times.`;
      return { kind: "host_calls", name: "maxHostCalls", message, traceback };
    }
    case "cancelled":
      return { kind: "cancelled", name: "AbortError", message: "The cell was cancelled.", traceback };
  }
}
