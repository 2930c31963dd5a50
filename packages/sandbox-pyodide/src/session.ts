import {
  type CellResult,
  errorText,
  type HostFunction,
  isJarvisError,
  JarvisError,
  type RunCellOptions,
  type SandboxSession,
} from "@openjarvis/core";
import { CellRun } from "./cell-run.js";
import { failedCell } from "./failed-cell.js";
import { checkGuestName } from "./guest-names.js";
import { encodeValue, type GuestValue } from "./json.js";
import { type CellLimits, resolveLimits } from "./limits.js";
import { ProcessGoneError, type PythonProcess } from "./python-process.js";
import { maxPythonStackBytes } from "./stack-size.js";
import { WorkQueue } from "./work-queue.js";

/** What a session needs of its sandbox. */
export interface SessionOptions {
  limits: CellLimits;
  functions: Readonly<Record<string, HostFunction>>;
  variables: Readonly<Record<string, unknown>>;
  graceMs: number;
  /** Gives a process that serves nobody. */
  acquire: () => Promise<PythonProcess>;
  onClose: () => void;
}

/** A session of the Python sandbox: a process of its own, started again when it had to be ended. */
export class PyodideSession implements SandboxSession {
  readonly #options: SessionOptions;
  readonly #queue = new WorkQueue();
  /** What the host has put in; put in again when the process is another. */
  readonly #variables = new Map<string, GuestValue>();
  #process: PythonProcess | undefined;
  #running: CellRun | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
    for (const [name, value] of Object.entries(options.variables)) {
      this.#variables.set(name, this.#encode(name, value));
    }
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
      cancelled: () => failedCell("cancelled", "AbortError", "The cell was cancelled before it began."),
    });
  }

  async set(name: string, value: unknown): Promise<void> {
    this.#throwIfClosed();
    this.#throwIfFull();
    const encoded = this.#encode(name, value);
    await this.#queue.add(async () => {
      this.#throwIfClosed();
      await this.#put(await this.#prepare(), name, encoded);
      this.#variables.set(name, encoded);
    });
  }

  async reset(): Promise<void> {
    this.#throwIfClosed();
    this.#throwIfFull();
    await this.#queue.add(async () => {
      this.#throwIfClosed();
      this.#variables.clear();
      const process = await this.#prepare();
      await asJarvisError(() => process.request((id) => ({ type: "reset", id }), ""));
    });
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#running?.kill();
    this.#process?.kill();
    await this.#queue.add(async () => {
      const process = this.#process;
      this.#process = undefined;
      await process?.end();
    });
    this.#variables.clear();
    this.#options.onClose();
  }

  async #run(code: string, limits: CellLimits, signal: AbortSignal | undefined): Promise<CellResult> {
    const closed = () =>
      failedCell("cancelled", "AbortError", "The session was closed.", { stateLost: true });
    if (this.#closing !== undefined) return closed();
    let process: PythonProcess;
    try {
      process = await this.#prepare();
    } catch (error) {
      if (this.#closing !== undefined) return closed();
      if (!isJarvisError(error)) throw error;
      return failedCell("crash", "StartError", error.message, { stateLost: true });
    }
    const { functions, graceMs } = this.#options;
    this.#running = new CellRun({ process, code, limits, functions, graceMs, signal });
    try {
      return await this.#running.run();
    } finally {
      this.#running = undefined;
    }
  }

  /** A process with this session's functions and variables. */
  async #prepare(): Promise<PythonProcess> {
    if (this.#process?.alive === true) return this.#process;
    this.#process = undefined;
    const { functions, limits, acquire } = this.#options;
    const process = await acquire();
    this.#process = process;
    if (this.#closing !== undefined) process.kill();
    try {
      const stackBytes = Math.min(limits.stackBytes, maxPythonStackBytes());
      const names = Object.keys(functions);
      await asJarvisError(() =>
        process.request((id) => ({ type: "open", id, functions: names, stackBytes }), ""),
      );
      for (const [name, value] of this.#variables) await this.#put(process, name, value);
    } catch (error) {
      process.kill();
      this.#process = undefined;
      throw error;
    }
    return process;
  }

  async #put(process: PythonProcess, name: string, { kind, text }: GuestValue): Promise<void> {
    const { memoryBytes } = this.#options.limits;
    const request = () => process.request((id) => ({ type: "set", id, name, kind, memoryBytes }), text);
    try {
      await asJarvisError(request);
    } catch (error) {
      throw new JarvisError("OJ_OPTION", `The variable "${name}" cannot be set: ${errorText(error)}`, {
        cause: error,
        hint: `It has ${text.length} characters, and the session ${memoryBytes} bytes (memoryBytes).`,
      });
    }
  }

  #encode(name: string, value: unknown): GuestValue {
    checkGuestName("A variable", name);
    if (Object.hasOwn(this.#options.functions, name)) {
      throw new JarvisError("OJ_OPTION", `"${name}" is a host function of this session.`);
    }
    if (value === undefined) {
      throw new JarvisError("OJ_OPTION", `The variable "${name}" is undefined, which JSON does not have.`);
    }
    try {
      return encodeValue(`The variable "${name}"`, value);
    } catch (error) {
      throw new JarvisError("OJ_OPTION", errorText(error), { cause: error });
    }
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

async function asJarvisError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ProcessGoneError)) throw error;
    throw new JarvisError("OJ_INTERNAL", error.message, { cause: error });
  }
}
