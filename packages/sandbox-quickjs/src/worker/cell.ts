import type { QuickJSHandle } from "quickjs-emscripten-core";
import { CellBoard, type StreamName } from "../cell-board.js";
import type {
  CallArguments,
  CellOutcome,
  FromWorker,
  RunRequest,
  Settle,
  WorkerCellError,
} from "../protocol.js";
import { type PreparedCell, type PrepareOptions, prepareCell } from "../rewrite/prepare-cell.js";
import { CellSyntaxError } from "../rewrite/syntax.js";
import { brokenError, cellError, memoryError, unsettledError } from "./cell-error.js";
import { ComputeClock } from "./clock.js";
import { HostCallTable } from "./host-call-table.js";
import { describeThrown, showValue } from "./report.js";
import { type StopReason, stopError } from "./stop-reason.js";
import { cellFile, type Sources, syntaxPlace, traceback } from "./traceback.js";
import { GuestMemoryError, type Vm, type VmHandler } from "./vm.js";

/** What a cell needs of the session it runs in. */
export interface CellOptions {
  vm: Vm;
  sources: Sources;
  prepare: PrepareOptions;
  post: (message: FromWorker) => void;
  /** Called once, when the cell is over. */
  onEnd: () => void;
}

/** Jobs run between two looks at the clock. */
const jobsAtOnce = 50;
/** Milliseconds that telling an error may take after the cell was stopped. */
const reportMs = 100;
/** Milliseconds in which what a stopped cell left behind must come to rest. */
const quenchMs = 100;

/** One cell, from its code to its outcome. It runs whenever it has something to do, and else waits for the host. */
export class Cell implements VmHandler {
  readonly #request: RunRequest;
  readonly #options: CellOptions;
  readonly #board: CellBoard;
  readonly #clock: ComputeClock;
  readonly #calls: HostCallTable;
  #prepared: PreparedCell | undefined;
  /** The promise of the cell's value. */
  #promise: QuickJSHandle | undefined;
  #stopped: StopReason | undefined;
  /** What the interpreter may do: the cell's own work; telling how it ended; or nothing, so that it comes to rest. */
  #mode: "run" | "report" | "quench" = "run";
  #reportUntil = 0;
  #over = false;

  constructor(request: RunRequest, options: CellOptions) {
    this.#request = request;
    this.#options = options;
    this.#board = new CellBoard(request.limits.maxOutputChars, request.board);
    this.#clock = new ComputeClock(this.#board, request.startedAt);
    this.#calls = new HostCallTable(options.vm);
  }

  get id(): number {
    return this.#request.id;
  }

  start(): void {
    const { vm, sources, prepare } = this.#options;
    const { code, cell, limits } = this.#request;
    this.#clock.enter();
    sources.add(cell, code);
    vm.setLimits(limits);
    vm.handler = this;
    try {
      this.#prepared = prepareCell(code, prepare);
    } catch (error) {
      if (!(error instanceof CellSyntaxError)) throw error;
      const place = syntaxPlace(cell, error.position, code);
      this.#end({ error: { kind: "syntax", name: error.name, message: error.message, traceback: place } });
      return;
    }
    for (const name of this.#prepared.redeclared) {
      this.#note(`\`${name}\` is provided by the host; its declaration in this cell has no effect.`);
    }
    const prepared = this.#prepared;
    this.#enter(() => this.#evaluate(prepared));
  }

