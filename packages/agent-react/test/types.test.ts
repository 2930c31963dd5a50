import type { AgentClass, AgentOptions, AgentResult, TextAgent, ToolUsingAgent } from "@openjarvis/core";
import { AgentRegistry } from "@openjarvis/core";
import { expect, expectTypeOf, it } from "vitest";
import { NativeReActAgent, ReActAgent } from "../src/index.js";
import { setup } from "./setup.js";

it("has exact types", () => {
  expectTypeOf(NativeReActAgent).toBeConstructibleWith({} as AgentOptions);
  expectTypeOf(NativeReActAgent).toExtend<AgentClass>();
  expectTypeOf<NativeReActAgent>().toExtend<TextAgent>();
  expectTypeOf<NativeReActAgent>().toExtend<ToolUsingAgent>();
  expectTypeOf(ReActAgent).toEqualTypeOf<typeof NativeReActAgent>();
  expectTypeOf<NativeReActAgent["run"]>().returns.resolves.toEqualTypeOf<AgentResult>();
});

it("is registered under both of its names, as one class", () => {
  expect(ReActAgent).toBe(NativeReActAgent);
  expect(AgentRegistry.get("native_react")).toBe(NativeReActAgent);
  expect(AgentRegistry.get("react")).toBe(NativeReActAgent);
  expect(AgentRegistry.keys()).toEqual(expect.arrayContaining(["native_react", "react"]));
  expect(NativeReActAgent.acceptsTools).toBe(true);
});

it("has the documented defaults, and says its full name whatever it was asked for by", async () => {
  const { agent, events } = setup(["42"]);
  expect(agent).toMatchObject({ agentId: "native_react", maxTurns: 10, temperature: 0.7, maxTokens: 1024 });
  await agent.run("q");
  expect(events.of("AGENT_TURN_START")[0]?.data).toMatchObject({ agent: "native_react", input: "q" });
});

it.each([
  ["maxTurns", 0],
  ["maxTokens", 0],
  ["temperature", 3],
])("refuses %s %s", (key, value) => {
  expect(() => setup([], { [key]: value })).toThrow(expect.objectContaining({ code: "OJ_OPTION" }));
});
