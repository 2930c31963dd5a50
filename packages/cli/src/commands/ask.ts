import { answer, engineLine, exitCodeAfter, stopNote } from "../answer.js";
import type { Command, CommandContext } from "../command-context.js";
import { confirmAtTerminal } from "../confirm-at-terminal.js";
import { usageError } from "../failure.js";
import { askOptions, type RunFlags } from "../run-flags.js";
import { RunNotes } from "../run-notes.js";
import { runOptions } from "../sdk-options.js";
import { readStandardInput } from "../standard-input.js";

/** What `ask` takes. */
export interface AskArguments extends RunFlags {
  query: readonly string[];
  image?: readonly string[];
  json?: boolean;
  /** False with `--no-stream`. */
  stream?: boolean;
}

/** Asks one question and prints the answer. */
export const ask: Command<AskArguments> = async (context, args) => {
  const { terminal, interrupts, distribution, options } = context;
  const sdk = import("@openjarvis/sdk");
  const query = await readQuery(context, args.query, sdk);
  if (query.trim() === "") {
    const hint = `Write it after the command: ${distribution.name} ask "What is 15% of 340?"`;
    throw usageError("The question is missing.", hint);
  }
  const images =
    args.image === undefined
      ? undefined
      : (await import("../images.js")).readImages(args.image, context.io.cwd);
  const { askResultToJson, Jarvis } = await sdk;
  const jarvis = new Jarvis(runOptions(context, args));
  const canConfirm = args.yes === true || terminal.isInteractive;
  const notes = new RunNotes({ bus: jarvis.bus, terminal, verbose: options.verbose, canConfirm });
  try {
    const { signal } = interrupts;
    const { engine, model } = args;
    const system = await jarvis.system();
    const chosen = await system.resolveEngine({ engine, model, signal });
    terminal.note(engineLine(chosen), "dim");
    const askWith = { ...askOptions(args), images, signal, confirm: confirmAtTerminal(context, args.yes) };
    if (args.json === true) {
      const result = await jarvis.askFull(query, askWith);
      terminal.print(JSON.stringify(askResultToJson(result), undefined, 2));
      return end(context, notes, result);
    }
    const live = args.stream !== false && terminal.isTerminal;
    return end(context, notes, await answer({ jarvis, terminal, query, options: askWith, live }));
  } finally {
    notes.close();
    await jarvis.close();
  }
};

function end(
  { terminal, interrupts }: CommandContext,
  notes: RunNotes,
  result: Awaited<ReturnType<typeof answer>>,
): number {
  notes.warningsOf(result);
  const note = stopNote(result.stopReason);
  if (note !== undefined && !terminal.closed) terminal.note(note, "yellow");
  return interrupts.exitCode ?? (terminal.closed ? 0 : exitCodeAfter(result.stopReason));
}

/** The question: what was typed, then what was piped in. A lone `-` stands for standard input. */
async function readQuery(
  context: CommandContext,
  words: readonly string[],
  ready: Promise<unknown>,
): Promise<string> {
  const { terminal, interrupts, io } = context;
  const typed = words.filter((word) => word !== "-").join(" ");
  const piped = await readStandardInput(io, {
    required: typed.trim() === "" || words.includes("-"),
    ready,
    signal: interrupts.signal,
    onWaiting: () =>
      terminal.note("Waiting for standard input; Ctrl-C gives up, </dev/null says there is none.", "dim"),
    onLate: () =>
      terminal.note(
        'warning: Text on standard input came too late and was left out. A lone "-" after the question waits for it.',
        "yellow",
      ),
  });
  if (typed.trim() === "") return piped;
  return piped.trim() === "" ? typed : `${typed}\n\n${piped}`;
}
