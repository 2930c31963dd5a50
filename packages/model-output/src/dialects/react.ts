import type { Found, ReplyText } from "./found.js";
import { type LabelledForm, readLabelled } from "./labelled.js";

/**
 * The lines of ReAct: `Thought:`, `Action:`, `Action Input:`, `Observation:`, `Final Answer:`. After Yao et al., "ReAct:
 * Synergizing Reasoning and Acting in Language Models" (2022), in the spelling of LangChain's prompts; the paper's
 * `Action 1: Search[…]` and LlamaIndex's `Answer:` are read too.
 */
export const reactForm: LabelledForm = {
  labels: {
    thought: "thoughts?",
    action: "action",
    input: "action[ _-]?inputs?",
    params: "inputs?|arguments?|args|parameters?",
    observation: "observations?",
    final: "final[ _-]?answer",
    answer: "answer",
  },
  words: { action: "Action", input: "Action Input", final: "Final Answer" },
};

/** Reads ReAct lines. */
export function readReact(reply: ReplyText): Found | undefined {
  return readLabelled(reply, reactForm);
}
