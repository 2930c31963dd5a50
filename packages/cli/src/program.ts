import { Command } from "commander";
import type { Command as CliCommand, CommandContext, GlobalOptions } from "./command-context.js";
import { type AskArguments, ask } from "./commands/ask.js";
import type { ChatArguments } from "./commands/chat.js";
import { exitCodes } from "./exit-codes.js";
import { integerFlag, namesFlag, numberFlag, repeatedFlag } from "./flag-values.js";
import { commandSummaries, rootHelp } from "./root-help.js";

/** The command tree. */
export interface Program {
  command: Command;
  /** What the command that ran ended with. */
  exitCode(): number;
}

/** Runs a command module's function; the module is imported only then. */
type Load<Args> = () => Promise<CliCommand<Args>>;

/** Builds the command tree. Each command's code is imported when the command runs. */
export function createProgram(context: CommandContext): Program {
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

  const runs = <Args>(load: Load<Args>, args: Args): Promise<void> => {
    const { config, plugins = true, verbose = false } = program.opts<Partial<GlobalOptions>>();
    Object.assign(context.options, { config, plugins, verbose });
    return load()
      .then((run) => run(context, args))
      .then((code) => {
        exitCode = code;
      });
  };
  const add = (name: string): Command => {
    const summary = commandSummaries.find((command) => command.name === name)?.summary ?? "";
    return program.command(name).description(`${summary}.`);
  };

  withAskFlags(
    add("ask").argument(
      "[query...]",
      "the question; text on standard input is added to it, or is the question when there is none",
    ),
  )
    .option("-i, --image <file>", "an image that belongs to the question (repeatable)", repeatedFlag)
    .option("--json", "print the whole result as JSON")
    .option("--no-stream", "print the answer when it is complete")
    .action((query: string[], flags: Omit<AskArguments, "query">) =>
      runs(async () => ask, { query, ...flags }),
    );

  withAskFlags(add("chat")).action((flags: ChatArguments) =>
    runs(async () => (await import("./commands/chat.js")).chat, flags),
  );

  const tool = add("tool");
  tool
    .command("list")
    .description("List the installed tools. Loads no plugin.")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/list.js")).list, { kind: "tools", ...flags }),
    );
  tool
    .command("inspect")
    .description("Show what a tool does and takes.")
    .argument("<name>")
    .option("--json", "print as JSON")
    .action((name: string, flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/tool-inspect.js")).inspectTool, { name, ...flags }),
    );

  add("agent")
    .command("list")
    .description("List the installed agents. Loads no plugin.")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/list.js")).list, { kind: "agents", ...flags }),
    );

  add("engine")
    .command("list")
    .description("List the installed engines. Loads no plugin unless --check is given.")
    .option("--check", "ask each engine whether it can be used")
    .option("--json", "print as JSON")
    .action((flags: { check?: boolean; json?: boolean }) =>
      runs(async () => (await import("./commands/list.js")).list, { kind: "engines", ...flags }),
    );

  const model = add("model");
  model
    .command("list")
    .description("List the models an engine offers.")
    .option("-e, --engine <name>", "the engine that is asked")
    .option("--json", "print as JSON")
    .action((flags: { engine?: string; json?: boolean }) =>
      runs(async () => (await import("./commands/model.js")).listModels, flags),
    );
  model
    .command("pull")
    .description("Fetch a model.")
    .argument("<name>")
    .option("-e, --engine <name>", "the engine that fetches it")
    .action((name: string, flags: { engine?: string }) =>
      runs(async () => (await import("./commands/model.js")).pullModel, { name, ...flags }),
    );

  addPluginCommands(add("plugins"), runs);
  addConfigCommands(add("config"), runs);

  add("init")
    .option("--force", "overwrite a configuration that is there")
    .option("--yes", "ask nothing, take the proposals")
    .action((flags: { force?: boolean; yes?: boolean }) =>
      runs(async () => (await import("./commands/init.js")).init, flags),
    );
  add("doctor")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/doctor.js")).doctor, flags),
    );

  return { command: program, exitCode: () => exitCode };
}

type Runs = <Args>(load: Load<Args>, args: Args) => Promise<void>;

function withAskFlags(command: Command): Command {
  return command
    .option("-a, --agent <name>", "the agent that answers")
    .option("--tools <names>", "tools the agent may call, with commas between them", namesFlag)
    .option("-e, --engine <name>", "the engine that is asked")
    .option("-m, --model <name>", "the model that is asked")
    .option("-t, --temperature <number>", "sampling temperature, 0 to 2", numberFlag(0, 2))
    .option("--max-tokens <count>", "most tokens of one answer of the model", integerFlag(1))
    .option("--max-turns <count>", "most turns of the agent", integerFlag(1))
    .option("--system <text>", "the system prompt")
    .option("--mode <mode>", "a mode of the agent, such as structured")
    .option("--yes", "allow every tool call that would be asked about");
}

function addPluginCommands(plugins: Command, runs: Runs): void {
  plugins
    .command("list")
    .description("List the installed plugins. Loads none.")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/plugins-list.js")).listPlugins, flags),
    );
  plugins
    .command("add")
    .description("Install plugins into the OpenJarvis home: from the registry, a folder or a tarball.")
    .argument("<package...>")
    .option("--yes", "do not ask")
    .option(
      "--allow-scripts <names>",
      "packages whose install scripts may run, with commas between them",
      namesFlag,
    )
    .action((packages: string[], flags: { yes?: boolean; allowScripts?: readonly string[] }) =>
      runs(async () => (await import("./commands/plugins-add.js")).addPlugins, { packages, ...flags }),
    );
  plugins
    .command("remove")
    .description("Remove plugins from the OpenJarvis home.")
    .argument("<name...>")
    .action((names: string[]) =>
      runs(async () => (await import("./commands/plugins-remove.js")).removePlugins, { names }),
    );
  plugins
    .command("trust")
    .description("Let the project in a folder add plugins: its code then runs with your rights.")
    .argument("[folder]")
    .action((folder: string | undefined) =>
      runs(async () => (await import("./commands/plugins-trust.js")).trustPlugins, { folder }),
    );
  plugins
    .command("doctor")
    .description("Check every plugin: manifest, versions, and whether it loads.")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/plugins-doctor.js")).pluginsDoctor, flags),
    );
}

function addConfigCommands(config: Command, runs: Runs): void {
  config
    .command("show")
    .description("Show what is set, and where.")
    .option("--json", "print as JSON")
    .action((flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/config.js")).showConfig, flags),
    );
  config
    .command("get")
    .description("Print the value of a key.")
    .argument("<key>")
    .option("--json", "print as JSON")
    .action((key: string, flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/config.js")).getConfig, { key, ...flags }),
    );
  config
    .command("set")
    .description("Set a key; comments and the rest of the file stay.")
    .argument("<key>")
    .argument("<value>")
    .action((key: string, value: string) =>
      runs(async () => (await import("./commands/config.js")).setConfig, { key, value }),
    );
  config
    .command("path")
    .description("Print the path of the configuration file.")
    .action(() => runs(async () => (await import("./commands/config.js")).configPath, {}));
  config
    .command("validate")
    .description("Check a configuration file.")
    .argument("[file]")
    .option("--json", "print as JSON")
    .action((file: string | undefined, flags: { json?: boolean }) =>
      runs(async () => (await import("./commands/config.js")).validateConfig, { file, ...flags }),
    );
}
