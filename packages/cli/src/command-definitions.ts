import type { Command } from "commander";
import type { Command as CliCommand } from "./command-context.js";
import { type AskArguments, ask } from "./commands/ask.js";
import type { ChatArguments } from "./commands/chat.js";
import { integerFlag, namesFlag, numberFlag, repeatedFlag } from "./flag-values.js";
import type { CommandName } from "./root-help.js";

/** Imports a command's code and runs it. */
export type Runs = <Args>(load: () => Promise<CliCommand<Args>>, args: Args) => Promise<void>;

/** Gives a command its arguments, flags and subcommands. */
type Define = (command: Command, runs: Runs, program: string) => void;

/** What each command takes. The code of a command is imported when it runs. */
export const commandDefinitions: Readonly<Record<CommandName, Define>> = {
  ask(command, runs, program) {
    withAskFlags(
      command.argument(
        "[query...]",
        "the question; text on standard input is added to it, or is the question when there is none",
      ),
    )
      .option("-i, --image <file>", "an image that belongs to the question (repeatable)", repeatedFlag)
      .option("--json", "print the whole result as JSON")
      .option("--no-stream", "print the answer when it is complete")
      .addHelpText("after", askHelp(program))
      .action((query: string[], flags: Omit<AskArguments, "query">) =>
        runs(async () => ask, { query, ...flags }),
      );
  },

  chat(command, runs) {
    withAskFlags(command).action((flags: ChatArguments) =>
      runs(async () => (await import("./commands/chat.js")).chat, flags),
    );
  },

  tool(command, runs) {
    command
      .command("list")
      .description("List the installed tools. Loads no plugin.")
      .option("--json", "print as JSON")
      .action((flags: { json?: boolean }) =>
        runs(async () => (await import("./commands/list.js")).list, { kind: "tools", ...flags }),
      );
    command
      .command("inspect")
      .description("Show what a tool does and takes.")
      .argument("<name>")
      .option("--json", "print as JSON")
      .action((name: string, flags: { json?: boolean }) =>
        runs(async () => (await import("./commands/tool-inspect.js")).inspectTool, { name, ...flags }),
      );
  },

  agent(command, runs) {
    command
      .command("list")
      .description("List the installed agents. Loads no plugin.")
      .option("--json", "print as JSON")
      .action((flags: { json?: boolean }) =>
        runs(async () => (await import("./commands/list.js")).list, { kind: "agents", ...flags }),
      );
  },

  engine(command, runs) {
    command
      .command("list")
      .description("List the installed engines. Loads no plugin unless --check is given.")
      .option("--check", "ask each engine whether it can be used")
      .option("--json", "print as JSON")
      .action((flags: { check?: boolean; json?: boolean }) =>
        runs(async () => (await import("./commands/list.js")).list, { kind: "engines", ...flags }),
      );
  },

  model(command, runs) {
    command
      .command("list")
      .description("List the models an engine offers.")
      .option("-e, --engine <name>", "the engine that is asked")
      .option("--json", "print as JSON")
      .action((flags: { engine?: string; json?: boolean }) =>
        runs(async () => (await import("./commands/model.js")).listModels, flags),
      );
    command
      .command("pull")
      .description("Fetch a model.")
      .argument("<name>")
      .option("-e, --engine <name>", "the engine that fetches it")
      .action((name: string, flags: { engine?: string }) =>
        runs(async () => (await import("./commands/model.js")).pullModel, { name, ...flags }),
      );
  },

  plugins: definePlugins,

  config: defineConfig,

  init(command, runs) {
    command
      .option("--force", "overwrite a configuration that is there")
      .option("--yes", "ask nothing, take the proposals")
      .action((flags: { force?: boolean; yes?: boolean }) =>
        runs(async () => (await import("./commands/init.js")).init, flags),
      );
  },

  doctor(command, runs) {
    command
      .option("--json", "print as JSON")
      .action((flags: { json?: boolean }) =>
        runs(async () => (await import("./commands/doctor.js")).doctor, flags),
      );
  },
};

function askHelp(name: string): string {
  return [
    "",
    "Examples:",
    `  ${name} ask "What is 15% of 340?"`,
    `  ${name} ask --agent orchestrator --tools calculator,think "What is sqrt(256)?"`,
    `  git diff | ${name} ask "What does this change?"`,
    "",
    "Exit codes: 0 answered, 1 failed or not final, 2 mistake on the command line,",
    "130 Ctrl-C.",
  ].join("\n");
}

function withAskFlags(command: Command): Command {
  return command
    .option("-a, --agent <name>", "the agent that answers")
    .option("--tools <names>", "tools the agent may call, with commas between them", namesFlag)
    .option("--allow-dir <folder>", "a folder whose files tools may read (repeatable)", repeatedFlag)
    .option("-e, --engine <name>", "the engine that is asked")
    .option("-m, --model <name>", "the model that is asked")
    .option("-t, --temperature <number>", "sampling temperature, 0 to 2", numberFlag(0, 2))
    .option("--max-tokens <count>", "most tokens of one answer of the model", integerFlag(1))
    .option("--max-turns <count>", "most turns of the agent", integerFlag(1))
    .option("--system <text>", "the system prompt")
    .option("--mode <mode>", "a mode of the agent, such as structured")
    .option("--yes", "allow every tool call that would be asked about");
}

function definePlugins(plugins: Command, runs: Runs): void {
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

function defineConfig(config: Command, runs: Runs): void {
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
