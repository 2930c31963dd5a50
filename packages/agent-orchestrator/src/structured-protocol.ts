import { type BaseTool, buildToolDescriptions, type Observed, type TextProtocol } from "@openjarvis/core";

/** THOUGHT / TOOL / INPUT / FINAL_ANSWER: the orchestrator's mode for models without function calling. */
export const structured: TextProtocol = {
  dialects: "structured",
  stop: ["\nObservation:"],
  systemPrompt,
  observation: (results) => results.map(observe).join("\n"),
};

function observe({ tool, text, success }: Observed): string {
  return success
    ? `Observation: ${text}`
    : `Observation: Tool '${tool}' failed: ${text.replace(/^Error: /, "")}`;
}

function systemPrompt(tools: readonly BaseTool[]): string {
  if (tools.length === 0) {
    return `Answer the question. There are no tools.

=== RESPONSE FORMAT ===
THOUGHT: what you think
FINAL_ANSWER: the answer`;
  }
  return `Answer the question, with the tools where they help.

=== AVAILABLE TOOLS ===
${buildToolDescriptions(tools, { includeCost: true })}

=== TOOL SELECTION GUIDE ===
${selectionGuide(tools)}

=== RESPONSE FORMAT ===
To use a tool:
THOUGHT: what you want to find out
TOOL: the name of one tool
INPUT: a JSON object with its parameters

When you know the answer, or no tool helps:
THOUGHT: why it is the answer
FINAL_ANSWER: the answer

=== CRITICAL RULES ===
- Stop after INPUT. The result comes back to you as "Observation:"; never write one yourself.
- Use a tool for what it is made for; answer directly what needs none.
- Give the final answer as soon as the observations hold it.`;
}

const headings: Readonly<Record<string, string>> = {
  math: "MATH PROBLEMS",
  utility: "UTILITY / CODING TASKS",
  code: "CODING TASKS",
  memory: "GENERAL Q&A / FACTUAL",
  search: "CURRENT FACTS",
  reasoning: "REASONING/LOGIC",
  inference: "REASONING/LOGIC",
};

function selectionGuide(tools: readonly BaseTool[]): string {
  const groups = new Map<string, string[]>();
  for (const { spec } of tools) {
    const category = spec.category ?? "";
    const heading = headings[category] ?? (category === "" ? "OTHER" : category.toUpperCase());
    groups.set(heading, [...(groups.get(heading) ?? []), spec.name]);
  }
  return [...groups].map(([heading, names]) => `${heading}: ${names.join(", ")}`).join("\n");
}
