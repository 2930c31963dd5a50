import { exitCodes } from "./exit-codes.js";
import type { CliIo } from "./io.js";

const codes = {
  SIGINT: exitCodes.interrupted,
  SIGTERM: exitCodes.terminated,
  SIGHUP: exitCodes.hangup,
} as const;

type Signal = keyof typeof codes;

/** How long a command may take to end after a signal. */
const graceMs = 5_000;

/**
 * Turns signals into cancellation. The first one cancels what runs, so that it can end in order; the second, or the end
 * of a grace time, ends the process at once.
 */
export class Interrupts {
  readonly #io: CliIo;
  readonly #controller = new AbortController();
  readonly #listeners: [Signal, () => void][] = [];
  #exitCode: number | undefined;
  #grace: NodeJS.Timeout | undefined;

  /** Takes a Ctrl-C in place of the whole command: chat cancels a turn and goes on. Returns whether it did. */
  onInterrupt: (() => boolean) | undefined;

  constructor(io: CliIo) {
    this.#io = io;
    for (const signal of Object.keys(codes) as Signal[]) {
      const listener = () => this.receive(signal);
      this.#io.signals.on(signal, listener);
      this.#listeners.push([signal, listener]);
    }
  }

  /** Fires when the command is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What the process ends with because of a signal; nothing when there was none. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** Acts on a signal; a prompt that reads keys itself passes its Ctrl-C on. */
  receive(signal: Signal): void {
    if (this.#exitCode !== undefined) {
      this.#io.exit(this.#exitCode);
      return;
    }
    if (signal === "SIGINT" && this.onInterrupt?.() === true) return;
    const code = codes[signal];
    this.#exitCode = code;
    this.#grace = setTimeout(() => this.#io.exit(code), graceMs);
    this.#grace.unref();
    this.#controller.abort();
  }

  /** Cancels without a signal: nobody reads the output any more. */
  cancel(): void {
    this.#controller.abort();
  }

  close(): void {
    clearTimeout(this.#grace);
    for (const [signal, listener] of this.#listeners) this.#io.signals.off(signal, listener);
  }
}
