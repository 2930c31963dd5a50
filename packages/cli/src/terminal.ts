import { styleText } from "node:util";
import { ControlCharacterFilter, withoutControls } from "./control-characters.js";
import type { CliIo, OutputStream } from "./io.js";

/** How a piece of text looks. */
export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/**
 * Writes for a person or a program: results to standard output, everything else to standard error.
 *
 * - A reader that has gone away (`| head`) is no error: writing stops, and `onClosed` is told once.
 * - What goes to standard error never carries control characters; standard output only where it is no terminal.
 */
export class Terminal {
  readonly #io: CliIo;
  readonly #filter = new ControlCharacterFilter();
  readonly #onError: { stream: OutputStream; listener: (error: NodeJS.ErrnoException) => void }[] = [];
  readonly #gone = new Set<OutputStream>();
  #column = 0;
  #failure: Error | undefined;

  /** Called once when nobody reads standard output any more, or it cannot be written. */
  onClosed: (() => void) | undefined;

  constructor(io: CliIo) {
    this.#io = io;
    for (const stream of new Set([io.stdout, io.stderr])) {
      const listener = (error: NodeJS.ErrnoException) => this.#streamFailed(stream, error);
      stream.on("error", listener);
      this.#onError.push({ stream, listener });
    }
  }

  /** Whether standard output is a terminal. */
  get isTerminal(): boolean {
    return this.#io.stdout.isTTY === true;
  }

  /** Whether a person can be asked: the questions go to standard error, the answers come from standard input. */
  get isInteractive(): boolean {
    return this.#io.stdin.isTTY === true && this.#io.stderr.isTTY === true;
  }

  /** Whether the reader of standard output has gone away. */
  get closed(): boolean {
    return this.#gone.has(this.#io.stdout);
  }

  /** Why standard output could not be written, other than by a reader that has gone away. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** Columns of the terminal that results go to, else of the one that messages go to. */
  get columns(): number {
    return this.#io.stdout.columns ?? this.#io.stderr.columns ?? 80;
  }

  /** Writes a piece of a result; pieces may cut an escape sequence in two. */
  out(text: string): void {
    const shown = this.isTerminal ? this.#filter.push(text) : text;
    if (shown === "") return;
    this.#column = columnAfter(this.#column, shown);
    this.#write(this.#io.stdout, shown);
  }

  /** Ends a result: the cursor is at the start of a line afterwards. */
  endOut(): void {
    this.#filter.end();
    if (this.#column !== 0) this.#write(this.#io.stdout, "\n");
    this.#column = 0;
  }

  /** Writes a whole result and ends its line. */
  print(text: string): void {
    this.out(text);
    this.endOut();
  }

  /** Writes our own text to standard output, colours and all. */
  printStyled(text: string): void {
    this.#write(this.#io.stdout, `${text}\n`);
  }

  /** Writes a line to standard error, without control characters. */
  note(text: string, style?: Style): void {
    const clean = withoutControls(text);
    this.noteStyled(style === undefined ? clean : this.style(style, clean, this.#io.stderr));
  }

  /** Writes a line of our own to standard error, colours and all. Parts that come from elsewhere must be clean. */
  noteStyled(text: string): void {
    this.freshLine();
    this.#write(this.#io.stderr, `${text}\n`);
  }

  /** Text without what a terminal acts on. */
  clean(text: string): string {
    return withoutControls(text);
  }

  /** Starts a line where an unfinished result stands on the same terminal. */
  freshLine(): void {
    if (this.#column === 0 || !this.isTerminal || this.#io.stderr.isTTY !== true) return;
    this.#write(this.#io.stdout, "\n");
    this.#column = 0;
  }

  /** Writes to standard error as it is: progress lines that are written over. */
  status(text: string): void {
    this.#write(this.#io.stderr, text);
  }

  /** Whether standard error shows colours and lines that are written over. */
  get hasLiveStatus(): boolean {
    return this.#io.stderr.isTTY === true && this.#io.env.TERM !== "dumb";
  }

  /** Text in a style, where the stream shows colours. */
  style(style: Style, text: string, stream: OutputStream = this.#io.stdout): string {
    return showsColour(stream, this.#io.env) ? styleText(style, text, { validateStream: false }) : text;
  }

  /** Text for standard error in a style. */
  noteStyle(style: Style, text: string): string {
    return this.style(style, text, this.#io.stderr);
  }

  /** Resolves when everything written has left the process. */
  async flush(): Promise<void> {
    await Promise.all(
      this.#onError.map(({ stream }) => {
        if (this.#gone.has(stream)) return undefined;
        return new Promise<void>((resolve) => {
          const done = () => {
            stream.off("error", done);
            resolve();
          };
          stream.once("error", done);
          stream.write("", done);
        });
      }),
    );
  }

  /** Stops watching the streams. */
  close(): void {
    for (const { stream, listener } of this.#onError) stream.off("error", listener);
  }

  #write(stream: OutputStream, text: string): void {
    if (!this.#gone.has(stream)) stream.write(text);
  }

  #streamFailed(stream: OutputStream, error: NodeJS.ErrnoException): void {
    if (this.#gone.has(stream)) return;
    this.#gone.add(stream);
    const readerGone =
      error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED" || error.code === "EOF";
    if (!readerGone && stream === this.#io.stdout) this.#failure = error;
    if (stream === this.#io.stdout) this.onClosed?.();
  }
}

/** `FORCE_COLOR` and `NO_COLOR` decide, else whether the stream is a terminal that knows colours. */
function showsColour(stream: OutputStream, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== "0" && env.FORCE_COLOR !== "false";
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== "") return false;
  return stream.isTTY === true && env.TERM !== "dumb";
}

function columnAfter(column: number, text: string): number {
  const lineStart = text.lastIndexOf("\n") + 1;
  return lineStart === 0 ? column + text.length : text.length - lineStart;
}
