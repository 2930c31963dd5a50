import "@openjarvis/agent-orchestrator";
import "@openjarvis/agent-simple";
import "@openjarvis/engine-rules";
import "@openjarvis/tool-calculator";
import "@openjarvis/tool-think";
import { AgentRegistry } from "@openjarvis/core";
import { afterAll, describe, expect, it } from "vitest";
import { Jarvis } from "../src/index.js";

/** The SDK examples of the user guide, in TypeScript, on the engine that needs no model. */
describe("the examples of the user guide", () => {
  const j = new Jarvis({ home: "/nonexistent/openjarvis", plugins: "none", env: {} });
  afterAll(() => j.close());

  it("asks the simple agent", async () => {
    const response = await j.ask("Hello", { agent: "simple" });
    expect(response).not.toBe("");
  });

  it("asks the orchestrator with a tool", async () => {
    const response = await j.ask("Calculate 15% of 340", { agent: "orchestrator", tools: ["calculator"] });
    expect(response).toMatch(/\b51\b/);
  });

  it("gives the full result with tool details", async () => {
    const result = await j.askFull("What is the square root of 144?", {
      agent: "orchestrator",
      tools: ["calculator", "think"],
    });
    expect(result.content).toMatch(/\b12\b/);
    expect(result.turns).toBe(2);
    expect(result.toolResults).toMatchObject([{ toolName: "calculator", content: "12.0", success: true }]);
  });

  it("shows each tool result", async () => {
    const result = await j.askFull("What is the area of a circle with radius 7?", {
      agent: "orchestrator",
      tools: ["calculator", "think"],
    });
    const lines = result.toolResults.map((tr) => `${tr.toolName}: ${tr.content} (success=${tr.success})`);
    expect(lines).toEqual([expect.stringMatching(/^calculator: 153\.93804\d* \(success=true\)$/)]);
    expect(result.content).toContain("153.938");
  });

  it("streams the same answer", async () => {
    let text = "";
    for await (const piece of j.askStream("Calculate 15% of 340", { tools: ["calculator"] })) text += piece;
    expect(text).toMatch(/\b51\b/);
  });

  it("refuses what the rules cannot answer, with the way to a model", async () => {
    await expect(j.ask("Tell me a story about a sad robot")).rejects.toMatchObject({
      code: "OJ_ENGINE_CANNOT_ANSWER",
      hint: expect.stringContaining("jarvis model pull"),
    });
  });

  it("lists what is registered", () => {
    expect(AgentRegistry.contains("orchestrator")).toBe(true);
    expect(AgentRegistry.keys()).toEqual(expect.arrayContaining(["simple", "orchestrator"]));
  });
});
