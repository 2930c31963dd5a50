import type { AgentOptions } from "@openjarvis/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { CodeActAgent, type CodeActOptions, NativeOpenHandsAgent } from "../src/index.js";

describe("the public types", () => {
  it("are those of an agent, with one option more", () => {
    expectTypeOf<CodeActOptions>().toExtend<AgentOptions>();
    expectTypeOf<CodeActOptions["maxOutputChars"]>().toEqualTypeOf<number | undefined>();
    expectTypeOf<ConstructorParameters<typeof NativeOpenHandsAgent>>().toEqualTypeOf<
      [options: CodeActOptions]
    >();
    expect(CodeActAgent).toBe(NativeOpenHandsAgent);
    expect(NativeOpenHandsAgent.defaults).toEqual({ temperature: 0.7, maxTokens: 2048, maxTurns: 3 });
  });
});
