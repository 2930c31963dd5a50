import type { CellErrorKind, CellResult } from "@openjarvis/core";

/** The result of a cell that did not run. */
export function failedCell(
  kind: CellErrorKind,
  name: string,
  message: string,
  { stateLost = false }: { stateLost?: boolean } = {},
): CellResult {
  return {
    success: false,
    stdout: "",
    stderr: "",
    error: { kind, name, message, traceback: "" },
    stateLost,
    truncated: false,
    durationSeconds: 0,
  };
}
