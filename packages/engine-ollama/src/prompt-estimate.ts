import type { Message, OpenAIFunction } from "@openjarvis/core";
import { textOf } from "@openjarvis/core";

const charactersPerToken = 4;
// Short prompts are below the noise of the estimate.
const leastTokens = 512;

/** Tokens of a request at four characters each; images are not counted. */
export function estimateTokens(messages: readonly Message[], tools: readonly OpenAIFunction[] = []): number {
  let characters = 0;
  for (const message of messages) {
    characters += textOf(message).length;
    for (const call of message.toolCalls ?? []) characters += call.name.length + call.arguments.length;
  }
  if (tools.length > 0) characters += JSON.stringify(tools).length;
  return Math.ceil(characters / charactersPerToken);
}

/** What to tell when the server read far less than was sent: it cuts a prompt that is too long without a word. */
export function cutPromptWarning(sent: number, read: number | undefined, numCtx: number): string | undefined {
  if (sent < leastTokens || !read || read >= sent / 2) return undefined;
  return (
    `The prompt was cut: about ${sent} tokens were sent, the model read ${read} (its context window is ${numCtx}). ` +
    "Instructions and tools may be lost; raise `numCtx` or send less."
  );
}
