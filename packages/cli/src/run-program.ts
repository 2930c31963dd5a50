import type { CommanderError } from "commander";
import type { CommandContext } from "./command-context.js";
import { exitCodes } from "./exit-codes.js";
import { exitCodeOf, failureJson, printFailure, toJarvisError, usageError } from "./failure.js";
import { Interrupts } from "./interrupts.js";
import type { CliIo } from "./io.js";
import type { Distribution } from "./options.js";
import { createProgram } from "./program.js";
import { Terminal } from "./terminal.js";

/** How long the process may live on after everything is done, on whatever a plugin has left open. */
const lingerMs = 2_000;

/** Runs a command line and resolves with the exit code. Never rejects. */
export async function runProgram(
  distribution: Distribution,
  argv: readonly string[],
  io: CliIo,
): Promise<number> {
  const terminal = new Terminal(io);
  const interrupts = new Interrupts(io);
  terminal.onClosed = () => interrupts.cancel();
  const context: CommandContext = {
    distribution,
    io,
    terminal,
    interrupts,
    options: { plugins: true, verbose: false },
  };
  const watch = watchProcess(context, argv);
  let code: number;
  try {
    code = await execute(context, argv);
  } catch (error) {
    code = fail(context, argv, error);
  }
  await terminal.flush();
  watch.end();
  interrupts.close();
  terminal.close();
  if (terminal.failure !== undefined && code === exitCodes.ok) code = exitCodes.failed;
  setTimeout(() => io.exit(code), lingerMs).unref();
  return code;
}

/** Reports what goes wrong outside the command itself: in a callback of a plugin, or by waiting for nothing. */
function watchProcess(context: CommandContext, argv: readonly string[]): { end(): void } {
  const { io } = context;
  const crashed = (error: unknown) => io.exit(fail(context, argv, error));
  const starved = () => crashed(new Error("the program waits for something that cannot happen any more"));
  io.signals.on("uncaughtException", crashed);
  io.signals.on("beforeExit", starved);
  return {
    end() {
      io.signals.off("uncaughtException", crashed);
      io.signals.off("beforeExit", starved);
    },
  };
}

async function execute(context: CommandContext, argv: readonly string[]): Promise<number> {
  const program = createProgram(context, argv);
  try {
    await program.command.parseAsync([...argv], { from: "user" });
  } catch (error) {
    if (!isCommanderError(error)) throw error;
    if (error.exitCode === 0) return exitCodes.ok;
    throw usageError(usageText(error), usageHint(context.distribution.name, error, argv));
  }
  return program.exitCode();
}

/** Reports an error in the ways the command line asked for, and picks the exit code. */
function fail(context: CommandContext, argv: readonly string[], thrown: unknown): number {
  const { terminal, interrupts, io, distribution } = context;
  if (interrupts.exitCode !== undefined) return interrupts.exitCode;
  // Nobody reads any more: the command was cancelled for that, and there is nobody to tell.
  if (terminal.closed) return exitCodes.ok;
  const error = toJarvisError(thrown, distribution.name);
  if (wantsJson(argv)) terminal.print(JSON.stringify(failureJson(error), undefined, 2));
  const debug = io.env.OPENJARVIS_DEBUG;
  const stack = context.options.verbose || (debug !== undefined && debug !== "" && debug !== "0");
  printFailure(terminal, error, { stack });
  return exitCodeOf(error);
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}

function isCommanderError(error: unknown): error is CommanderError {
  return (
    typeof error === "object" &&
    error !== null &&
    String((error as { code?: unknown }).code).startsWith("commander.")
  );
}

/** Commander's text as a sentence: without its prefix, and with the suggestion on the same line. */
function usageText(error: CommanderError): string {
  if (error.code === "commander.help") return "A subcommand is missing.";
  const [first = "", suggestion = ""] = error.message.replace(/^error: /, "").split("\n");
  const sentence = `${first.charAt(0).toUpperCase()}${first.slice(1)}`
    .replaceAll("'", '"')
    .replace(/(?<![.?!])$/, ".");
  const meant = /^\(Did you mean (?:one of )?(.*)\?\)$/.exec(suggestion)?.[1];
  return meant === undefined ? sentence : `${sentence} Did you mean ${meant}?`;
}

function usageHint(name: string, error: CommanderError, argv: readonly string[]): string {
  const command = argv.find((argument) => /^[a-z]/.test(argument));
  const help = `"${[name, ...(command === undefined || error.code === "commander.unknownCommand" ? [] : [command])].join(" ")} --help" shows what there is.`;
  const question =
    error.code === "commander.unknownOption" && argv.some((argument) => /^-\S* /.test(argument));
  return question ? `${help} Put -- before a question that starts with a dash.` : help;
}
