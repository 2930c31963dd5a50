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
import { Launcher } from "./launcher.js";
import { type CellLimits, defaultLimits, resolveLimits } from "./limits.js";
import type { PythonProcess } from "./python-process.js";
import { PyodideSession } from "./session.js";
import { Spare } from "./spare.js";

/** Options of a {@link PyodideSandbox}. */
export interface PyodideSandboxOptions {
  /** Limits of sessions and cells that name no others. @default see the table of the README */
  limits?: SandboxLimits;
  /**
   * The folder of the memory snapshot that interpreters start from (about 16 MB); `false` for none, which makes each
   * start take seconds. @default `cache` in OPENJARVIS_HOME or ~/.openjarvis, else a folder for temporary files
   */
  cacheDir?: string | false;
  /** Milliseconds after a limit or a cancellation until an interpreter that does not stop is ended. @default 500 */
  graceMs?: number;
  /** Most sessions that may be open at once; each is a process of about 190 MB. @default 16 */
  maxSessions?: number;
  /** Milliseconds an interpreter may take to start. @default 60000 */
  startTimeoutMs?: number;
  /** The Node.js that runs the interpreters. @default the one that runs this */
  nodePath?: string;
  /** Whether to start on a Node.js without a permission model: code could then read and write files. @default false */
  unsafe?: boolean;
  /** Whether each interpreter gets a network namespace of its own, by `unshare -rn` (Linux). @default false */
  networkNamespace?: boolean;
}

const known = [
  "limits",
  "cacheDir",
  "graceMs",
  "maxSessions",
  "startTimeoutMs",
  "nodePath",
  "unsafe",
  "networkNamespace",
];

/**
 * Runs Python that is not trusted: CPython, compiled to WebAssembly (Pyodide), in a child process for each session that
 * may read nothing but the interpreter's own files.
 *
 * @example
 * const sandbox = new PyodideSandbox();
 * const session = await sandbox.createSession({ functions: { double: ([n]) => Number(n) * 2 } });
 * const { value } = await session.run("double(21)"); // "42"
 * await sandbox.close();
 */
export class PyodideSandbox implements CodeSandbox {
  readonly language = "python";
  readonly #limits: CellLimits;
  readonly #graceMs: number;
  readonly #maxSessions: number;
  readonly #launcher: Launcher;
  readonly #spare: Spare;
  readonly #sessions = new Set<PyodideSession>();
  #closing: Promise<void> | undefined;

  constructor(options: PyodideSandboxOptions = {}) {
    checkOptionKeys("The Python sandbox", options, known);
    this.#limits = resolveLimits(defaultLimits, options.limits);
    this.#graceMs = options.graceMs ?? 500;
    this.#maxSessions = options.maxSessions ?? 16;
    const startTimeoutMs = options.startTimeoutMs ?? 60_000;
    checkInteger("graceMs", this.#graceMs, 10, 60_000);
    checkInteger("maxSessions", this.#maxSessions, 1, 1_000);
    checkInteger("startTimeoutMs", startTimeoutMs, 100, 3_600_000);
    this.#launcher = new Launcher({
      cacheDir: options.cacheDir,
      nodePath: options.nodePath,
      unsafe: options.unsafe ?? false,
      networkNamespace: options.networkNamespace ?? false,
      startTimeoutMs,
    });
    this.#spare = new Spare(() => this.#launcher.start({ background: true }));
  }

  /**
   * Starts a session. Rejects with `OJ_OPTION` for wrong options and variables that are no JSON or do not fit,
   * `OJ_CLOSED` after `close()`, `OJ_PLUGIN_LOAD` when an interpreter cannot be started, `OJ_ABORTED` when the signal
   * fires.
   */
  async createSession(options: SandboxSessionOptions = {}): Promise<SandboxSession> {
    const { signal, functions = {}, variables = {} } = options;
    checkOptionKeys("A sandbox session", options, ["limits", "functions", "variables", "signal"]);
    throwIfAborted(signal);
    this.#throwIfClosed();
    checkFunctions(functions);
    if (this.#sessions.size >= this.#maxSessions) {
      throw new JarvisError(
        "OJ_OPTION",
        `${this.#maxSessions} sandbox sessions are open, which is the most allowed.`,
        {
          hint: "Close sessions that are done with, or raise maxSessions.",
        },
      );
    }
    const session = new PyodideSession({
      limits: resolveLimits(this.#limits, options.limits),
      functions: { ...functions },
      variables,
      graceMs: this.#graceMs,
      acquire: () => this.#acquire(),
      onClose: () => this.#sessions.delete(session),
    });
    this.#sessions.add(session);
    try {
      await orAborted(session.start(), signal);
    } catch (error) {
      const closing = session.close();
      // Who has cancelled does not wait for a start to end.
      if (signal?.aborted) closing.catch(() => undefined);
      else await closing;
      throw error;
    }
    return session;
  }

  /** Keeps one interpreter ready for the next session, from now on. It does not keep the process alive. */
  warm(): void {
    this.#throwIfClosed();
    this.#spare.keep();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#spare.close();
    await Promise.all([...[...this.#sessions].map((session) => session.close()), this.#launcher.close()]);
  }

  async #acquire(): Promise<PythonProcess> {
    return (await this.#spare.take()) ?? (await this.#launcher.start());
  }

  #throwIfClosed(): void {
    if (this.#closing !== undefined) {
      throw new JarvisError("OJ_CLOSED", "The Python sandbox was closed before this call.");
    }
  }
}

function checkFunctions(functions: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(functions)) {
    checkGuestName("A host function", name);
    if (typeof value !== "function") {
      throw new JarvisError("OJ_OPTION", `The host function "${name}" is no function.`);
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
