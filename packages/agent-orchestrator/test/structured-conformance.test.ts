import { type AgentProtocol, functionCalling } from "@openjarvis/testing";
import { testAgent } from "@openjarvis/testing/vitest";
import { describe } from "vitest";
import { OrchestratorAgent } from "../src/index.js";

const labelled: AgentProtocol = {
  call: (name, params) => `THOUGHT: try it\nTOOL: ${name}\nINPUT: ${JSON.stringify(params)}`,
  final: (text) => `THOUGHT: I know\nFINAL_ANSWER: ${text}`,
  badCall: (name) => `TOOL: ${name}\nINPUT: {"text": `,
};

describe.each(Object.entries({ labelled, native: functionCalling }))(
  "the structured mode with a model that speaks %s",
  (_name, protocol) => {
    testAgent((options) => new OrchestratorAgent({ ...options, mode: "structured" }), { protocol });
  },
);
