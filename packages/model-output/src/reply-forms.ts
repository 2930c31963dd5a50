import type { DialectSet } from "./reply-types.js";

/** The form that a set of dialects wants, in sentences for the model. */
export const replyForms: Readonly<Record<DialectSet, string>> = {
  react: `Write either
Thought: what you think
Action: the name of one tool
Action Input: a JSON object with its parameters
and stop there, or
Thought: what you think
Final Answer: the answer`,
  structured: `Write either
THOUGHT: what you think
TOOL: the name of one tool
INPUT: a JSON object with its parameters
and stop there, or
THOUGHT: what you think
FINAL_ANSWER: the answer`,
  codeact: `Write either one code block to run, with its language behind the opening fence, and close it; or
Action: the name of one tool
Action Input: a JSON object with its parameters
and stop there; or the answer, as plain text.`,
  any: `Write either one JSON object {"name": the name of one tool, "arguments": {its parameters}} and nothing after it, or the answer, as plain text.`,
};
