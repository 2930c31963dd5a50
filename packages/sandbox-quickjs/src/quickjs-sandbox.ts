import {
  abortedError,
  type CodeSandbox,
  checkInteger,
  checkOptionKeys,
  JarvisError,
  type SandboxLimits,
  type SandboxSession,
  type SandboxSessionOptions,
  throwIfAborted,
} from "@openjarvis/core";
import { checkGuestName } from "./guest-names.js";
import { type CellLimits, defaultLimits, resolveLimits } from "./limits.js";
import { SandboxWorker, WorkerGoneError } from "./sandbox-worker.js";
import { QuickJsSession } from "./session.js";

/** Options of a {@link QuickJsSandbox}. */
export interface QuickJsSandboxOptions {
  /** Limits of sessions and cells that name no others. @default see the table of the README */
  limits?: SandboxLimits;
  /**
   * Whether calls of host functions get `await` where it is missing and may stand, as in `const a = ask("…")`.
   * @default true
   */
  insertAwait?: boolean;
  /** Milliseconds after a limit or a cancellation until a worker that does not stop is ended. @default 300 */
  graceMs?: number;
  /** Most sessions that may be open at once; each has a thread of its own. @default 64 */
  maxSessions?: number;
  /** MiB of heap of a worker thread, beside the memory of the guest. @default 256 */
  workerHeapMiB?: number;
}

/**
 * Runs JavaScript that is not trusted in QuickJS, compiled to WebAssembly, in a worker thread for each session.
 *
 * A worker whose session is closed serves the next one, with another interpreter and another memory; one such spare is
 * kept.
 *
 * @example
 * const sandbox = new QuickJsSandbox();
 * const session = await sandbox.createSession({ functions: { double: ([n]) => Number(n) * 2 } });
 * const { value } = await session.run("await double(21)"); // "42"
 * await sandbox.close();
 */
export class QuickJsSandbox implements CodeSandbox {
  readonly language = "javascript";
  readonly #limits: CellLimits;
  readonly #insertAwait: boolean;
  readonly #graceMs: number;
  readonly #maxSessions: number;
  readonly #heapMiB: number | undefined;
  readonly #sessions = new Set<QuickJsSession>();
  #spare: SandboxWorker | undefined;
  #closed = false;

  constructor(options: QuickJsSandboxOptions = {}) {
    const known = ["limits", "insertAwait", "graceMs", "maxSessions", "workerHeapMiB"];
    checkOptionKeys("The JavaScript sandbox", options, known);
    this.#limits = resolveLimits(defaultLimits, options.limits);
    this.#insertAwait = options.insertAwait ?? true;
    this.#graceMs = options.graceMs ?? 300;
    this.#maxSessions = options.maxSessions ?? 64;
    this.#heapMiB = options.workerHeapMiB;
    checkInteger("graceMs", this.#graceMs, 10, 60_000);
    checkInteger("maxSessions", this.#maxSessions, 1, 10_000);
    if (this.#heapMiB !== undefined) checkInteger("workerHeapMiB", this.#heapMiB, 8, 16_384);
  }

  /**
   * Starts a session. Rejects with `OJ_OPTION` for wrong options and variables that are no JSON or do not fit,
   * `OJ_CLOSED` after `close()`, `OJ_PLUGIN_LOAD` when the worker cannot be started.
   */
  async createSession(options: SandboxSessionOptions = {}): Promise<SandboxSession> {
    const { signal, functions = {}, variables = {} } = options;
    checkOptionKeys("A sandbox session", options, ["limits", "functions", "variables", "signal"]);
    throwIfAborted(signal);
    this.#throwIfClosed();
    checkNames(functions, variables);
    if (this.#sessions.size >= this.#maxSessions) {
      throw new JarvisError(
        "OJ_OPTION",
        `${this.#maxSessions} sandbox sessions are open, which is the most allowed.`,
        {
          hint: "Close sessions that are done with, or raise maxSessions.",
        },
      );
    }
    const session = new QuickJsSession({
      limits: resolveLimits(this.#limits, options.limits),
      functions: { ...functions },
      variables,
      insertAwait: this.#insertAwait,
      graceMs: this.#graceMs,
      acquire: () => this.#acquire(),
      release: (worker) => this.#release(worker),
      onClose: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    try {
      await orAborted(session.start(), signal);
    } catch (error) {
      await session.close();
      throw error;
    }
    return session;
  }

  /** Starts a worker in the background, unless one waits already; it does not keep the process alive. */
  warm(): void {
    this.#throwIfClosed();
    if (this.#spare?.alive === true) return;
    this.#spare = this.#start();
    this.#spare.warm();
  }

  async close(): Promise<void> {
    this.#closed = true;
    const spare = this.#spare;
    this.#spare = undefined;
    await Promise.all([...[...this.#sessions].map((session) => session.close()), spare?.terminate()]);
  }

  #start(): SandboxWorker {
    return new SandboxWorker({ heapMiB: this.#heapMiB });
  }

  #acquire(): SandboxWorker {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare?.alive === true ? spare : this.#start();
  }

  async #release(worker: SandboxWorker): Promise<void> {
    if (!worker.alive) return;
    const wanted = !this.#closed && this.#spare?.alive !== true;
    if (wanted && (await isFree(worker)) && !this.#closed && this.#spare?.alive !== true)
      this.#spare = worker;
    else await worker.terminate();
  }

  #throwIfClosed(): void {
    if (this.#closed)
      throw new JarvisError("OJ_CLOSED", "The JavaScript sandbox was closed before this call.");
  }
}

async function isFree(worker: SandboxWorker): Promise<boolean> {
  try {
    return (await worker.request({ type: "close" })) === undefined;
  } catch (error) {
    if (error instanceof WorkerGoneError) return false;
    throw error;
  }
}

function checkNames(
  functions: Readonly<Record<string, unknown>>,
  variables: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(functions)) {
    checkGuestName("A host function", name);
    if (typeof value !== "function")
      throw new JarvisError("OJ_OPTION", `The host function "${name}" is no function.`);
  }
  for (const name of Object.keys(variables)) {
    checkGuestName("A variable", name);
    if (Object.hasOwn(functions, name)) {
      throw new JarvisError("OJ_OPTION", `"${name}" is given both as a host function and as a variable.`);
    }
  }
}

/** Waits for `work` until the signal fires. */
async function orAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  let onAbort: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortedError(signal));
    signal.addEventListener("abort", onAbort, { once: true });
  });
  try {
    await Promise.race([work, aborted]);
  } finally {
    if (onAbort !== undefined) signal.removeEventListener("abort", onAbort);
    work.catch(() => undefined);
  }
}
