import { Worker } from "node:worker_threads";
import { errorText, JarvisError } from "@openjarvis/core";
import type { Call, CellOutcome, FromWorker, Request, RunRequest, ToWorker } from "./protocol.js";
import { workerFile } from "./worker-file.js";

/** Milliseconds in which a worker must have started, or have carried out a request other than a cell. */
const requestMs = 30_000;

/** MiB of the worker thread's own heap; the guest's memory lies outside of it and has its own limit. */
const defaultHeapMiB = 256;

/**
 * MiB of the worker's stack. The guest's stack lies in its own memory, but every frame of it needs some of this one too:
 * with 4 MiB deeply nested code overflows it before the guest's limit is reached.
 */
const stackMiB = 32;

/** The worker has ended, so that what was asked of it cannot be answered. */
export class WorkerGoneError extends Error {
  /** Whether its own heap was full. */
  readonly outOfMemory: boolean;

  constructor(cause: unknown) {
    super(
      cause === undefined
        ? "The worker of the sandbox was ended."
        : `The worker of the sandbox failed: ${errorText(cause)}`,
      { cause },
    );
    this.outOfMemory = (cause as { code?: unknown } | undefined)?.code === "ERR_WORKER_OUT_OF_MEMORY";
  }
}

type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
type PlainRequest = Exclude<Request, RunRequest>;

interface Waiting {
  resolve(answer: CellOutcome | string | undefined): void;
  reject(reason: WorkerGoneError): void;
}

/** A worker thread that serves one session at a time. It keeps the process alive only while something is asked of it. */
export class SandboxWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #ready: Promise<void>;
  #onReady: Waiting | undefined;
  #lastId = 0;
  #held = 0;
  #gone: WorkerGoneError | undefined;
  #failure: unknown;
  /** Takes the host calls of the cell that runs. */
  onCall: ((call: Call) => void) | undefined;

  constructor({ heapMiB = defaultHeapMiB }: { heapMiB?: number | undefined } = {}) {
    this.#worker = startThread(heapMiB);
    this.#worker.unref();
    // Node holds the process for a thread again as soon as it runs.
    this.#worker.on("online", () => {
      if (this.#held === 0) this.#worker.unref();
    });
    this.#worker.on("message", (message: FromWorker) => this.#receive(message));
    this.#worker.on("error", (error) => {
      this.#failure = error;
    });
    this.#worker.on("exit", () => this.#end());
    this.#ready = new Promise((resolve, reject) => {
      this.#onReady = { resolve: () => resolve(), reject };
    });
    // Whoever waits for it is told; a spare that fails is not used.
    this.#ready.catch(() => undefined);
  }

  /** Whether it can be asked. */
  get alive(): boolean {
    return this.#gone === undefined;
  }

  /** Waits until it has loaded what it needs. Rejects with a {@link WorkerGoneError}. */
  async ready(): Promise<void> {
    await this.#bounded(this.#ready);
  }

  /** Has it compile what a first cell needs, in the background; the process does not wait for that. */
  warm(): void {
    const { answer } = this.#ask({ type: "warm" });
    // A worker that fails is not used.
    answer.catch(() => undefined);
  }

  /** Carries out a request. Gives the reason when that failed. Rejects with a {@link WorkerGoneError}. */
  async request(request: WithoutId<PlainRequest>): Promise<string | undefined> {
    const { answer } = this.#ask(request);
    return (await this.#bounded(answer)) as string | undefined;
  }

  /** Starts a cell; whoever calls watches its time. The outcome rejects with a {@link WorkerGoneError}. */
  run(request: WithoutId<RunRequest>): { id: number; outcome: Promise<CellOutcome> } {
    const { id, answer } = this.#ask(request);
    return { id, outcome: this.#holding(answer as Promise<CellOutcome>) };
  }

  post(message: ToWorker): void {
    this.#worker.postMessage(message);
  }

  /** Ends the thread, whatever it does. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #ask(request: WithoutId<Request>) {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<CellOutcome | string | undefined>((resolve, reject) => {
      if (this.#gone !== undefined) return reject(this.#gone);
      this.#waiting.set(id, { resolve, reject });
      this.post({ ...request, id } as ToWorker);
    });
    return { id, answer };
  }

  #receive(message: FromWorker): void {
    switch (message.type) {
      case "ready":
        this.#onReady?.resolve(undefined);
        break;
      case "call":
        this.onCall?.(message);
        break;
      case "done":
        this.#take(message.id)?.resolve(message.problem);
        break;
      case "outcome":
        this.#take(message.id)?.resolve(message);
        break;
    }
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    return waiting;
  }

  #end(): void {
    const gone = new WorkerGoneError(this.#failure);
    this.#gone = gone;
    this.onCall = undefined;
    for (const waiting of [this.#onReady, ...this.#waiting.values()]) waiting?.reject(gone);
    this.#waiting.clear();
  }

  /** Waits with an end, after which the thread is ended, which rejects `answer`. */
  async #bounded<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.terminate(), requestMs);
    try {
      return await this.#holding(answer);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Keeps the process alive while somebody waits. */
  async #holding<T>(answer: Promise<T>): Promise<T> {
    this.#held += 1;
    this.#worker.ref();
    try {
      return await answer;
    } finally {
      this.#held -= 1;
      if (this.#held === 0) this.#worker.unref();
    }
  }
}

function startThread(heapMiB: number): Worker {
  const file = workerFile();
  try {
    return new Worker(file, {
      name: "openjarvis-sandbox",
      // The worker needs nothing of the process it runs in.
      argv: [],
      env: {},
      execArgv: [],
      // Nothing is written there but by a defect of a library, and it must not reach the terminal.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: heapMiB, stackSizeMb: stackMiB },
    });
  } catch (error) {
    throw new JarvisError(
      "OJ_PLUGIN_LOAD",
      `The JavaScript sandbox cannot start its worker thread: ${errorText(error)}`,
      {
        cause: error,
        hint: "Under Node's permission model, start with --allow-worker.",
      },
    );
  }
}
