import type { AgentClass, AgentOptions, AgentResult, BaseTool, ToolUsingAgent } from "@openjarvis/core";
import { expectTypeOf, it } from "vitest";
import { OrchestratorAgent, type OrchestratorMode, type OrchestratorOptions } from "../src/index.js";

it("has exact types", () => {
  expectTypeOf<OrchestratorOptions>().toExtend<AgentOptions>();
  expectTypeOf<OrchestratorOptions["parallelTools"]>().toEqualTypeOf<boolean | undefined>();
  expectTypeOf<OrchestratorOptions["mode"]>().toEqualTypeOf<OrchestratorMode | undefined>();
  expectTypeOf<OrchestratorOptions["tools"]>().toEqualTypeOf<readonly BaseTool[] | undefined>();
  expectTypeOf(OrchestratorAgent).toBeConstructibleWith({} as OrchestratorOptions);
  expectTypeOf(OrchestratorAgent).toBeConstructibleWith({} as AgentOptions);
  expectTypeOf(OrchestratorAgent).toExtend<AgentClass>();
  expectTypeOf<OrchestratorAgent>().toExtend<ToolUsingAgent>();
  expectTypeOf<OrchestratorAgent["mode"]>().toEqualTypeOf<OrchestratorMode>();
  expectTypeOf<OrchestratorAgent["run"]>().returns.resolves.toEqualTypeOf<AgentResult>();
});
