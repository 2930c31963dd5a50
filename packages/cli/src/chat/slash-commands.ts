import { writeFileSync } from "node:fs";
import { didYouMean, errorText, truncateEnd } from "@openjarvis/core";
import type { JarvisSystem } from "@openjarvis/sdk";
import type { CommandContext } from "../command-context.js";
import { pathFrom } from "../sdk-options.js";
import type { ChatSession } from "./session.js";

/** Whether the chat goes on. */
export type ChatStep = "continue" | "quit";

/** What a slash command works with. */
export interface ChatState {
  context: CommandContext;
  session: ChatSession;
  system: JarvisSystem;
}

interface SlashCommand {
  names: readonly string[];
  argument: string;
  summary: string;
  run(state: ChatState, argument: string): ChatStep;
}

const commands: readonly SlashCommand[] = [
  { names: ["/help"], argument: "", summary: "Show these commands", run: showHelp },
  { names: ["/model"], argument: "[name]", summary: "Show or change the model", run: changeModel },
  { names: ["/agent"], argument: "[name]", summary: "Show or change the agent", run: changeAgent },
  { names: ["/tools"], argument: "[a,b]", summary: "Show or change the tools; - for none", run: changeTools },
  { names: ["/history"], argument: "", summary: "Show what was said", run: showHistory },
  { names: ["/clear"], argument: "", summary: "Forget what was said", run: clear },
  {
    names: ["/save"],
    argument: "FILE",
    summary: "Write the chat to a file, as Markdown or .json",
    run: save,
  },
  { names: ["/quit", "/exit", "/q"], argument: "", summary: "End the chat", run: () => "quit" },
];

const maxShown = 200;

/** Runs a line that begins with a slash. */
export function runSlashCommand(state: ChatState, line: string): ChatStep {
  const [, name = "", argument = ""] = /^(\S+)\s*(.*)$/s.exec(line.trim()) ?? [];
  const command = commands.find(({ names }) => names.includes(name));
  if (command !== undefined) return command.run(state, argument.trim());
  const near = didYouMean(
    name,
    commands.flatMap(({ names }) => names),
  );
  state.context.terminal.note(`There is no command ${name}.${near} /help shows them.`, "yellow");
  return "continue";
}

function showHelp({ context: { terminal } }: ChatState): ChatStep {
  const rows = commands.map(({ names, argument, summary }) => [
    `${names.join(" ")} ${argument}`.trim(),
    summary,
  ]);
  const width = Math.max(...rows.map(([usage = ""]) => usage.length)) + 2;
  for (const [usage = "", summary = ""] of rows) terminal.note(`  ${usage.padEnd(width)}${summary}`);
  terminal.note("  Ctrl-C cancels an answer, Ctrl-D ends the chat.");
  return "continue";
}

function changeModel({ context: { terminal }, session }: ChatState, name: string): ChatStep {
  if (name !== "") session.flags.model = name;
  terminal.note(`model: ${session.flags.model ?? "the engine's or the configuration's choice"}`, "dim");
  return "continue";
}

function changeAgent(state: ChatState, name: string): ChatStep {
  const { context, session } = state;
  if (name !== "") {
    if (!isInstalled(state, "agents", [name])) return "continue";
    session.flags.agent = name;
  }
  context.terminal.note(`agent: ${session.flags.agent ?? "the configuration's choice"}`, "dim");
  return "continue";
}

function changeTools(state: ChatState, list: string): ChatStep {
  const { context, session } = state;
  if (list === "-") session.flags.tools = [];
  else if (list !== "") {
    const names = list.split(/[\s,]+/).filter((name) => name !== "");
    if (!isInstalled(state, "tools", names)) return "continue";
    session.flags.tools = names;
  }
  const { tools } = session.flags;
  const text = tools === undefined ? "the configuration's choice" : tools.join(", ") || "none";
  context.terminal.note(`tools: ${text}`, "dim");
  return "continue";
}

/** Whether all names are installed; says which is not. Nothing is loaded for it. */
function isInstalled(
  { context, system }: ChatState,
  kind: "agents" | "tools",
  names: readonly string[],
): boolean {
  const installed = system.installed(kind);
  const unknown = names.find((name) => !installed.includes(name));
  if (unknown === undefined) return true;
  const near = didYouMean(unknown, installed);
  const noun = kind.slice(0, -1);
  const message = `There is no ${noun} "${unknown}".${near} Installed: ${installed.join(", ")}.`;
  context.terminal.note(message, "yellow");
  return false;
}

function showHistory({ context: { terminal }, session }: ChatState): ChatStep {
  if (session.messages.length === 0) terminal.note("Nothing was said yet.", "dim");
  for (const { role, content } of session.messages) {
    const text = (content ?? "").replace(/\s+/g, " ").trim();
    const shown = text.length > maxShown ? `${truncateEnd(text, maxShown)}…` : text;
    terminal.note(`${role === "user" ? "you" : "jarvis"}: ${shown}`);
  }
  return "continue";
}

function clear({ context: { terminal }, session }: ChatState): ChatStep {
  session.clear();
  terminal.note("The chat starts anew.", "dim");
  return "continue";
}

function save({ context: { terminal, io }, session }: ChatState, file: string): ChatStep {
  if (file === "") {
    terminal.note("Name a file: /save chat.md", "yellow");
    return "continue";
  }
  const path = pathFrom(io.cwd, file.replace(/^~(?=\/)/, io.env.HOME ?? "~"));
  try {
    // What is there already is somebody's; a chat is private.
    writeFileSync(path, file.endsWith(".json") ? asJson(session) : asMarkdown(session), {
      flag: "wx",
      mode: 0o600,
    });
    terminal.note(`saved: ${path}`, "dim");
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === "EEXIST";
    terminal.note(
      exists ? `${path} exists already; name another file.` : `Not saved: ${errorText(error)}`,
      "yellow",
    );
  }
  return "continue";
}

function asJson({ messages }: ChatSession): string {
  return `${JSON.stringify({ messages: messages.map(({ role, content }) => ({ role, content })) }, undefined, 2)}\n`;
}

function asMarkdown({ messages }: ChatSession): string {
  return messages
    .map(({ role, content }) => `## ${role === "user" ? "You" : "Jarvis"}\n\n${content ?? ""}\n`)
    .join("\n");
}
