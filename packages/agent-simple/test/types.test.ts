import type {
  AgentClass,
  AgentContext,
  AgentMetadata,
  AgentOptions,
  AgentResult,
  BaseAgent,
  RunOptions,
  StopReason,
  ToolResult,
} from "@openjarvis/core";
import { expectTypeOf, it } from "vitest";
import { SimpleAgent } from "../src/index.js";

it("has exact types", () => {
  expectTypeOf(SimpleAgent).toBeConstructibleWith({} as AgentOptions);
  expectTypeOf(SimpleAgent).toExtend<AgentClass>();
  expectTypeOf<SimpleAgent>().toExtend<BaseAgent>();
  expectTypeOf<ConstructorParameters<typeof SimpleAgent>>().toEqualTypeOf<[options: AgentOptions]>();
  expectTypeOf<SimpleAgent["run"]>().parameters.toEqualTypeOf<
    [input: string, context?: AgentContext, options?: RunOptions]
  >();
  expectTypeOf<SimpleAgent["run"]>().returns.toEqualTypeOf<Promise<AgentResult>>();
  expectTypeOf<AgentResult>().toEqualTypeOf<{
    content: string;
    toolResults: ToolResult[];
    turns: number;
    metadata: AgentMetadata;
  }>();
  expectTypeOf<AgentMetadata["stopReason"]>().toEqualTypeOf<StopReason>();
});
