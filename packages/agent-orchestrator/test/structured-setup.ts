import { type BaseTool, defineTool } from "@openjarvis/core";
import type { ScriptedEngineOptions, ScriptedResponder, ScriptedStep } from "@openjarvis/testing";
import type { OrchestratorOptions } from "../src/index.js";
import { type Setup, setup } from "./setup.js";

/** An orchestrator in its structured mode. */
export function structured(
  script: readonly ScriptedStep[] | ScriptedResponder,
  options: Partial<OrchestratorOptions> = {},
  engineOptions: ScriptedEngineOptions = {},
): Setup {
  return setup(script, { mode: "structured", ...options }, engineOptions);
}

/** A reply in the form the prompt asks for. */
export function use(name: string, input: string): string {
  return `THOUGHT: a tool helps\nTOOL: ${name}\nINPUT: ${input}`;
}

/** Reads a file; one required text beside an optional number. */
export const fileRead: BaseTool = defineTool({
  name: "file_read",
  description: "Reads a file.",
  category: "utility",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, max_lines: { type: "integer" } },
    required: ["path"],
  } as const,
  run: ({ path, max_lines }) => `${path}:${max_lines ?? "all"}`,
});

/** Takes code, which may look like an object. */
export const code: BaseTool = defineTool({
  name: "code_interpreter",
  description: "Runs code.",
  category: "code",
  costEstimate: 0.002,
  latencyEstimate: 1.5,
  metadata: { structured_allow_object_text: true },
  parameters: { type: "object", properties: { code: { type: "string" } }, required: ["code"] } as const,
  run: ({ code: text }) => `ran ${text}`,
});
