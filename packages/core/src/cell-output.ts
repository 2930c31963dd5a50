import type { ErrorCode } from "./error-codes.js";
import type { CellError, CellResult } from "./sandbox.js";
import type { ToolOutput } from "./tool-types.js";

/** How a cell was run. */
export interface CellOutputOptions {
  language: string;
  /** Whether later cells count on its variables, so that their loss has to be said. @default false */
  inSession?: boolean;
}

/** What a model reads of a cell, as a console shows it, and facts beside it for programs. */
export function outputOfCell(cell: CellResult, options: CellOutputOptions): Exclude<ToolOutput, string> {
  const { language, inSession = false } = options;
  const { success, stdout, stderr, value, error, durationSeconds, stateLost, truncated } = cell;
  const last = error === undefined ? (value ?? "") : describeError(error);
  const lost = stateLost && inSession ? "[All variables were lost: define again what you need.]" : "";
  const text = joinLines([stdout, stderr, last, lost]);
  return {
    content: text === "" ? "(no output)" : text,
    success,
    metadata: {
      ...(success ? {} : { code: codeOf(error) }),
      language,
      exitKind: error?.kind ?? "ok",
      durationSeconds,
      stateLost,
      truncated,
    },
  };
}

/** What went wrong, and the guest's own lines where there are some; a traceback of Python names the error itself. */
function describeError({ kind, name, message, traceback }: CellError): string {
  const lines = traceback.trimEnd();
  const named = lines.includes(name) ? lines : `${name}: ${message}\n${lines}`.trimEnd();
  const said = lines === "" ? `${name}: ${message}` : named;
  return kind === "timeout" && !/timed out/i.test(said) ? `${said}\nThe program timed out.` : said;
}

function codeOf(error: CellError | undefined): ErrorCode {
  if (error?.kind === "timeout") return "OJ_TOOL_TIMEOUT";
  return error?.kind === "cancelled" ? "OJ_ABORTED" : "OJ_TOOL_FAILED";
}

/** Texts below one another, as a console shows them; the line break at the end goes. */
function joinLines(texts: readonly string[]): string {
  let joined = "";
  for (const text of texts) {
    if (text !== "") joined += joined === "" || joined.endsWith("\n") ? text : `\n${text}`;
  }
  return joined.replace(/\r?\n$/, "");
}
