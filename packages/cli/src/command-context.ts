import type { Interrupts } from "./interrupts.js";
import type { CliIo } from "./io.js";
import type { Distribution } from "./options.js";
import type { Terminal } from "./terminal.js";

/** The options every command takes. */
export interface GlobalOptions {
  config?: string | undefined;
  /** False with `--no-plugins`. */
  plugins: boolean;
  verbose: boolean;
}

/** What a command is run with. */
export interface CommandContext {
  readonly distribution: Distribution;
  readonly io: CliIo;
  readonly terminal: Terminal;
  readonly interrupts: Interrupts;
  readonly options: GlobalOptions;
}

/** A command: resolves with the exit code, rejects with what went wrong. */
export type Command<Args> = (context: CommandContext, args: Args) => Promise<number>;
