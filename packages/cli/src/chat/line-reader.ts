import { createInterface, type Interface } from "node:readline/promises";
import type { CommandContext } from "../command-context.js";

/** A long pipe is read on when these are done. */
const maxWaitingLines = 1_000;

/**
 * Reads lines from a terminal or from a pipe, in order, none lost while nobody waits.
 *
 * Between a call of `next` and its answer a terminal is in the hands of the line editor; otherwise it is in its ordinary
 * mode, so that Ctrl-C arrives as a signal.
 */
export class LineReader {
  readonly #context: CommandContext;
  readonly #interface: Interface;
  readonly #isTerminal: boolean;
  readonly #lines: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #asking = false;
  #closed = false;

  constructor(context: CommandContext) {
    const { io, terminal, interrupts } = context;
    this.#context = context;
    this.#isTerminal = terminal.isInteractive;
    this.#interface = createInterface({
      input: io.stdin,
      ...(this.#isTerminal ? { output: io.stderr, terminal: true } : { terminal: false }),
    });
    this.#interface.on("line", (line) => {
      if (this.#waiting === undefined) this.#keep(line);
      else this.#deliver(line);
    });
    this.#interface.on("close", () => {
      this.#closed = true;
      if (this.#waiting === undefined) return;
      // Ctrl-D leaves the cursor behind the prompt.
      if (this.#isTerminal) terminal.status("\n");
      this.#deliver(undefined);
    });
    // The answers to questions are not what the arrow keys should bring back.
    this.#interface.on("history", (history: string[]) => {
      if (this.#asking) history.shift();
    });
    this.#interface.on("SIGINT", () => this.#interruptedPrompt());
    interrupts.signal.addEventListener("abort", () => this.close(), { once: true });
    if (this.#isTerminal) this.#release();
  }

  /** The next line; nothing at the end of the input. */
  next(prompt: string): Promise<string | undefined> {
    const line = this.#lines.shift();
    if (this.#lines.length === 0 && !this.#isTerminal && !this.#closed) this.#interface.resume();
    if (line !== undefined || this.#closed) return Promise.resolve(line);
    const answer = new Promise<string | undefined>((resolve) => {
      this.#waiting = resolve;
    });
    if (this.#isTerminal) {
      this.#take();
      this.#interface.setPrompt(prompt);
      this.#interface.prompt();
    }
    return answer;
  }

  /** Asks a question whose answer is typed after it was shown. */
  async ask(question: string, signal: AbortSignal | undefined): Promise<string | undefined> {
    if (this.#closed || !this.#isTerminal) return undefined;
    this.#context.terminal.freshLine();
    this.#take();
    this.#asking = true;
    const cancel = () => {
      if (this.#waiting !== undefined) this.#deliver(undefined);
    };
    signal?.addEventListener("abort", cancel, { once: true });
    try {
      return await new Promise<string | undefined>((resolve) => {
        this.#waiting = resolve;
        this.#interface.setPrompt(question);
        this.#interface.prompt();
      });
    } finally {
      this.#asking = false;
      signal?.removeEventListener("abort", cancel);
    }
  }

  close(): void {
    this.#interface.close();
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length >= maxWaitingLines) this.#interface.pause();
  }

  #deliver(line: string | undefined): void {
    const resolve = this.#waiting;
    this.#waiting = undefined;
    if (this.#isTerminal && !this.#closed) this.#release();
    resolve?.(line);
  }

  /** Ctrl-C at the prompt empties a line that was begun; at an empty one it says how to leave. */
  #interruptedPrompt(): void {
    const { interrupts, terminal } = this.#context;
    terminal.status("\n");
    if (interrupts.onInterrupt?.() === true) return;
    if (this.#interface.line === "") terminal.note("Ctrl-D or /quit ends the chat.", "dim");
    this.#interface.write(null, { ctrl: true, name: "e" });
    this.#interface.write(null, { ctrl: true, name: "u" });
    this.#interface.prompt();
  }

  #take(): void {
    this.#context.io.stdin.setRawMode?.(true);
    this.#interface.resume();
  }

  #release(): void {
    this.#interface.pause();
    this.#context.io.stdin.setRawMode?.(false);
  }
}
