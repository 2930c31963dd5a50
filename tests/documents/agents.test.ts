import { AgentRegistry, type AnyEvent, EventBus, InstrumentedEngine } from "@openjarvis/core";
import "@openjarvis/agent-orchestrator";
import "@openjarvis/agent-simple";
import { OrchestratorAgent } from "@openjarvis/agent-orchestrator";
import { SimpleAgent } from "@openjarvis/agent-simple";
import { RulesEngine } from "@openjarvis/engine-rules";
import { ScriptedEngine, startOllamaDouble } from "@openjarvis/testing";
import { CalculatorTool } from "@openjarvis/tool-calculator";
import { Jarvis } from "openjarvis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HermeticHome, hermeticHome, jarvisCommand } from "./jarvis-command.js";

/** The examples of the agents document, in TypeScript spelling, its commands as written. */

let home: HermeticHome;
beforeAll(() => {
  home = hermeticHome();
});
afterAll(() => home.remove());

function newJarvis(): Jarvis {
  return new Jarvis({ root: import.meta.url, env: home.env, projectDir: false });
}

describe("the commands of the agents document", () => {
  it('ask --agent orchestrator --tools calculator,think "What is sqrt(256)?" answers 16', async () => {
    const args = ["ask", "--agent", "orchestrator", "--tools", "calculator,think", "What is sqrt(256)?"];
    const { code, stdout } = await jarvisCommand(args, home.env);
    expect(stdout).toContain("16");
    expect(code).toBe(0);
  });

  it('ask --agent simple "What is the capital of France?" is answered by a model', async () => {
    await using ollama = await startOllamaDouble({
      models: ["test-model"],
      replies: [{ text: ["Par", "is"] }],
    });
    const args = ["ask", "--agent", "simple", "What is the capital of France?"];
    const { code, stdout, stderr } = await jarvisCommand(args, { ...home.env, OLLAMA_HOST: ollama.url });
    expect(stdout).toBe("Paris\n");
    expect(stderr).toContain("ollama");
    expect(code).toBe(0);
  });

  it.each(["What is the capital of France?", "Tell me a story", "Who wrote Middlemarch?"])(
    "ask %j is refused plainly by the rules engine, with the command that gives a model",
    async (question) => {
      const { code, stdout, stderr } = await jarvisCommand(["ask", "--agent", "simple", question], home.env);
      expect(code).toBe(1);
      expect(stdout).toBe("");
      expect(stderr).toContain("OJ_ENGINE_CANNOT_ANSWER");
      expect(stderr).toContain("jarvis model pull");
      expect(stderr).not.toMatch(/^\s+at /m);
    },
  );
});

describe("the SDK examples of the agents document", () => {
  it('ask("Hello", { agent: "simple" }) is a text', async () => {
    const j = newJarvis();
    expect(typeof (await j.ask("Hello", { agent: "simple" }))).toBe("string");
    await j.close();
  });

  it('ask("Calculate 15% of 340") with the orchestrator and the calculator', async () => {
    const j = newJarvis();
    const response = await j.ask("Calculate 15% of 340", { agent: "orchestrator", tools: ["calculator"] });
    expect(response).toContain("51");
    await j.close();
  });

  it('askFull("What is the square root of 144?") has content, turns and tool results', async () => {
    const j = newJarvis();
    const result = await j.askFull("What is the square root of 144?", {
      agent: "orchestrator",
      tools: ["calculator", "think"],
    });
    expect(result.content).toContain("12");
    expect(result.turns).toBe(2);
    expect(result.toolResults).toMatchObject([{ toolName: "calculator", content: "12.0", success: true }]);
    await j.close();
  });
});

describe("what the agents document says of agents", () => {
  it("finds them by name at run time", () => {
    expect(AgentRegistry.contains("orchestrator")).toBe(true);
    expect(AgentRegistry.get("orchestrator")).toBe(OrchestratorAgent);
    expect(AgentRegistry.keys()).toEqual(expect.arrayContaining(["simple", "orchestrator"]));
  });

  it("gives each its key and whether it accepts tools", () => {
    expect([SimpleAgent.acceptsTools, OrchestratorAgent.acceptsTools]).toEqual([false, true]);
  });

  it("documents the defaults 0.7, 1024 and 10", () => {
    const agent = new OrchestratorAgent({ engine: new RulesEngine(), model: "rules" });
    expect([agent.temperature, agent.maxTokens, agent.maxTurns]).toEqual([0.7, 1024, 10]);
    expect(agent.mode).toBe("function_calling");
  });

  it("lets an orchestrator without tool calls behave like a single turn", async () => {
    const engine = new ScriptedEngine(["Just text."]);
    const agent = new OrchestratorAgent({ engine, model: "m", tools: [new CalculatorTool()] });
    expect(await agent.run("hi")).toMatchObject({ content: "Just text.", turns: 1, toolResults: [] });
  });

  it("publishes the events of the table, turns by agents, tools by the executor, inference by the wrapper", async () => {
    const bus = new EventBus();
    const events: AnyEvent[] = [];
    bus.subscribe("*", (event) => events.push(event));
    const engine = new InstrumentedEngine(new RulesEngine(), bus);
    const agent = new OrchestratorAgent({ engine, model: "rules", bus, tools: [new CalculatorTool()] });
    await agent.run("What is 2+2?");
    expect(events.map(({ type }) => type).filter((type) => type !== "INFERENCE_DELTA")).toEqual([
      "AGENT_TURN_START",
      "INFERENCE_START",
      "INFERENCE_END",
      "TOOL_CALL_START",
      "TOOL_CALL_END",
      "INFERENCE_START",
      "INFERENCE_END",
      "AGENT_TURN_END",
    ]);
    expect(new Set(events.map(({ runId }) => runId)).size).toBe(1);
  });
});
