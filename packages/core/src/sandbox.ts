/** Bounds of a sandbox session. A missing field takes the sandbox's documented default. */
export interface SandboxLimits {
  /** Milliseconds one cell may compute. Time it waits for host functions does not count. */
  timeoutMs?: number;
  /** Milliseconds one cell may take in all, waiting included. */
  totalTimeoutMs?: number;
  /** Bytes the guest may hold. */
  memoryBytes?: number;
  /** Bytes of the guest's stack, where the sandbox can set it. */
  stackBytes?: number;
  /** Most characters of captured output of one cell; head and tail are kept. */
  maxOutputChars?: number;
  /** Most calls of host functions in one cell. */
  maxHostCalls?: number;
}

/** What a host function is given beside its arguments. */
export interface HostCall {
  /** Fires when the cell is cancelled or over. */
  readonly signal: AbortSignal;
}

/**
 * A function of the host that guest code may call. Arguments and result are JSON values, copied at the border; what it
 * throws is an exception in the guest with the same message.
 */
export type HostFunction = (args: readonly unknown[], call: HostCall) => unknown;

/** Options of a new session. */
export interface SandboxSessionOptions {
  limits?: SandboxLimits | undefined;
  /** Host functions by the name the guest calls them. */
  functions?: Readonly<Record<string, HostFunction>> | undefined;
  /** JSON values the session begins with, by name. */
  variables?: Readonly<Record<string, unknown>> | undefined;
  /** Ends the wait for a session, not the session. */
  signal?: AbortSignal | undefined;
}

/** Options of one cell. */
export interface RunCellOptions {
  /** Ends the cell. */
  signal?: AbortSignal | undefined;
  /** Limits of this cell, in place of the session's. */
  limits?: SandboxLimits | undefined;
}

/** What kind of thing went wrong in a cell. */
export type CellErrorKind =
  | "syntax"
  | "runtime"
  | "timeout"
  | "memory"
  | "stack"
  | "exit"
  | "host_calls"
  | "cancelled"
  | "crash";

/** Why a cell failed. */
export interface CellError {
  kind: CellErrorKind;
  /** The name of the exception ("TypeError"), or of the limit. */
  name: string;
  message: string;
  /** The guest's own lines that led there; empty when there are none. */
  traceback: string;
}

/** The outcome of one cell. */
export interface CellResult {
  success: boolean;
  /** What was printed, within the limit. */
  stdout: string;
  stderr: string;
  /** The value of the last expression as the language prints it; absent when there is none. */
  value?: string;
  /** The same value as JSON, where it has that form. */
  json?: unknown;
  error?: CellError;
  /** Whether the variables of the session were lost with this cell. */
  stateLost: boolean;
  /** Whether output was left out. */
  truncated: boolean;
  durationSeconds: number;
}

/**
 * A namespace that keeps its variables from cell to cell.
 *
 * - `run` resolves for whatever the guest does, and never later than its limits allow; it rejects only for a closed
 *   session. Cells of one session run one after the other.
 * - Assignments made before an exception or a timeout survive; where they cannot, the result says `stateLost`.
 */
export interface SandboxSession {
  run(code: string, options?: RunCellOptions): Promise<CellResult>;
  /** Sets a variable to a JSON value. */
  set(name: string, value: unknown): Promise<void>;
  /** Forgets all variables. */
  reset(): Promise<void>;
  /** Ends the session and what it holds; calling twice is fine. */
  close(): Promise<void>;
}

/**
 * Runs code that is not trusted. A guest has no way to files, network, processes, environment or the host's objects
 * but the host functions of its session, and the host never dies of what a guest does.
 */
export interface CodeSandbox {
  /** "javascript" or "python". */
  readonly language: string;
  createSession(options?: SandboxSessionOptions): Promise<SandboxSession>;
  /** Prepares one session in the background, so that the next `createSession` does not wait for the start. */
  warm?(): void;
  /** Ends every session; calling twice is fine. */
  close(): Promise<void>;
}

/**
 * What a tool offers that can run code in a session: agents that write programs find it among their tools and keep one
 * session for a run, with the other tools as host functions.
 */
export interface CodeSessionSource {
  /** Languages it runs, the default first ("python"). */
  readonly codeLanguages: readonly string[];
  /** A session in one of the languages; the caller closes it. */
  createCodeSession(language: string, options?: SandboxSessionOptions): Promise<SandboxSession>;
}

/** The first of the tools that can run code in a session. */
export function findCodeSessionSource<T extends object>(
  tools: readonly T[],
): (T & CodeSessionSource) | undefined {
  return tools.find(
    (tool): tool is T & CodeSessionSource => "createCodeSession" in tool && "codeLanguages" in tool,
  );
}
