import { type BaseTool, buildToolDescriptions, type TextProtocol } from "@openjarvis/core";

/**
 * Thought / Action / Observation in plain text.
 *
 * Source of the pattern: Yao et al., "ReAct: Synergizing Reasoning and Acting in Language Models", arXiv:2210.03629.
 */
export const react: TextProtocol = {
  dialects: "react",
  stop: ["\nObservation:"],
  systemPrompt,
  observation: (results) => results.map(({ text }) => `Observation: ${text}`).join("\n"),
};

function systemPrompt(tools: readonly BaseTool[]): string {
  return `Answer the question, step by step. Write each reply in one of two forms.

To use a tool:
Thought: what you want to find out
Action: the name of one tool
Action Input: a JSON object with its parameters

When you know the answer, or no tool helps:
Thought: why it is the answer
Final Answer: the answer

Stop after Action Input. The result comes back to you as "Observation:"; never write one yourself.

Tools:

${buildToolDescriptions(tools)}`;
}
