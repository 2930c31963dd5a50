import { labelledForm } from "./labelled-form.js";

const tools = "=== AVAILABLE TOOLS ===";
const format = "=== RESPONSE FORMAT ===";

/** THOUGHT, TOOL, INPUT, FINAL_ANSWER: the orchestrator's mode for models without function calling. */
export const structured = labelledForm({
  name: "structured",
  shownAt(prompt) {
    if (!prompt.includes(format) || !prompt.includes("FINAL_ANSWER:")) return undefined;
    const offer = prompt.indexOf(tools);
    return offer < 0 ? prompt.indexOf(format) : offer;
  },
  toolTexts(prompt) {
    const offer = prompt.indexOf(tools);
    // Behind the heading stands no blank line.
    return offer < 0 ? "" : `\n${prompt.slice(offer + tools.length).trimStart()}`;
  },
  labels: { thought: "THOUGHT", tool: "TOOL", input: "INPUT", final: "FINAL_ANSWER" },
  correction: "Write either\nTHOUGHT:",
});
