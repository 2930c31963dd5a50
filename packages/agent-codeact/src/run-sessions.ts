import {
  type CellResult,
  type CodeSessionSource,
  type HostCall,
  type HostFunction,
  JarvisError,
  type SandboxSession,
  throwIfAborted,
} from "@openjarvis/core";

/** Calls a tool for a program, and gives the text of its result; throws when the call failed. */
export type CallTool = (args: readonly unknown[], call: HostCall) => Promise<string>;

/** What the programs of a run are given. */
export interface RunSessionsOptions {
  source: CodeSessionSource;
  /** The tools by the name programs call them. */
  tools: Readonly<Record<string, CallTool>>;
  /** Most tool calls at once. */
  concurrency: number;
}

/** The sessions of one run: one of each language, opened at its first program and closed with the run. */
export class RunSessions {
  readonly #source: CodeSessionSource;
  readonly #functions: Readonly<Record<string, HostFunction>>;
  readonly #sessions = new Map<string, Promise<SandboxSession>>();
  /** Tool calls under way. */
  readonly #calls = new Set<Promise<unknown>>();
  readonly #waiting: (() => void)[] = [];
  readonly #finish = new AbortController();
  #free: number;
  #closed = false;
  /** The value a program ended the run with. */
  answer: { value: unknown } | undefined;

  constructor({ source, tools, concurrency }: RunSessionsOptions) {
    this.#source = source;
    this.#free = concurrency;
    const functions = Object.entries(tools).map(([name, call]): [string, HostFunction] => [
      name,
      (args, hostCall) => this.#track(this.#perform(call, args, hostCall)),
    ]);
    this.#functions = {
      ...Object.fromEntries(functions),
      final_answer: (args, call) => this.#end(args, call),
    };
  }

  /** Runs a program. The signal ends it. */
  async run(code: string, language: string, signal: AbortSignal): Promise<CellResult> {
    const session = await this.#open(language, signal);
    const cell = await session.run(code, { signal: AbortSignal.any([signal, this.#finish.signal]) });
    // A program that has given the answer is stopped; that is no failure.
    if (this.answer === undefined || cell.success) return cell;
    const { error: _stopped, ...rest } = cell;
    return { ...rest, success: true };
  }

  /** Ends the sessions; waits until every call they made has been answered. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#finish.abort(new JarvisError("OJ_ABORTED", "The run is over."));
    const opened = await Promise.allSettled(this.#sessions.values());
    const closings = opened.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value.close() : undefined,
    );
    await Promise.all([...closings, Promise.allSettled(this.#calls)]);
  }

  #open(language: string, signal: AbortSignal): Promise<SandboxSession> {
    if (this.#closed)
      return Promise.reject(new JarvisError("OJ_CLOSED", "The run that had this session is over."));
    const existing = this.#sessions.get(language);
    if (existing !== undefined) return existing;
    const opened = this.#source.createCodeSession(language, { functions: this.#functions, signal });
    this.#sessions.set(language, opened);
    opened.catch(() => this.#sessions.delete(language));
    return opened;
  }

  async #perform(call: CallTool, args: readonly unknown[], hostCall: HostCall): Promise<string> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      // The program may have ended while this call waited for its turn.
      throwIfAborted(hostCall.signal);
      return await call(args, hostCall);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#calls.add(work);
    const forget = () => this.#calls.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Notes the answer and stops the program; it never gets to the line after. */
  #end(args: readonly unknown[], { signal }: HostCall): Promise<null> {
    this.answer ??= { value: args[0] ?? null };
    this.#finish.abort(new JarvisError("OJ_ABORTED", "The program gave the final answer."));
    return new Promise((resolve) => {
      if (signal.aborted) resolve(null);
      signal.addEventListener("abort", () => resolve(null), { once: true });
    });
  }
}

/** An answer as text: texts as they are, everything else as JSON. */
export function answerText(value: unknown): string {
  if (typeof value === "string") return value;
  const keys = typeof value === "object" && value !== null ? Object.keys(value) : [];
  // A keyword arrives as an object: final_answer(answer=42).
  const only = keys.length === 1 ? keys[0] : undefined;
  if (only === "answer" || only === "value") return answerText((value as Record<string, unknown>)[only]);
  return JSON.stringify(value) ?? "";
}
