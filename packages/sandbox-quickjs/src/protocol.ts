import type { CellErrorKind } from "@openjarvis/core";

/** A JSON value on its way into the guest. Texts travel as they are, which is much faster than as JSON. */
export type GuestValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "json"; readonly text: string }
  | { readonly kind: "undefined" };

/** Limits of a session that the worker keeps. */
export interface VmLimits {
  memoryBytes: number;
  stackBytes: number;
}

/** Limits of one cell that the worker keeps. */
export interface WorkerLimits extends VmLimits {
  timeoutMs: number;
  maxOutputChars: number;
  maxHostCalls: number;
}

/** Starts an empty session, in place of the one before. */
export interface OpenRequest {
  type: "open";
  id: number;
  /** Names of the host functions. */
  functions: readonly string[];
  /** Whether calls of host functions get `await` where it is missing. */
  insertAwait: boolean;
  limits: VmLimits;
}

/** Sets a variable. */
export interface SetRequest {
  type: "set";
  id: number;
  name: string;
  value: GuestValue;
}

/** Runs a cell. */
export interface RunRequest {
  type: "run";
  id: number;
  code: string;
  /** The cell's number in its session, from 1. */
  cell: number;
  limits: WorkerLimits;
  /** The memory of the cell's {@link CellBoard}. */
  board: SharedArrayBuffer;
  /** When the cell began, in milliseconds of {@link sharedClock}. */
  startedAt: number;
}

/** Forgets the session, so that the worker can serve another. */
export interface CloseRequest {
  type: "close";
  id: number;
}

/** Has the worker run something of its own, so that the first cell finds all code compiled. */
export interface WarmRequest {
  type: "warm";
  id: number;
}

/** Requests that are answered by a {@link Done} or a {@link CellOutcome} with the same id. */
export type Request = OpenRequest | SetRequest | RunRequest | CloseRequest | WarmRequest;

/** The answer of a host function. */
export interface Settle {
  type: "settle";
  /** The number of the call. */
  call: number;
  answer: { readonly ok: true; readonly value: GuestValue } | ({ readonly ok: false } & GuestFailure);
}

/** What a host function threw, as the guest sees it. */
export interface GuestFailure {
  readonly name: string;
  readonly message: string;
}

/** Wakes a worker that waits for host functions, after the board says that the cell must stop. */
export interface Stop {
  type: "stop";
  id: number;
}

export type ToWorker = Request | Settle | Stop;

/** The worker has loaded what it needs. */
export interface Ready {
  type: "ready";
}

/** A request was carried out, or failed for the reason given. */
export interface Done {
  type: "done";
  id: number;
  problem?: string;
}

/** The guest called a host function. */
export interface Call {
  type: "call";
  /** The id of the run request. */
  id: number;
  call: number;
  name: string;
  args: CallArguments;
}

/** Arguments of a host function: a JSON array, and the long texts of it, whose places hold null. */
export interface CallArguments {
  readonly json: string;
  readonly texts: readonly { readonly index: number; readonly text: string }[];
}

/** Why a cell failed, as the worker tells it. */
export interface WorkerCellError {
  kind: CellErrorKind;
  name: string;
  message: string;
  traceback: string;
}

/** How a cell ended; its output is on the board. */
export interface CellOutcome {
  type: "outcome";
  id: number;
  value?: string;
  /** The value as JSON text. */
  json?: string;
  error?: WorkerCellError;
  /** Whether `value` was cut. */
  valueTruncated: boolean;
  /** Whether the session cannot go on: the variables are gone, and the next use has to open it again. */
  stateLost: boolean;
  /** Whether the interpreter itself broke, so that the worker must be thrown away. */
  broken: boolean;
}

export type FromWorker = Ready | Done | Call | CellOutcome;

/** Milliseconds of a clock that all threads of a process share and that never goes back. */
export function sharedClock(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
