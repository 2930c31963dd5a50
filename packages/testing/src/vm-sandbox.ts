import { createContext, Script } from "node:vm";
import {
  type CellError,
  type CellErrorKind,
  type CellResult,
  type CodeSandbox,
  JarvisError,
  type RunCellOptions,
  type SandboxSession,
  type SandboxSessionOptions,
} from "@openjarvis/core";

/**
 * A sandbox true to the contract that runs JavaScript with `node:vm`, whatever language it says it is; for tests only,
 * since `node:vm` isolates nothing. Assignments to undeclared names are kept from cell to cell.
 */
export class VmSandbox implements CodeSandbox {
  readonly language: string;
  readonly sessions: VmSession[] = [];

  constructor(language = "python") {
    this.language = language;
  }

  get open(): number {
    return this.sessions.filter(({ closed }) => !closed).length;
  }

  async createSession(options: SandboxSessionOptions = {}): Promise<SandboxSession> {
    options.signal?.throwIfAborted();
    const session = new VmSession(options);
    this.sessions.push(session);
    return session;
  }

  async close(): Promise<void> {
    await Promise.all(this.sessions.map((session) => session.close()));
  }
}

export class VmSession implements SandboxSession {
  readonly options: SandboxSessionOptions;
  /** The code of its cells. */
  readonly cells: string[] = [];
  closed = false;
  #context: Record<string, unknown> = {};
  #output = "";
  #cell = new AbortController();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SandboxSessionOptions) {
    this.options = options;
    this.#start();
  }

  #start(): void {
    const print = (...values: unknown[]) => {
      this.#output += `${values.map(String).join(" ")}\n`;
    };
    const functions = Object.entries(this.options.functions ?? {}).map(([name, call]) => [
      name,
      async (...args: unknown[]) => {
        const { signal } = this.#cell;
        return call(JSON.parse(JSON.stringify(args)) as unknown[], { signal });
      },
    ]);
    const crash = () => {
      throw new Lost();
    };
    const forever = () => new Promise(() => {});
    this.#context = createContext({
      ...Object.fromEntries(functions),
      ...this.options.variables,
      print,
      crash,
      forever,
    });
  }

  run(code: string, options: RunCellOptions = {}): Promise<CellResult> {
    if (this.closed) return Promise.reject(new JarvisError("OJ_CLOSED", "The session was closed."));
    const cell = this.#last.then(() => this.#run(code, options));
    this.#last = cell.catch(() => undefined);
    return cell;
  }

  async #run(code: string, { signal }: RunCellOptions): Promise<CellResult> {
    this.cells.push(code);
    this.#output = "";
    this.#cell = new AbortController();
    const timeoutMs = this.options.limits?.totalTimeoutMs ?? 10_000;
    const facts = { stderr: "", truncated: false, durationSeconds: 0.001 };
    try {
      const value = await this.#evaluate(code, timeoutMs, signal);
      const shown =
        value === undefined ? {} : { value: typeof value === "string" ? `'${value}'` : String(value) };
      return { ...facts, success: true, stdout: this.#output, ...shown, stateLost: false };
    } catch (error) {
      const stateLost = isNamed(error, "Lost");
      if (stateLost) this.#start();
      return { ...facts, success: false, stdout: this.#output, error: cellError(error, code), stateLost };
    } finally {
      this.#cell.abort();
    }
  }

  async #evaluate(code: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<unknown> {
    const script = compile(code);
    const running = script.runInContext(this.#context, { timeout: 1_000 }) as Promise<unknown>;
    let timer: NodeJS.Timeout | undefined;
    let cancel = () => {};
    const stopped = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Stopped("timeout")), timeoutMs);
      cancel = () => reject(new Stopped("cancelled"));
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel, { once: true });
    });
    try {
      return await Promise.race([stopped, running]);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", cancel);
      running.catch(() => undefined);
    }
  }

  async set(name: string, value: unknown): Promise<void> {
    this.#context[name] = value;
  }

  async reset(): Promise<void> {
    this.#start();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.#cell.abort();
  }
}

class Stopped extends Error {
  override readonly name = "Stopped";
  readonly kind: CellErrorKind;

  constructor(kind: CellErrorKind) {
    super(kind === "timeout" ? "The cell timed out." : "The cell was cancelled.");
    this.kind = kind;
  }
}

class Lost extends Error {
  override readonly name = "Lost";
}

/** A script whose value is that of its last line, where that is an expression. */
function compile(code: string): Script {
  const lines = code.trimEnd().split("\n");
  const head = lines.slice(0, -1).join("\n");
  try {
    return new Script(`(async () => {${head}\nreturn (${lines.at(-1) ?? ""}\n)})()`);
  } catch {
    return new Script(`(async () => {${code}\n})()`);
  }
}

function isNamed(error: unknown, name: string): boolean {
  return (error as Error | undefined)?.name === name;
}

function cellError(error: unknown, code: string): CellError {
  const { name, message } = error as Error;
  if (isNamed(error, "Stopped")) return { kind: (error as Stopped).kind, name, message, traceback: "" };
  if (isNamed(error, "Lost"))
    return { kind: "crash", name, message: "The interpreter crashed.", traceback: "" };
  const kind = name === "SyntaxError" ? "syntax" : "runtime";
  return { kind, name, message, traceback: `Traceback:\n  ${code.trim()}\n${name}: ${message}` };
}
