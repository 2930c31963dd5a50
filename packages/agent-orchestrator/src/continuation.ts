import type { InferenceResult, Message } from "@openjarvis/core";

const maxContinuations = 2;
const continuePrompt = "Continue exactly where you stopped. Do not repeat anything.";

/**
 * Completes an answer that the token limit cut, by asking the model to go on, at most twice.
 *
 * @param ask one inference call with the given messages after the history
 */
export async function continueAnswer(
  answer: InferenceResult,
  ask: (more: readonly Message[]) => Promise<InferenceResult>,
): Promise<{ text: string; truncated: boolean }> {
  const more: Message[] = [];
  let text = answer.content;
  let last = answer;
  for (let count = 0; last.finishReason === "length" && count < maxContinuations; count += 1) {
    more.push({ role: "assistant", content: last.content }, { role: "user", content: continuePrompt });
    last = await ask(more);
    text += last.content;
  }
  return { text, truncated: last.finishReason === "length" };
}
