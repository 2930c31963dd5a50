import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CellResult, checkInteger, JarvisError, throwIfAborted } from "@openjarvis/core";
import { dockerCommand } from "./docker-command.js";
import { findExecutable } from "./find-executable.js";
import type { CodeInterpreterOptions, CodeRunner } from "./options.js";
import { type ProcessOutcome, runProcess } from "./run-process.js";

/** Runs one program in a process of its own. Resolves for whatever the program does. */
export type RunProgram = (code: string, signal: AbortSignal) => Promise<CellResult>;

/** A command line. */
export interface CommandLine {
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Arguments of the command that ends what a killed process leaves behind. */
  killArgs?: readonly string[];
}

/** Linux refuses an argument of 128 KiB or more. */
const maxCodeBytes = 100_000;
const defaultTimeoutMs = 30_000;
const defaultOutputChars = 10_000;

/** The runner `system` or `docker`. Throws `OJ_OPTION` for limits that are no limits. */
export function createProcessRunner(
  runner: Exclude<CodeRunner, "sandbox">,
  { command, limits = {}, docker }: CodeInterpreterOptions,
): RunProgram {
  const timeoutMs = Math.min(
    limits.timeoutMs ?? defaultTimeoutMs,
    limits.totalTimeoutMs ?? defaultTimeoutMs * 10,
  );
  const maxOutputChars = limits.maxOutputChars ?? defaultOutputChars;
  checkInteger("limits.timeoutMs", timeoutMs, 1, 86_400_000);
  checkInteger("limits.maxOutputChars", maxOutputChars, 100, 10_000_000);
  // Bounds that are none are an error here, not in the middle of a run.
  if (runner === "docker") dockerCommand("", limits, docker);
  const lineFor = (code: string): CommandLine =>
    runner === "system" ? { args: ["-I", "-c", code], env: {} } : dockerCommand(code, limits, docker);
  const program = command ?? (runner === "system" ? "python3" : "docker");

  return async (code, signal) => {
    if (Buffer.byteLength(code) > maxCodeBytes) {
      throw new JarvisError(
        "OJ_TOOL_ARGUMENTS",
        `The code is longer than ${maxCodeBytes} bytes; write less at a time.`,
      );
    }
    throwIfAborted(signal);
    const executable = await findExecutable(program);
    const cwd = await mkdtemp(join(tmpdir(), "openjarvis-code-"));
    try {
      const outcome = await runProcess(executable, lineFor(code), { cwd, timeoutMs, maxOutputChars, signal });
      return cellOf(outcome, timeoutMs);
    } finally {
      await rm(cwd, { recursive: true, force: true, maxRetries: 3 });
    }
  };
}

/** A process's end as a cell's: what Python writes to stderr as it fails is the traceback. */
function cellOf(outcome: ProcessOutcome, timeoutMs: number): CellResult {
  const { stdout, stderr, truncated, durationSeconds, end, exitCode } = outcome;
  const facts = { stdout, truncated, durationSeconds, stateLost: false };
  if (end === "exit" && exitCode === 0) return { ...facts, success: true, stderr };
  if (end === "timeout") {
    const message = `The program timed out after ${timeoutMs / 1000} s and was ended.`;
    return {
      ...facts,
      success: false,
      stderr,
      error: { kind: "timeout", name: "Timeout", message, traceback: "" },
    };
  }
  if (end === "cancelled") {
    const message = "The program was cancelled.";
    return {
      ...facts,
      success: false,
      stderr,
      error: { kind: "cancelled", name: "Cancelled", message, traceback: "" },
    };
  }
  const message = exitCode === null ? "The program was killed." : `The program ended with code ${exitCode}.`;
  const exception = lastException(stderr);
  if (exitCode === null || exception === undefined) {
    const kind = exitCode === null ? "crash" : "exit";
    return { ...facts, success: false, stderr, error: { kind, name: "Exit", message, traceback: "" } };
  }
  const kind = /^(?:Syntax|Indentation|Tab)Error$/.test(exception) ? "syntax" : "runtime";
  return {
    ...facts,
    success: false,
    stderr: "",
    error: { kind, name: exception, message, traceback: stderr },
  };
}

/** The exception that Python says it ended with: what stands first on a line behind the lines of the program. */
function lastException(stderr: string): string | undefined {
  const trace = Math.max(
    stderr.lastIndexOf("Traceback (most recent call last):"),
    stderr.lastIndexOf('  File "'),
  );
  if (trace < 0) return undefined;
  return /^([A-Za-z_][\w.]*)(?::|\s*$)/m.exec(stderr.slice(trace).replace(/^Traceback.*\n?/, ""))?.[1];
}
