import { describe, expect, it } from "vitest";
import { BaseTool, type ToolResult, type ToolSpec } from "../src/index.js";
import { setUp } from "./executor-support.js";

/** A tool whose own `execute` returns what it is told to. */
function toolReturning(make: () => unknown): BaseTool {
  return new (class extends BaseTool {
    readonly toolId = "odd";
    readonly spec: ToolSpec = { name: "odd", description: "d" };
    override execute(): Promise<ToolResult> {
      return make() as Promise<ToolResult>;
    }
  })();
}

describe("a tool with an `execute` of its own", () => {
  const throwing = () => {
    throw new Error("getter");
  };
  it.each<[string, () => unknown, RegExp]>([
    ["nothing", () => undefined, /returned no result with a text/],
    ["text", () => "done", /returned no result with a text/],
    ["a result without text", async () => ({ success: true }), /returned no result with a text/],
    ["a result whose text is a number", async () => ({ content: 5 }), /returned no result with a text/],
    ["a rejection", () => Promise.reject(new Error("late")), /^late$/],
    ["an exception", throwing, /^getter$/],
    [
      "a result with a throwing getter",
      async () => Object.defineProperty({}, "content", { get: throwing }),
      /^getter$/,
    ],
    [
      "metadata with a throwing getter",
      async () => ({
        content: "",
        get metadata() {
          return throwing();
        },
      }),
      /^getter$/,
    ],
  ])(
    "answers an own execute that gives %s with a failed result and both events",
    async (_name, make, content) => {
      const { executor, types } = setUp({ tools: [toolReturning(make)] });
      const result = await executor.execute({ name: "odd", arguments: "" });
      expect(result).toMatchObject({ toolName: "odd", success: false, metadata: { code: "OJ_TOOL_FAILED" } });
      expect(result.content).toMatch(content);
      expect(types()).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
    },
  );

  it.each<[string, unknown, Partial<ToolResult>]>([
    ["only text", { content: "a" }, { content: "a", success: true, usage: {}, costUsd: 0 }],
    [
      "frozen metadata",
      { content: "a", metadata: Object.freeze({ x: 1 }) },
      { metadata: { x: 1, arguments: {} } },
    ],
    ["metadata that is none", { content: "a", metadata: 5 }, { metadata: { arguments: {} } }],
    [
      "a failure without a code",
      { content: "a", success: false },
      { metadata: { code: "OJ_TOOL_FAILED", arguments: {} } },
    ],
  ])("completes the result of an own execute with %s", async (_name, value, expected) => {
    const { executor } = setUp({ tools: [toolReturning(async () => value)] });
    const result = await executor.execute({ name: "odd", arguments: "" });
    expect(result).toMatchObject({ toolName: "odd", ...expected });
    expect(result.latencySeconds).toBeGreaterThan(0);
  });
});
