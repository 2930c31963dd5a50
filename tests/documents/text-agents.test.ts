import { AgentRegistry } from "@openjarvis/core";
import "@openjarvis/agent-codeact";
import "@openjarvis/agent-react";
import { NativeOpenHandsAgent } from "@openjarvis/agent-codeact";
import { NativeReActAgent, ReActAgent } from "@openjarvis/agent-react";
import { Jarvis } from "openjarvis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HermeticHome, hermeticHome, jarvisCommand } from "./jarvis-command.js";

/** The documents' agents that read text, on the rules engine, through the command and the SDK. */

let home: HermeticHome;
beforeAll(() => {
  home = hermeticHome();
});
afterAll(() => home.remove());

const program = "Run this program:\n```python\nsquares = [n * n for n in range(5)]\nprint(sum(squares))\n```";

describe("the commands of the agents document", () => {
  it.each([
    ["native_react", "calculator", "What is 2+2?", "4"],
    ["react", "calculator,think", "Solve step by step: 15% of 340", "51"],
  ])("ask --agent %s --tools %s %j answers %s", async (agent, tools, question, answer) => {
    const { code, stdout } = await jarvisCommand(
      ["ask", "--agent", agent, "--tools", tools, question],
      home.env,
    );
    expect(stdout).toContain(answer);
    expect(code).toBe(0);
  });

  it("ask --verbose shows thought, action and observation on standard error", async () => {
    const args = [
      "ask",
      "--verbose",
      "--agent",
      "react",
      "--tools",
      "calculator,think",
      "Solve step by step: 15% of 340",
    ];
    const { stdout, stderr } = await jarvisCommand(args, home.env);
    expect(stderr).toMatch(
      /Thought:[\s\S]*Action: calculator[\s\S]*Action Input:[\s\S]*51\.0[\s\S]*Final Answer:/,
    );
    expect(stdout).toContain("51");
    expect(stdout).not.toContain("Thought:");
  });

  it("ask --mode structured answers by the orchestrator's text form", async () => {
    const args = [
      "ask",
      "--agent",
      "orchestrator",
      "--mode",
      "structured",
      "--tools",
      "calculator",
      "What is 15% of 340?",
    ];
    const { code, stdout } = await jarvisCommand(args, home.env);
    expect(stdout).toContain("51");
    expect(code).toBe(0);
  });

  it("ask --agent native_openhands runs a fenced Python program in the sandbox and answers with its output", async () => {
    const args = ["ask", "--agent", "native_openhands", "--tools", "code_interpreter,calculator", program];
    const { code, stdout, stderr } = await jarvisCommand(args, home.env);
    expect(stdout, stderr).toContain("30");
    expect(code).toBe(0);
  }, 60_000);
});

describe("the SDK examples of the agents document", () => {
  it('ask("What is sqrt(256)?") with native_react', async () => {
    const j = new Jarvis({ root: import.meta.url, env: home.env, projectDir: false });
    const options = { agent: "native_react", tools: ["calculator", "think"] };
    expect(await j.ask("What is sqrt(256)?", options)).toContain("16");
    await j.close();
  });
});

describe("what the agents document says of them", () => {
  it("keeps the older names", () => {
    expect(AgentRegistry.get("react")).toBe(NativeReActAgent);
    expect(AgentRegistry.get("codeact")).toBe(NativeOpenHandsAgent);
    expect(ReActAgent).toBe(NativeReActAgent);
  });

  it("documents the defaults of native_openhands: 3 turns, 2048 tokens", () => {
    expect(NativeOpenHandsAgent.defaults).toMatchObject({ maxTurns: 3, maxTokens: 2048, temperature: 0.7 });
  });
});
