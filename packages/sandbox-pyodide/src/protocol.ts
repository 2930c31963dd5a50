import type { CellErrorKind } from "@openjarvis/core";

/** Most bytes the host sends in one frame: a variable of the session. */
export const maxHostBodyBytes = 512 * 1024 * 1024;
/** Most bytes an interpreter sends in one frame; it is not trusted. */
export const maxInterpreterBodyBytes = 64 * 1024 * 1024;

/** File descriptors of the interpreter's process. */
export const channelFd = 3;
export const controlFd = 4;

/** A stream of output. */
export type StreamName = "stdout" | "stderr";

/** What the interpreter is started with, as JSON in its first argument. */
export interface RunnerConfig {
  /** The folder of the package `pyodide`. */
  pyodideDir: string;
  /** The file of the memory snapshot; empty for none. */
  snapshotFile: string;
  /** What the snapshot must have been made with. */
  snapshotKey: string;
}

/** Begins a session. */
export interface OpenFrame {
  type: "open";
  id: number;
  /** Names of the host functions. */
  functions: readonly string[];
  /** Bytes of Python's C stack. */
  stackBytes: number;
}

/** Sets a variable; the body is a text or JSON. */
export interface SetFrame {
  type: "set";
  id: number;
  name: string;
  kind: "text" | "json";
  /** As for a cell. */
  memoryBytes: number;
}

/** Forgets the variables. */
export interface ResetFrame {
  type: "reset";
  id: number;
}

/** Runs a cell; the body is its code. */
export interface CellFrame {
  type: "cell";
  id: number;
  maxOutputChars: number;
  /** Bytes the guest may hold beyond the empty interpreter. */
  memoryBytes: number;
  /** Milliseconds after which the interpreter ends itself, should the host be gone. */
  patienceMs: number;
}

/** The answer of a host function; the body is a text, JSON, or the message of what went wrong. */
export interface ReplyFrame {
  type: "reply";
  call: number;
  status: "text" | "json" | "error" | "limit";
}

/** Wakes an interpreter that waits. */
export interface TickFrame {
  type: "tick";
}

export type HostFrame = OpenFrame | SetFrame | ResetFrame | CellFrame | ReplyFrame | TickFrame;

/** The interpreter is up. */
export interface ReadyFrame {
  type: "ready";
}

/** The body is a part of the file of a memory snapshot; the memory comes last. */
export interface SnapshotFrame {
  type: "snapshot";
  part: "header" | "memory";
}

/** The guest calls a host function; the body is a JSON array. */
export interface CallFrame {
  type: "call";
  call: number;
  name: string;
}

/** The interpreter waits for a reply, or as many milliseconds (negative: without an end). */
export interface WaitFrame {
  type: "wait";
  milliseconds: number;
}

/** The body is a piece of the head of a stream. */
export interface OutputFrame {
  type: "output";
  stream: StreamName;
}

/** What of a stream comes after its head. */
export interface StreamRest {
  /** All characters that were written. */
  total: number;
  /** The last of them; together with the head that was sent they are all, or as many as are kept. */
  tail: string;
}

/** A request was carried out; after a cell the body is a {@link CellReport} as JSON. */
export interface DoneFrame {
  type: "done";
  id: number;
  /** Why it was not. */
  problem?: string;
}

/** What the interpreter tells of a cell. */
export interface CellReport {
  outcome: CellOutcome;
  stdout: StreamRest;
  stderr: StreamRest;
}

/** The interpreter broke and ends. */
export interface FatalFrame {
  type: "fatal";
  kind: CellErrorKind;
  message: string;
}

export type InterpreterFrame =
  | ReadyFrame
  | SnapshotFrame
  | CallFrame
  | WaitFrame
  | OutputFrame
  | DoneFrame
  | FatalFrame;

/** How a cell ended, as `session.py` tells it. */
export interface CellOutcome {
  value?: string;
  /** The value as JSON text. */
  json?: string;
  truncated?: boolean;
  error?: { kind: CellErrorKind; name: string; message: string; traceback: string };
}
