import type { Found, ReplyText } from "./found.js";
import { type LabelledForm, readLabelled } from "./labelled.js";

/** The lines of the orchestrator's structured mode: `THOUGHT:`, `TOOL:`, `INPUT:`, `FINAL_ANSWER:`. */
export const structuredForm: LabelledForm = {
  labels: {
    thought: "thoughts?",
    action: "tool(?:[ _-]?name)?",
    input: "tool[ _-]?inputs?",
    params: "inputs?|arguments?|args|parameters?",
    observation: "observations?",
    final: "final[ _-]?answer",
  },
  words: { action: "TOOL", input: "INPUT", final: "FINAL_ANSWER" },
};

/** Reads the lines of the structured mode. */
export function readStructured(reply: ReplyText): Found | undefined {
  return readLabelled(reply, structuredForm);
}
