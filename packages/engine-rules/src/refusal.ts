import { JarvisError } from "@openjarvis/core";

/** A small model with tool support that runs on ordinary machines; what the refusals suggest. */
export const suggestedModel = "qwen3:4b";

/** How to get a model, as hints and answers say it. */
export const modelAdvice = `Install Ollama (https://ollama.com), then run: jarvis model pull ${suggestedModel}`;

const because = "it is not a language model";
/** Longest question that is repeated in a command, in characters. */
const maxQuoted = 200;

/** The refusal of a question no rule covers. */
export function refusal(question: string): JarvisError {
  const message =
    question.trim() === ""
      ? "The built-in rules engine was asked nothing."
      : `The built-in rules engine cannot answer this: ${because}.`;
  return new JarvisError("OJ_ENGINE_CANNOT_ANSWER", message, { hint: modelAdvice });
}

/** The refusal of a question that a tool would answer which was not offered. */
export function refusalWithoutTool(question: string, tool: string): JarvisError {
  const agent = tool === "code_interpreter" ? "native_openhands" : "orchestrator";
  const command = `jarvis ask --agent ${agent} --tools ${tool} ${quote(question)}`;
  return new JarvisError(
    "OJ_ENGINE_CANNOT_ANSWER",
    `The built-in rules engine cannot answer this without the tool "${tool}": ${because}.`,
    { hint: `Run: ${command}\n  Or for a model: ${modelAdvice}`, details: { tool } },
  );
}

/** A question as one argument of a command line; a long one and a program are left for the reader to fill in. */
function quote(question: string): string {
  const text = question.trim().replace(/\s+/g, " ");
  if (text.length > maxQuoted || /```|~~~/.test(text)) return '"…"';
  // Inside double quotes these would be read by the shell.
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
