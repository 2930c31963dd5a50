import type { ConfirmCallback } from "@openjarvis/core";
import { Jarvis, type JarvisSystem } from "@openjarvis/sdk";
import { answer, engineLine, stopNote } from "../answer.js";
import { LineReader } from "../chat/line-reader.js";
import { ChatSession } from "../chat/session.js";
import { runSlashCommand } from "../chat/slash-commands.js";
import type { Command, CommandContext } from "../command-context.js";
import { confirmWith } from "../confirm.js";
import { exitCodes } from "../exit-codes.js";
import { printFailure, toJarvisError } from "../failure.js";
import { askOptions, type RunFlags } from "../run-flags.js";
import { RunNotes } from "../run-notes.js";
import { runOptions } from "../sdk-options.js";

/** What `chat` takes. */
export type ChatArguments = RunFlags;

/** Talks until the input ends: a line is a question, a line with a slash a command. */
export const chat: Command<ChatArguments> = async (context, args) => {
  const { terminal, interrupts, options } = context;
  const jarvis = new Jarvis(runOptions(context, args));
  const session = new ChatSession(args);
  const reader = new LineReader(context);
  const canConfirm = args.yes === true || terminal.isInteractive;
  const notes = new RunNotes({ bus: jarvis.bus, terminal, verbose: options.verbose, canConfirm });
  const confirm = whoConfirms(context, args, reader);
  let failed = false;
  try {
    const system = await jarvis.system();
    await greet(context, system, session);
    for (;;) {
      const line = await reader.next("> ");
      if (line === undefined || interrupts.signal.aborted) break;
      const text = line.trim();
      if (text === "") continue;
      if (text.startsWith("/")) {
        if (runSlashCommand({ context, session, system }, text) === "quit") break;
        continue;
      }
      if (!(await turn({ context, jarvis, session, notes, confirm, text }))) failed = true;
    }
  } finally {
    reader.close();
    notes.close();
    await jarvis.close();
  }
  if (interrupts.exitCode !== undefined) return interrupts.exitCode;
  // At a terminal the person saw what failed and went on; a script must be told.
  return failed && !terminal.isInteractive ? exitCodes.failed : exitCodes.ok;
};

async function greet(context: CommandContext, system: JarvisSystem, session: ChatSession): Promise<void> {
  const { terminal, interrupts } = context;
  const { engine, model } = session.flags;
  const chosen = await system.resolveEngine({ engine, model, signal: interrupts.signal });
  terminal.note(engineLine(chosen), "dim");
  if (terminal.isInteractive) terminal.note("/help shows the commands, Ctrl-D ends the chat.", "dim");
}

interface Turn {
  context: CommandContext;
  jarvis: Jarvis;
  session: ChatSession;
  notes: RunNotes;
  confirm: ConfirmCallback | undefined;
  text: string;
}

/** One question and its answer. Returns whether it was answered; a failure is shown and the chat goes on. */
async function turn({ context, jarvis, session, notes, confirm, text }: Turn): Promise<boolean> {
  const { terminal, interrupts } = context;
  const cancel = new AbortController();
  interrupts.onInterrupt = () => {
    // What does not listen to the first Ctrl-C must not keep the person from leaving.
    if (cancel.signal.aborted) return false;
    cancel.abort();
    return true;
  };
  const signal = AbortSignal.any([cancel.signal, interrupts.signal]);
  try {
    const result = await answer({
      jarvis,
      terminal,
      query: text,
      options: { ...askOptions(session.flags), history: session.messages, signal, confirm },
      live: terminal.isTerminal,
    });
    notes.warningsOf(result);
    const note = stopNote(result.stopReason);
    if (note !== undefined) terminal.note(note, "yellow");
    const answered =
      result.content !== "" && ["final", "max_turns", "loop_guard"].includes(result.stopReason);
    if (answered) session.add(text, result.content);
    return result.stopReason === "final";
  } catch (error) {
    if (signal.aborted) terminal.note("The run was cancelled.", "yellow");
    else
      printFailure(terminal, toJarvisError(error, context.distribution.name), {
        stack: context.options.verbose,
      });
    return false;
  } finally {
    interrupts.onInterrupt = undefined;
  }
}

function whoConfirms(
  context: CommandContext,
  { yes }: RunFlags,
  reader: LineReader,
): ConfirmCallback | undefined {
  if (yes === true) return () => true;
  if (!context.terminal.isInteractive) return undefined;
  return confirmWith((question, signal) => reader.ask(question, signal), context.terminal);
}
