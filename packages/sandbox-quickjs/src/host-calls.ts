import { setMaxListeners } from "node:events";
import { errorText, type HostFunction, JarvisError } from "@openjarvis/core";
import { encodeValue, parseUntrusted } from "./json.js";
import type { Call, CallArguments, GuestFailure, Settle } from "./protocol.js";

/** Characters of arguments that are read in one turn of the event loop, so that it is never held up for long. */
const charsPerTurn = 500_000;

/** Performs the host calls of one cell. */
export class HostCalls {
  readonly #functions: Readonly<Record<string, HostFunction>>;
  readonly #settle: (settle: Settle) => void;
  readonly #controller = new AbortController();
  /** Calls whose turn has not come. */
  readonly #queue: Call[] = [];
  #charsThisTurn = 0;
  #turnEnds = false;

  constructor(functions: Readonly<Record<string, HostFunction>>, settle: (settle: Settle) => void) {
    this.#functions = functions;
    this.#settle = settle;
    // Every call of a cell may listen to the one signal.
    setMaxListeners(0, this.#controller.signal);
  }

  /** Performs a call and gives its answer to the guest, unless the cell is over by then. */
  start(call: Call): void {
    this.#queue.push(call);
    this.#performQueue();
  }

  /** Aborts the calls that run; their answers are dropped. */
  end(): void {
    this.#controller.abort(new JarvisError("OJ_ABORTED", "The cell that made this call is over."));
  }

  #performQueue(): void {
    while (this.#charsThisTurn < charsPerTurn) {
      const call = this.#queue.shift();
      if (call === undefined) break;
      this.#charsThisTurn += call.args.json.length;
      void this.#perform(call);
    }
    if (this.#turnEnds || this.#charsThisTurn === 0) return;
    this.#turnEnds = true;
    setImmediate(() => {
      this.#turnEnds = false;
      this.#charsThisTurn = 0;
      this.#performQueue();
    });
  }

  async #perform({ call, name, args }: Call): Promise<void> {
    const { signal } = this.#controller;
    if (signal.aborted) return;
    let answer: Settle["answer"];
    try {
      const perform = Object.hasOwn(this.#functions, name) ? this.#functions[name] : undefined;
      if (perform === undefined) throw new TypeError(`There is no function ${name}.`);
      const value: unknown = await perform(readArguments(args), { signal });
      if (signal.aborted) return;
      answer = { ok: true, value: encodeValue(`The result of ${name}`, value) };
    } catch (error) {
      answer = { ok: false, ...failureOf(error) };
    }
    if (!signal.aborted) this.#settle({ type: "settle", call, answer });
  }
}

function readArguments({ json, texts }: CallArguments): unknown[] {
  const args = parseUntrusted(json);
  if (!Array.isArray(args)) throw new TypeError("The arguments are no list.");
  for (const { index, text } of texts) if (index in args) args[index] = text;
  return args;
}

/** Name and message of what a host function threw; never its stack. */
function failureOf(error: unknown): GuestFailure {
  try {
    const { name, message } = error as { name?: unknown; message?: unknown };
    return {
      name: typeof name === "string" && /^[A-Za-z]\w{0,60}$/.test(name) ? name : "Error",
      message: typeof message === "string" && message !== "" ? message : errorText(error),
    };
  } catch {
    // A getter that throws, or nothing at all was thrown.
    return { name: "Error", message: errorText(error) };
  }
}