  /** Takes the answer of a host function. */
  settle({ call, answer }: Settle): void {
    if (this.#over) return;
    this.#clock.enter();
    this.#enter(() => {
      this.#calls.settle(call, answer);
      this.#proceed();
    });
  }

  /** Looks whether the host wants the cell to stop, while it waits. */
  stop(): void {
    if (this.#over) return;
    this.#clock.enter();
    this.#enter(() => this.#proceed());
  }

  shouldStop(): boolean {
    const now = performance.now();
    const stop = this.#mustStop(now);
    // Code around an async function goes on when that was interrupted: it has to be asked before it enters another.
    if (stop) this.#options.vm.poll.now();
    else this.#options.vm.poll.next(now);
    return stop;
  }

  #mustStop(now: number): boolean {
    if (this.#mode === "quench") return true;
    if (this.#mode === "report") return now > this.#reportUntil;
    this.#stopped ??= this.#board.requestedStop;
    if (this.#clock.usedMs(now) > this.#request.limits.timeoutMs) this.#stopped ??= "timeout";
    return this.#stopped !== undefined;
  }

  write(stream: StreamName, text: string, skipped?: number, tail?: string): void {
    if (this.#mode === "run") this.#board.write(stream, text, skipped, tail);
  }

  call(name: string, args: CallArguments, failure: QuickJSHandle): QuickJSHandle {
    if (this.#mode !== "run") throw new Error("The cell is over.");
    if (this.#calls.made >= this.#request.limits.maxHostCalls) this.#stopped ??= "host_calls";
    // The interpreter does not see the time that calls take, so the clock is looked at here, too.
    if (this.shouldStop()) throw new Error("The cell is being stopped.");
    const { call, promise } = this.#calls.add(name, args, failure);
    this.#options.post({ type: "call", id: this.id, call, name, args });
    return promise;
  }

  #evaluate({ variables, functions, body }: PreparedCell): void {
    const { vm } = this.#options;
    const { limits, cell } = this.#request;
    vm.begin(limits.maxOutputChars);
    if (variables.length > 0) vm.declare(variables);
    const file = cellFile(cell);
    for (const script of functions === "" ? [body] : [functions, body]) {
      const result = vm.context.evalCode(script, file, { type: "global" });
      if (result.error) {
        this.#fail(result.error, { compiling: true });
        return;
      }
      if (script === body) this.#promise = result.value;
      else result.value.dispose();
    }
    this.#proceed();
  }

  /** Does what there is to do, and ends the cell when nothing more can come. */
  #proceed(): void {
    const { runtime, context } = this.#options.vm;
    while (!this.shouldStop() && runtime.hasPendingJob())
      runtime.executePendingJobs(jobsAtOnce).error?.dispose();
    if (this.#promise === undefined) return;
    const state = context.getPromiseState(this.#promise);
    if (state.type === "rejected") this.#fail(state.error);
    else if (state.type === "fulfilled") this.#succeed(state.value);
    else if (this.#stopped !== undefined) this.#endStopped();
    else if (this.#calls.waiting === 0) this.#end({ error: unsettledError() });
  }

  /** Ends the cell with the value in a box; without a box there is none. */
  #succeed(box: QuickJSHandle): void {
    const { vm } = this.#options;
    let shown: Partial<CellOutcome> = {};
    if (this.#stopped === undefined && vm.context.typeof(box) !== "undefined") {
      const value = vm.context.getProp(box, 0);
      shown = showValue(vm, value, this.#request.limits.maxOutputChars);
      value.dispose();
    }
    box.dispose();
    if (this.#stopped === undefined) this.#end(shown);
    else this.#endStopped();
  }

  #fail(thrown: QuickJSHandle, { compiling = false } = {}): void {
    if (this.shouldStop()) {
      this.#endStopped(thrown);
      return;
    }
    const { vm } = this.#options;
    const described = this.#describe(thrown);
    const full = described.message === "null" && !vm.hasRoom();
    this.#end({ error: cellError(described, { compiling, full, blocked: this.#prepared?.blocked ?? [] }) });
  }

  #endStopped(thrown?: QuickJSHandle): void {
    const place = thrown === undefined ? "" : this.#describe(thrown).traceback;
    this.#end({ error: stopError(this.#stopped ?? "timeout", this.#request.limits, place) });
  }

  #endFull(): void {
    if (this.shouldStop()) this.#endStopped();
    else this.#end({ error: memoryError() });
  }

  #describe(thrown: QuickJSHandle) {
    this.#mode = "report";
    this.#reportUntil = performance.now() + reportMs;
    const described = describeThrown(this.#options.vm, thrown);
    thrown.dispose();
    return { ...described, traceback: traceback(described.stack, this.#options.sources) };
  }

  /**
   * Lets the interpreter work. What it throws into the host means that it is broken: its memory may be in any state.
   */
  #enter(work: () => void): void {
    this.#options.vm.poll.start(performance.now());
    try {
      work();
      if (!this.#over) this.#clock.leave();
    } catch (error) {
      if (error instanceof GuestMemoryError) this.#endFull();
      else this.#end({ error: brokenError(error), broken: true, stateLost: true });
    }
  }

  #end(outcome: Partial<CellOutcome>): void {
    if (this.#over) return;
    this.#over = true;
    const { vm, post, onEnd } = this.#options;
    const rest = outcome.broken === true ? {} : this.#cleanUp(outcome.error);
    vm.handler = undefined;
    onEnd();
    this.#clock.leave();
    const whole = { valueTruncated: false, broken: false, stateLost: false, ...outcome, ...rest };
    post({ type: "outcome", id: this.id, ...whole });
  }

  /** Puts the interpreter into a state in which another cell can run; says when that is impossible. */
  #cleanUp(error: WorkerCellError | undefined): Partial<CellOutcome> {
    const { vm } = this.#options;
    try {
      if (this.#stopped === undefined && this.#calls.waiting > 0) this.#noteWaiting(this.#calls.waiting);
      this.#calls.clear();
      this.#promise?.dispose();
      const canGoOn = this.#quench() && (error?.kind !== "memory" || vm.hasRoom());
      return canGoOn ? {} : { stateLost: true };
    } catch {
      // The outcome stands; only the interpreter is lost.
      return { stateLost: true, broken: true };
    }
  }

  /** Ends the work that a stopped cell has left in the queue. False when it does not end. */
  #quench(): boolean {
    const { runtime, poll } = this.#options.vm;
    this.#mode = "quench";
    const until = performance.now() + quenchMs;
    while (runtime.hasPendingJob()) {
      if (performance.now() > until) return false;
      poll.now();
      runtime.executePendingJobs(1).error?.dispose();
    }
    return true;
  }

  #noteWaiting(count: number): void {
    const calls = count === 1 ? "1 call of a host function was" : `${count} calls of host functions were`;
    this.#note(`${calls} still running when the cell ended, and aborted: await them in the same cell.`);
  }

  #note(text: string): void {
    this.#board.write("stderr", `note: ${text}\n`);
  }
}
