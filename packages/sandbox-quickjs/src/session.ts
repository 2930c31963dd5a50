import {
  type CellResult,
  type HostFunction,
  isJarvisError,
  JarvisError,
  type RunCellOptions,
  type SandboxSession,
} from "@openjarvis/core";
import { CellQueue } from "./cell-queue.js";
import { CellRun } from "./cell-run.js";
import { failedCell } from "./failed-cell.js";
import { checkGuestName } from "./guest-names.js";
import { encodeValue } from "./json.js";
import { type CellLimits, resolveLimits } from "./limits.js";
import { type SandboxWorker, WorkerGoneError } from "./sandbox-worker.js";

/** What a session needs of its sandbox. */
export interface SessionOptions {
  limits: CellLimits;
  functions: Readonly<Record<string, HostFunction>>;
  variables: Readonly<Record<string, unknown>>;
  insertAwait: boolean;
  graceMs: number;
  /** Gives a worker that serves nobody. */
  acquire: () => SandboxWorker;
  /** Takes a worker back. */
  release: (worker: SandboxWorker) => Promise<void>;
  onClose: () => void;
}

/** A session of the JavaScript sandbox: a worker of its own, made again when it had to be ended. */
export class QuickJsSession implements SandboxSession {
  readonly #options: SessionOptions;
  readonly #queue = new CellQueue();
  /** What the host has put in; put in again when the worker is another. */
  readonly #variables: Map<string, unknown>;
  #worker: SandboxWorker | undefined;
  /** Whether the worker has this session's interpreter. */
  #open = false;
  #running: CellRun | undefined;
  #cells = 0;
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#variables = new Map(Object.entries(options.variables));
  }

  /** Makes the session ready. Rejects with a {@link JarvisError}. */
  async start(): Promise<void> {
    await this.#queue.add(() => this.#prepare());
  }

  async run(code: string, options: RunCellOptions = {}): Promise<CellResult> {
    this.#throwIfClosed();
    const { signal } = options;
    const limits = resolveLimits(this.#options.limits, options.limits);
    if (this.#queue.isFull) {
      return failedCell("cancelled", "QueueFull", `${this.#queue.length} cells are waiting already.`);
    }
    return await this.#queue.add(() => this.#run(code, limits, signal), {
      signal,
      onCancel: () => failedCell("cancelled", "AbortError", "The cell was cancelled before it began."),
    });
  }

  async set(name: string, value: unknown): Promise<void> {
    this.#throwIfClosed();
    this.#checkName(name);
    this.#throwIfFull();
    await this.#queue.add(async () => {
      this.#throwIfClosed();
      const worker = await this.#prepare();
      await this.#put(worker, name, value);
      this.#variables.set(name, value);
    });
  }

  async reset(): Promise<void> {
    this.#throwIfClosed();
    this.#throwIfFull();
    await this.#queue.add(async () => {
      this.#throwIfClosed();
      this.#variables.clear();
      this.#open = false;
      await this.#prepare();
    });
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#running?.kill();
    // Whatever it does for this session is not wanted any more.
    if (this.#queue.length > 0) await this.#worker?.terminate();
    await this.#queue.add(async () => {
      this.#open = false;
      const worker = this.#worker;
      this.#worker = undefined;
      if (worker !== undefined) await this.#options.release(worker);
    });
    this.#variables.clear();
    this.#options.onClose();
  }

  async #run(code: string, limits: CellLimits, signal: AbortSignal | undefined): Promise<CellResult> {
    if (this.#closing !== undefined) return failedCell("cancelled", "AbortError", "The session was closed.");
    let worker: SandboxWorker;
    try {
      worker = await this.#prepare();
    } catch (error) {
      if (!isJarvisError(error)) throw error;
      return failedCell("crash", "StartError", error.message, { stateLost: true });
    }
    if (this.#closing !== undefined) return failedCell("cancelled", "AbortError", "The session was closed.");
    this.#cells += 1;
    const { functions, graceMs } = this.#options;
    this.#running = new CellRun({ worker, code, cell: this.#cells, limits, functions, graceMs, signal });
    const result = await this.#running.run();
    this.#running = undefined;
    if (result.stateLost) this.#open = false;
    return result;
  }

  /** A worker with this session's interpreter and variables. */
  async #prepare(): Promise<SandboxWorker> {
    if (this.#worker !== undefined && !this.#worker.alive) {
      this.#worker = undefined;
      this.#open = false;
    }
    const worker = this.#worker ?? this.#options.acquire();
    this.#worker = worker;
    if (this.#open) return worker;
    const { functions, insertAwait, limits } = this.#options;
    await asJarvisError(async () => {
      await worker.ready();
      const problem = await worker.request({
        type: "open",
        functions: Object.keys(functions),
        insertAwait,
        limits,
      });
      if (problem !== undefined)
        throw new JarvisError("OJ_INTERNAL", `The sandbox could not be started: ${problem}`);
    });
    for (const [name, value] of this.#variables) await this.#put(worker, name, value);
    this.#open = true;
    return worker;
  }

  async #put(worker: SandboxWorker, name: string, value: unknown): Promise<void> {
    if (value === undefined)
      throw new JarvisError("OJ_OPTION", `The variable "${name}" is undefined, which JSON does not have.`);
    const encoded = encodeVariable(name, value);
    const size = encoded.kind === "undefined" ? 0 : encoded.text.length;
    const { memoryBytes } = this.#options.limits;
    const problem =
      size > memoryBytes
        ? "it does not fit into the memory of the session"
        : await asJarvisError(() => worker.request({ type: "set", name, value: encoded }));
    if (problem === undefined) return;
    throw new JarvisError("OJ_OPTION", `The variable "${name}" cannot be set: ${problem}.`, {
      hint: `It has ${size} characters, and the session ${memoryBytes} bytes (memoryBytes).`,
    });
  }

  #checkName(name: string): void {
    checkGuestName("A variable", name);
    if (!Object.hasOwn(this.#options.functions, name)) return;
    throw new JarvisError("OJ_OPTION", `"${name}" is a host function of this session.`);
  }

  #throwIfFull(): void {
    if (!this.#queue.isFull) return;
    throw new JarvisError(
      "OJ_OPTION",
      `${this.#queue.length} calls of this sandbox session are waiting already.`,
    );
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) {
      throw new JarvisError("OJ_CLOSED", "The sandbox session was closed before this call.");
    }
  }
}

function encodeVariable(name: string, value: unknown) {
  try {
    return encodeValue(`The variable "${name}"`, value);
  } catch (error) {
    throw new JarvisError("OJ_OPTION", error instanceof Error ? error.message : String(error), {
      cause: error,
    });
  }
}

async function asJarvisError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof WorkerGoneError)) throw error;
    throw new JarvisError("OJ_INTERNAL", error.message, { cause: error });
  }
}
