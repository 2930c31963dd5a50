import type { CellError, CellErrorKind, CellResult, HostFunction } from "@openjarvis/core";
import { errorText } from "@openjarvis/core";
import { Countdown } from "./countdown.js";
import { HostCalls } from "./host-calls.js";
import { parseUntrusted } from "./json.js";
import type { CellLimits } from "./limits.js";
import { fitOutput, StreamText } from "./output.js";
import type { CellOutcome, CellReport, HostFrame, StreamName } from "./protocol.js";
import { type CellListener, ProcessGoneError, type PythonProcess } from "./python-process.js";
import { readReport } from "./read-frame.js";
import { residentPollMs } from "./resident-memory.js";
import { type StopReason, stopError, withReason } from "./stop-error.js";

/** What a cell is made of. */
export interface CellRunOptions {
  process: PythonProcess;
  code: string;
  limits: CellLimits;
  functions: Readonly<Record<string, HostFunction>>;
  /** Milliseconds after which a process that does not stop a cell is ended. */
  graceMs: number;
  signal: AbortSignal | undefined;
}

/** What the process may hold beside the guest's memory: compiled code, texts on their way. */
const overheadBytes = 128 * 1024 * 1024;
/** Milliseconds beyond all limits after which an interpreter ends itself. */
const orphanMs = 2_000;
/** Most bytes of a report, for each character of output and on top. */
const reportBytes = { perChar: 32, base: 8_000_000 };

/**
 * The host's side of one cell: it keeps the time, watches the memory, performs the host calls, and ends the process when
 * it does not stop.
 */
export class CellRun implements CellListener {
  readonly #options: CellRunOptions;
  readonly #calls: HostCalls;
  readonly #texts: Record<StreamName, StreamText>;
  readonly #startedAt = performance.now();
  readonly #computing: Countdown;
  readonly #timers = new Map<"total" | "grace" | "tick" | "memory", NodeJS.Timeout>();
  #stop: StopReason | undefined;
  /** Why the process was ended. */
  #killed: StopReason | "memory" | "closed" | undefined;

