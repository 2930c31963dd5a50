import type { CellError, CellErrorKind, CellResult, HostFunction } from "@openjarvis/core";
import { CellBoard, type HostStop } from "./cell-board.js";
import { HostCalls } from "./host-calls.js";
import { parseUntrusted } from "./json.js";
import type { CellLimits } from "./limits.js";
import { readOutput } from "./output.js";
import { type CellOutcome, sharedClock } from "./protocol.js";
import { type SandboxWorker, WorkerGoneError } from "./sandbox-worker.js";

/** What a cell is made of. */
export interface CellRunOptions {
  worker: SandboxWorker;
  code: string;
  /** The cell's number in its session. */
  cell: number;
  limits: CellLimits;
  functions: Readonly<Record<string, HostFunction>>;
  /** Milliseconds after which a worker that does not stop a cell is ended. */
  graceMs: number;
  signal: AbortSignal | undefined;
}

const lost = "The variables that cells have made are lost.";
const forced = `It could not be stopped otherwise, so its worker was ended. ${lost}`;

/**
 * The host's side of one cell: keeps the limits that the worker cannot keep itself, performs its host calls, and ends
 * the worker when it does not stop.
 */
export class CellRun {
  readonly #options: CellRunOptions;
  readonly #board: CellBoard;
  readonly #calls: HostCalls;
  readonly #startedAt = sharedClock();
  #id = 0;
  #stop: HostStop | undefined;
  /** Why the worker was ended. */
  #killed: HostStop | "timeout" | "closed" | undefined;
  readonly #timers = new Map<"total" | "watch" | "grace", NodeJS.Timeout>();

  constructor(options: CellRunOptions) {
    this.#options = options;
    this.#board = new CellBoard(options.limits.maxOutputChars);
    this.#calls = new HostCalls(options.functions, (settle) => options.worker.post(settle));
  }

  /** Runs the cell to its end, which its limits bound. Never rejects. */
  async run(): Promise<CellResult> {
    const { worker, code, cell, limits, signal } = this.#options;
    const onAbort = () => this.#requestStop("cancelled");
    this.#board.clear();
    worker.onCall = (call) => this.#calls.start(call);
    const { memory } = this.#board;
    const { id, outcome } = worker.run({
      type: "run",
      code,
      cell,
      limits,
      board: memory,
      startedAt: this.#startedAt,
    });
    this.#id = id;
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
    this.#after("total", limits.totalTimeoutMs, () => this.#requestStop("total"));
    this.#watch(limits.timeoutMs + this.#options.graceMs);
    try {
      const ended = await outcome;
      if (ended.broken) await worker.terminate();
      return this.#result(ended);
    } catch (error) {
      return this.#failed(error);
    } finally {
      signal?.removeEventListener("abort", onAbort);
      worker.onCall = undefined;
      for (const timer of this.#timers.values()) clearTimeout(timer);
      this.#calls.end();
    }
  }

  /** Ends the cell together with its worker. */
  kill(): void {
    this.#kill("closed");
  }

  #requestStop(reason: HostStop): void {
    if (this.#stop !== undefined) return;
    this.#stop = reason;
    this.#board.requestStop(reason);
    this.#options.worker.post({ type: "stop", id: this.#id });
    this.#after("grace", this.#options.graceMs, () => this.#kill(reason));
  }

  /** Ends the worker when the guest computes longer than it may: then it does something that cannot be interrupted. */
  #watch(inMs: number): void {
    const { limits, graceMs } = this.#options;
    this.#after("watch", inMs, () => {
      const { ms, running } = this.#board.computed(sharedClock() - this.#startedAt);
      const left = limits.timeoutMs + graceMs - ms;
      if (running && left <= 0) this.#kill("timeout");
      else this.#watch(Math.max(left, 1));
    });
  }

  #kill(reason: HostStop | "timeout" | "closed"): void {
    this.#killed ??= reason;
    void this.#options.worker.terminate();
  }

  #after(name: "total" | "watch" | "grace", ms: number, action: () => void): void {
    this.#timers.set(name, setTimeout(action, Math.ceil(ms)));
  }

  #result(outcome: CellOutcome): CellResult {
    const { value, json, error, valueTruncated, stateLost } = outcome;
    const output = readOutput(this.#board);
    const result: CellResult = {
      success: error === undefined,
      stdout: output.stdout,
      stderr: output.stderr,
      stateLost,
      truncated: output.truncated || valueTruncated,
      durationSeconds: this.#seconds(),
    };
    if (value !== undefined) result.value = value;
    if (json !== undefined) result.json = parseUntrusted(json);
    if (error === undefined) return result;
    const message = error.message === "" ? this.#totalMessage() : error.message;
    return { ...result, error: { ...error, message: stateLost ? `${message} ${lost}` : message } };
  }

  #failed(error: unknown): CellResult {
    if (!(error instanceof WorkerGoneError)) throw error;
    return {
      success: false,
      ...readOutput(this.#board),
      error: this.#errorOf(error),
      stateLost: true,
      durationSeconds: this.#seconds(),
    };
  }

  #errorOf(gone: WorkerGoneError): CellError {
    const make = (kind: CellErrorKind, name: string, message: string): CellError => ({
      kind,
      name,
      message,
      traceback: "",
    });
    const { timeoutMs } = this.#options.limits;
    switch (this.#killed) {
      case "timeout":
        return make("timeout", "timeoutMs", `The cell computed longer than ${timeoutMs} ms. ${forced}`);
      case "total":
        return make("timeout", "totalTimeoutMs", `${this.#totalMessage()} ${forced}`);
      case "cancelled":
        return make("cancelled", "AbortError", `The cell was cancelled. ${forced}`);
      case "closed":
        return make("cancelled", "AbortError", "The session was closed.");
      default:
        if (gone.outOfMemory) {
          return make(
            "memory",
            "WorkerMemory",
            `The worker of the sandbox needed more memory than it may. ${lost}`,
          );
        }
        return make("crash", "WorkerError", `${gone.message} ${lost}`);
    }
  }

  #totalMessage(): string {
    return `The cell took longer than ${this.#options.limits.totalTimeoutMs} ms in all, waiting included.`;
  }

  #seconds(): number {
    return (sharedClock() - this.#startedAt) / 1000;
  }
}
