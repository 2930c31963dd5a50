import { labelledForm } from "./labelled-form.js";

/** Thought, Action, Action Input, Observation, Final Answer: the form of ReAct (Yao et al., arXiv:2210.03629). */
export const react = labelledForm({
  name: "react",
  shownAt(prompt) {
    const places = ["Action Input:", "Final Answer:"].map((label) => prompt.indexOf(label));
    return places.includes(-1) ? undefined : Math.max(...places);
  },
  toolTexts: (prompt) => prompt,
  labels: { thought: "Thought", tool: "Action", input: "Action Input", final: "Final Answer" },
  correction: "Write either\nThought:",
});
