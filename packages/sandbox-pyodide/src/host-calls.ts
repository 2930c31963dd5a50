import { setMaxListeners } from "node:events";
import { errorText, type HostFunction, JarvisError } from "@openjarvis/core";
import { encodeValue, parseUntrusted } from "./json.js";
import type { ReplyFrame } from "./protocol.js";

/** Arguments longer than this are read one call at a time, so that the event loop is never held up for long. */
const longArguments = 100_000;
/** Most characters of the message of an error. */
const maxMessageChars = 10_000;

/** What {@link HostCalls} works with. */
export interface HostCallsOptions {
  functions: Readonly<Record<string, HostFunction>>;
  /** Most calls. */
  limit: number;
  reply: (frame: ReplyFrame, body: string) => void;
}

/** Performs the host calls of one cell. */
export class HostCalls {
  readonly #options: HostCallsOptions;
  readonly #controller = new AbortController();
  #turn: Promise<void> = Promise.resolve();
  #made = 0;
  #open = 0;

  constructor(options: HostCallsOptions) {
    this.#options = options;
    // Every call of a cell may listen to the one signal.
    setMaxListeners(0, this.#controller.signal);
  }

  /** Calls that are not answered yet. */
  get open(): number {
    return this.#open;
  }

  /** Performs a call and answers it, unless the cell is over by then. */
  start(call: number, name: string, args: Buffer): void {
    const { limit, reply } = this.#options;
    this.#made += 1;
    if (this.#made > limit) {
      reply(
        { type: "reply", call, status: "limit" },
        `The cell called host functions more than ${limit} times.`,
      );
      return;
    }
    this.#open += 1;
    void this.#perform(call, name, args);
  }

  /** Aborts the calls that run; their answers are dropped. */
  end(): void {
    this.#controller.abort(new JarvisError("OJ_ABORTED", "The cell that made this call is over."));
  }

  async #perform(call: number, name: string, args: Buffer): Promise<void> {
    const { signal } = this.#controller;
    let status: ReplyFrame["status"];
    let text: string;
    try {
      if (args.length > longArguments) await this.#myTurn();
      if (signal.aborted) return;
      const given = parseUntrusted(args.toString("utf8"));
      const { functions } = this.#options;
      const perform = Object.hasOwn(functions, name) ? functions[name] : undefined;
      if (perform === undefined || !Array.isArray(given))
        throw new TypeError(`There is no function ${name}.`);
      const value = encodeValue(`The result of ${name}`, await perform(given, { signal }));
      status = value.kind;
      text = value.text;
    } catch (error) {
      status = "error";
      text = messageOf(error).slice(0, maxMessageChars);
    }
    if (signal.aborted) return;
    this.#open -= 1;
    this.#options.reply({ type: "reply", call, status }, text);
  }

  async #myTurn(): Promise<void> {
    const turn = this.#turn.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    this.#turn = turn;
    await turn;
  }
}

/** The message of what a host function threw; never its stack. */
function messageOf(error: unknown): string {
  try {
    const { message } = error as { message?: unknown };
    return typeof message === "string" && message !== "" ? message : errorText(error);
  } catch {
    // A getter that throws, or nothing at all was thrown.
    return errorText(error);
  }
}
