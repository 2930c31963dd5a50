/** The commands, in the order of the overview. */
export const commandSummaries = [
  { name: "ask", summary: "Ask a question, with an agent and tools" },
  { name: "chat", summary: "Talk, with the conversation kept" },
  { name: "tool", summary: "List the installed tools, show one" },
  { name: "agent", summary: "List the installed agents" },
  { name: "engine", summary: "List the installed engines" },
  { name: "model", summary: "List an engine's models, fetch one" },
  { name: "plugins", summary: "Add, remove, trust and check plugins" },
  { name: "config", summary: "Show, set and check the configuration" },
  { name: "init", summary: "Write a first config.toml" },
  { name: "doctor", summary: "Check this installation" },
] as const;

/** The name of a command. */
export type CommandName = (typeof commandSummaries)[number]["name"];

/** The options every command takes, as the overview shows them. */
export const globalOptions: readonly [flags: string, description: string][] = [
  ["--config FILE", "Read this file in place of config.toml in the OpenJarvis home"],
  ["--no-plugins", "Use the plugins of this distribution alone"],
  ["--verbose", "Show what happens, on standard error"],
  ["-V, --version", "Print the version"],
  ["-h, --help", "Show help; after a command, the help of that command"],
];

/** The overview that `--help` prints. Written by hand so that it needs no command-line parser. */
export function rootHelp(name: string): string {
  const width = Math.max(...globalOptions.map(([flags]) => flags.length)) + 2;
  const line = (left: string, right: string) => `  ${left.padEnd(width)}${right}`;
  return [
    `Usage: ${name} [options] <command>`,
    "",
    "Personal AI on your own machine: models, agents and tools.",
    "",
    "Commands:",
    ...commandSummaries.map((command) => line(command.name, command.summary)),
    "",
    "Options:",
    ...globalOptions.map(([flags, description]) => line(flags, description)),
    "",
    "Examples:",
    `  ${name} ask "What is 15% of 340?"`,
    `  ${name} ask --agent orchestrator --tools calculator,think "What is sqrt(256)?"`,
    `  git diff | ${name} ask "What does this change?"`,
    "",
  ].join("\n");
}
