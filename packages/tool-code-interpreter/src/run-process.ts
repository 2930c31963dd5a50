import { type ChildProcess, spawn } from "node:child_process";
import { JarvisError } from "@openjarvis/core";
import { OutputBuffer } from "./output-buffer.js";
import type { CommandLine } from "./process-runner.js";

/** Bounds of a process. */
export interface ProcessBounds {
  cwd: string;
  timeoutMs: number;
  maxOutputChars: number;
  signal: AbortSignal;
}

/** How a process ended. */
export interface ProcessOutcome {
  end: "exit" | "timeout" | "cancelled";
  /** `null` when a signal ended it. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  truncated: boolean;
  durationSeconds: number;
}

/** Milliseconds a killed process may take to go, before its pipes are cut. */
const killGraceMs = 2_000;
const isWindows = process.platform === "win32";

/**
 * Runs a command without a terminal and without input, in a process group of its own, which is killed at its end: what
 * it started does not outlive it. Rejects with `OJ_TOOL_FAILED` only when it cannot be started.
 */
export function runProcess(
  executable: string,
  line: CommandLine,
  bounds: ProcessBounds,
): Promise<ProcessOutcome> {
  const { cwd, timeoutMs, maxOutputChars, signal } = bounds;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(executable, line.args, {
      cwd,
      env: { ...line.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: !isWindows,
      windowsHide: true,
    });
    const stdout = new OutputBuffer(maxOutputChars);
    const stderr = new OutputBuffer(maxOutputChars);
    child.stdout.setEncoding("utf8").on("data", (text: string) => stdout.add(text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => stderr.add(text));
    let end: ProcessOutcome["end"] = "exit";
    let grace: NodeJS.Timeout | undefined;
    const stop = (why: "timeout" | "cancelled") => {
      if (end !== "exit") return;
      end = why;
      if (line.killArgs !== undefined) killOutside(executable, line);
      killGroup(child);
      // A process that left the group may hold the pipes open.
      grace = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, killGraceMs);
    };
    const cancel = () => stop("cancelled");
    const timer = setTimeout(() => stop("timeout"), timeoutMs);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    const tidy = () => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener("abort", cancel);
    };
    child.once("error", (cause) => {
      tidy();
      reject(new JarvisError("OJ_TOOL_FAILED", `${executable} could not be started.`, { cause }));
    });
    // Children that hold the pipes would keep `close` from coming.
    child.once("exit", () => killGroup(child));
    child.once("close", (exitCode) => {
      tidy();
      resolve({
        end,
        exitCode,
        stdout: stdout.text,
        stderr: stderr.text,
        truncated: stdout.truncated || stderr.truncated,
        durationSeconds: (performance.now() - started) / 1000,
      });
    });
  });
}

function killGroup(child: ChildProcess): void {
  const { pid } = child;
  if (pid === undefined) return;
  try {
    if (isWindows) child.kill("SIGKILL");
    else process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends what runs outside the process group, such as a container; when it is gone already, so much the better. */
function killOutside(executable: string, { killArgs = [], env }: CommandLine): void {
  const killer = spawn(executable, killArgs, { env: { ...env }, stdio: "ignore", timeout: 10_000 });
  killer.once("error", (error) => process.emitWarning(`A container could not be ended: ${error.message}`));
}