  constructor(options: CellRunOptions) {
    const { functions, limits } = options;
    this.#options = options;
    this.#calls = new HostCalls({
      functions,
      limit: limits.maxHostCalls,
      reply: (frame, body) => this.#post(frame, body),
    });
    this.#computing = new Countdown(limits.timeoutMs, () => this.#requestStop("timeout"));
    this.#texts = {
      stdout: new StreamText(limits.maxOutputChars),
      stderr: new StreamText(limits.maxOutputChars),
    };
  }

  /** Runs the cell to its end, which its limits bound. Never rejects for what a guest does. */
  async run(): Promise<CellResult> {
    const { process, code, limits, signal } = this.#options;
    const { maxOutputChars, memoryBytes } = limits;
    const patienceMs = limits.totalTimeoutMs + this.#options.graceMs + orphanMs;
    const onAbort = () => this.#requestStop("cancelled");
    this.#computing.resume();
    this.#after("total", limits.totalTimeoutMs, () => this.#requestStop("total"));
    this.#watchMemory();
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      const request = (id: number): HostFrame => ({
        type: "cell",
        id,
        maxOutputChars,
        memoryBytes,
        patienceMs,
      });
      const answer = process.request(request, code, this);
      if (signal?.aborted) onAbort();
      return this.#finished(await answer);
    } catch (error) {
      return this.#failed(error);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      this.#computing.pause();
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#timers.clear();
      this.#calls.end();
    }
  }

  /** Ends the cell together with its process. */
  kill(): void {
    this.#kill("closed");
  }

  onCall(call: number, name: string, args: Buffer): void {
    this.#calls.start(call, name, args);
  }

  onWait(milliseconds: number): void {
    if (this.#stop !== undefined) {
      this.#options.process.interrupt();
      return;
    }
    // Only waiting for the host is free; what the guest sleeps is its own time.
    if (this.#calls.open > 0) this.#computing.pause();
    if (milliseconds >= 0)
      this.#after("tick", Math.min(milliseconds, 2 ** 30), () => this.#post({ type: "tick" }));
  }

  onOutput(stream: StreamName, piece: Buffer): void {
    this.#texts[stream].add(piece);
  }

  #post(frame: HostFrame, body?: string): void {
    clearTimeout(this.#timers.get("tick"));
    this.#computing.resume();
    this.#options.process.post(frame, body);
  }

  #requestStop(reason: StopReason): void {
    if (this.#stop !== undefined) return;
    this.#stop = reason;
    this.#options.process.interrupt();
    this.#after("grace", this.#options.graceMs, () => this.#kill(reason));
  }

  #watchMemory(): void {
    const { process, limits } = this.#options;
    this.#after("memory", residentPollMs, async () => {
      const bytes = await process.residentBytes();
      if (!this.#timers.has("memory")) return;
      if (bytes !== undefined && bytes > process.idleBytes + limits.memoryBytes + overheadBytes)
        this.#kill("memory");
      else this.#watchMemory();
    });
  }

  #kill(reason: StopReason | "memory" | "closed"): void {
    this.#killed ??= reason;
    this.#options.process.kill();
  }

  #after(name: "total" | "grace" | "tick" | "memory", ms: number, action: () => void): void {
    this.#timers.set(name, setTimeout(action, Math.ceil(ms)));
  }

  #finished(body: Buffer): CellResult {
    let report: CellReport;
    const { maxOutputChars } = this.#options.limits;
    try {
      if (body.length > reportBytes.base + reportBytes.perChar * maxOutputChars)
        throw new Error("it is too long");
      report = readReport(body.toString("utf8"));
      return this.#result(report);
    } catch (error) {
      this.#kill("closed");
      return this.#lost({
        kind: "crash",
        name: "ProtocolError",
        message: `The interpreter's report is wrong: ${errorText(error)}.`,
      });
    }
  }

  #result({ outcome, stdout, stderr }: CellReport): CellResult {
    this.#texts.stdout.finish(stdout);
    this.#texts.stderr.finish(stderr);
    const output = this.#output();
    const error = this.#errorOf(outcome);
    const result: CellResult = {
      success: error === undefined,
      stdout: output.stdout,
      stderr: output.stderr,
      stateLost: false,
      truncated: output.truncated || outcome.truncated === true,
      durationSeconds: this.#seconds(),
    };
    if (outcome.value !== undefined) result.value = outcome.value;
    if (outcome.json !== undefined) result.json = parseUntrusted(outcome.json);
    if (error !== undefined) result.error = error;
    return result;
  }

  #errorOf(outcome: CellOutcome): CellError | undefined {
    // A guest that catches its interruption and goes on has not kept its limit all the same.
    if (this.#stop !== undefined)
      return withReason(stopError(this.#stop, this.#options.limits), outcome.error);
    const { error } = outcome;
    if (error?.kind === "host_calls") return { ...error, name: "maxHostCalls" };
    if (error?.kind === "memory" && error.message === "") {
      const { memoryBytes } = this.#options.limits;
      return { ...error, message: `The guest needs more than the ${memoryBytes} bytes of memoryBytes.` };
    }
    return error;
  }

  #failed(error: unknown): CellResult {
    if (!(error instanceof ProcessGoneError)) {
      this.#kill("closed");
      return this.#lost({ kind: "crash", name: "InterpreterError", message: errorText(error) });
    }
    const { limits } = this.#options;
    const { fatal } = error;
    const forced = "It could not be stopped otherwise, so the interpreter was ended.";
    switch (this.#killed) {
      case "closed":
        return this.#lost({ kind: "cancelled", name: "AbortError", message: "The session was closed." });
      case "memory": {
        const message = `The process of the interpreter needed more than the ${limits.memoryBytes} bytes of memoryBytes.`;
        return this.#lost({ kind: "memory", name: "memoryBytes", message });
      }
      case undefined: {
        if (fatal === undefined)
          return this.#lost({ kind: "crash", name: "ProcessGone", message: error.message });
        const names: Partial<Record<CellErrorKind, string>> = { exit: "SystemExit", stack: "RecursionError" };
        return this.#lost({
          kind: fatal.kind,
          name: names[fatal.kind] ?? "InterpreterError",
          message: sentence(fatal.message),
        });
      }
      default: {
        const { kind, name, message } = stopError(this.#killed, limits);
        return this.#lost({ kind, name, message: `${message} ${forced}` });
      }
    }
  }

  /** The result of a cell that took the variables with it. */
  #lost({ kind, name, message }: Omit<CellError, "traceback">): CellResult {
    return {
      success: false,
      ...this.#output(),
      error: { kind, name, message: `${message} The variables of the session are lost.`, traceback: "" },
      stateLost: true,
      durationSeconds: this.#seconds(),
    };
  }

  #output() {
    return fitOutput(this.#texts.stdout, this.#texts.stderr, this.#options.limits.maxOutputChars);
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
