import { createInterface } from "node:readline/promises";
import type { CommandContext } from "./command-context.js";

/** Asks one question on the terminal: shown on standard error, answered on standard input. */
export async function promptLine(
  { io, terminal, interrupts }: CommandContext,
  question: string,
  signal: AbortSignal = interrupts.signal,
): Promise<string | undefined> {
  terminal.freshLine();
  const reader = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 });
  const closed = new Promise<undefined>((resolve) => reader.once("close", () => resolve(undefined)));
  reader.once("SIGINT", () => {
    reader.close();
    interrupts.receive("SIGINT");
  });
  try {
    return await Promise.race([reader.question(question, { signal }), closed]);
  } finally {
    reader.close();
  }
}

/** A yes or no question; no answer is a no. */
export async function promptYes(context: CommandContext, question: string): Promise<boolean> {
  const answer = (await promptLine(context, `${question} [y/N] `))?.trim().toLowerCase();
  return answer === "y" || answer === "yes";
}
