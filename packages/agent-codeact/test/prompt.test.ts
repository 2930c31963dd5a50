import { describe, expect, it } from "vitest";
import { codeact } from "../src/codeact-protocol.js";
import { add, setup, TestInterpreter } from "./setup.js";

describe("the system prompt", () => {
  it("names the tools as functions and as actions", async () => {
    const { agent, engine } = setup(["done"], { systemPrompt: "Be kind." });
    await agent.run("go");
    const prompt = engine.messagesOf(0)[0]?.content ?? "";
    expect(prompt).toContain("```python");
    expect(prompt).toContain("- add(a, b=…)");
    expect(prompt).toContain("### add");
    expect(prompt).toContain("Be kind.");
    expect(prompt).not.toContain("### code_interpreter");
    expect(prompt).not.toContain("javascript");
  });

  it("says nothing of programs without an interpreter, and nothing of tools without tools", () => {
    const bare = codeact().systemPrompt([]);
    expect(bare).not.toMatch(/program|Action|tool|`/);
    const toolsOnly = codeact().systemPrompt([add]);
    expect(toolsOnly).toContain("Action Input:");
    expect(toolsOnly).not.toMatch(/program|```/);
    const interpreter = { name: "code_interpreter", languages: ["javascript"], hasSession: true };
    const codeOnly = codeact(interpreter).systemPrompt([new TestInterpreter(["javascript"])]);
    expect(codeOnly).toContain("```javascript");
    expect(codeOnly).not.toMatch(/Action|python/);
  });
});
