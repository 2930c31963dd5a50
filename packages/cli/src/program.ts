import { Command } from "commander";
import type { CommandContext, GlobalOptions } from "./command-context.js";
import { commandDefinitions, type Runs } from "./command-definitions.js";
import { exitCodes } from "./exit-codes.js";
import { commandSummaries, rootHelp } from "./root-help.js";

/** The command tree. */
export interface Program {
  command: Command;
  /** What the command that ran ended with. */
  exitCode(): number;
}

/** Builds the command tree; only the part a command line needs, where its first word is a command. */
export function createProgram(context: CommandContext, argv: readonly string[]): Program {
  const { distribution, terminal, io } = context;
  let exitCode: number = exitCodes.ok;
  const program = new Command(distribution.name);
  program
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.status(text),
      outputError: () => {},
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => terminal.columns,
    })
    .configureHelp({ showGlobalOptions: true })
    .version(distribution.version, "-V, --version", "print the version")
    .option("--config <file>", "read this file in place of config.toml in the OpenJarvis home")
    .option("--no-plugins", "use the plugins of this distribution alone")
    .option("--verbose", "show what happens, on standard error");
  program.helpInformation = () => rootHelp(distribution.name);

  const runs: Runs = (load, args) => {
    const { config, plugins = true, verbose = false } = program.opts<Partial<GlobalOptions>>();
    Object.assign(context.options, { config, plugins, verbose });
    return load()
      .then((run) => run(context, args))
      .then((code) => {
        exitCode = code;
      });
  };
  const first = firstWord(argv);
  const needed = commandSummaries.filter(({ name }) => name === first);
  for (const { name, summary } of needed.length > 0 ? needed : commandSummaries) {
    commandDefinitions[name](program.command(name).description(`${summary}.`), runs, distribution.name);
  }
  return { command: program, exitCode: () => exitCode };
}

/** The first argument that is neither a global option nor its value. */
function firstWord(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((argument, at) => !argument.startsWith("-") && argv[at - 1] !== "--config");
  return argv[index];
}
