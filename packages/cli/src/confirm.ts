import { type ConfirmCallback, type ToolRequest, truncateMiddle } from "@openjarvis/core";
import { withVisibleControls } from "./control-characters.js";
import type { Terminal } from "./terminal.js";

/** Asks a person a question and resolves with the line typed; nothing when there was no answer. */
export type Prompt = (question: string, signal: AbortSignal | undefined) => Promise<string | undefined>;

const maxShown = 1_000;

/** Asks a person about each call, one after the other. Everything but a plain yes is a no. */
export function confirmWith(prompt: Prompt, terminal: Terminal): ConfirmCallback {
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const answer = last.then(() => confirm(request, prompt, terminal));
    last = answer.catch(() => {});
    return answer;
  };
}

async function confirm(request: ToolRequest, prompt: Prompt, terminal: Terminal): Promise<boolean> {
  const all = withVisibleControls(JSON.stringify(request.arguments));
  const shown = truncateMiddle(all, maxShown).replaceAll("\n", " ");
  const choices = all.length > maxShown ? "[y/N, v shows all]" : "[y/N]";
  const question = `Run tool "${request.tool}" with ${shown}? ${choices} `;
  for (;;) {
    const answer = (await prompt(question, request.signal))?.trim().toLowerCase();
    if (answer !== "v" || all.length <= maxShown) return answer === "y" || answer === "yes";
    terminal.note(all);
  }
}
