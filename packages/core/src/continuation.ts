import type { InferenceResult } from "./inference.js";
import type { Message } from "./message.js";

const maxContinuations = 2;
const continuePrompt = "Continue exactly where you stopped. Do not repeat anything.";

/** An answer with its continuations. */
export interface CompleteAnswer {
  text: string;
  /** Whether it is still cut. */
  truncated: boolean;
}

/**
 * Completes an answer that the token limit cut, by asking the model to go on, at most twice.
 *
 * @param ask one inference call with the given messages after the history; undefined when it failed
 * @param onText told the text so far, after each part
 */
export async function continueAnswer(
  answer: InferenceResult,
  ask: (more: readonly Message[]) => Promise<InferenceResult | undefined>,
  onText: (text: string) => void,
): Promise<CompleteAnswer> {
  const more: Message[] = [];
  let text = answer.content;
  let last = answer;
  for (let count = 0; last.finishReason === "length" && count < maxContinuations; count += 1) {
    // A part without text is asked for again as it was: servers refuse a message without text.
    if (last.content.trim() !== "") {
      more.push({ role: "assistant", content: last.content }, { role: "user", content: continuePrompt });
    }
    const next = await ask(more);
    if (next === undefined) break;
    last = next;
    text += last.content;
    onText(text);
  }
  return { text, truncated: last.finishReason === "length" };
}
