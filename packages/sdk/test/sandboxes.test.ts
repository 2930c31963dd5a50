import { BaseTool, type CodeSandbox, SandboxRegistry, ToolRegistry, type ToolSpec } from "@openjarvis/core";
import { ScriptedEngine } from "@openjarvis/testing";
import { afterEach, describe, expect, it } from "vitest";
import { Jarvis, type ToolDependencies } from "../src/index.js";

let made = 0;
let closed = 0;

class CountingSandbox implements CodeSandbox {
  readonly language = "counting";

  constructor() {
    made += 1;
  }

  createSession(): never {
    throw new Error("no session is needed here");
  }

  async close(): Promise<void> {
    closed += 1;
  }
}

class LanguageTool extends BaseTool {
  readonly toolId = "language_of";
  readonly #sandbox: ToolDependencies["sandbox"];

  constructor({ sandbox }: ToolDependencies) {
    super();
    this.#sandbox = sandbox;
  }

  get spec(): ToolSpec {
    const language = { type: "string" };
    return {
      name: "language_of",
      description: "Says which language a sandbox runs.",
      parameters: { type: "object", properties: { language }, required: ["language"] },
    };
  }

  protected override async run({ language }: { language: string }): Promise<string> {
    return (await this.#sandbox(language)).language;
  }
}

SandboxRegistry.register("counting")(CountingSandbox);
ToolRegistry.register("language_of")(LanguageTool);

afterEach(() => {
  made = 0;
  closed = 0;
});

function ask(jarvis: Jarvis): Promise<{ toolResults: readonly { content: string; metadata: object }[] }> {
  return jarvis.askFull("go", { tools: ["language_of"] });
}

function newJarvis(...languages: string[]): Jarvis {
  const calls = languages.map((language, index) => ({
    id: `c${index}`,
    name: "language_of",
    arguments: { language },
  }));
  const engine = new ScriptedEngine([{ toolCalls: calls }, "done", { toolCalls: calls }, "done"]);
  return new Jarvis({ engine, model: "m", plugins: "none", env: {}, home: "/nonexistent-openjarvis-home" });
}

describe("the sandboxes of a system", () => {
  it("are made once for each language, when a tool first needs one, and closed with the system", async () => {
    await import("@openjarvis/agent-orchestrator");
    const jarvis = newJarvis("counting", "counting");
    expect(made).toBe(0);
    const { toolResults } = await ask(jarvis);
    expect(toolResults.map(({ content }) => content)).toEqual(["counting", "counting"]);
    await ask(jarvis);
    expect([made, closed]).toEqual([1, 0]);
    await jarvis.close();
    expect([made, closed]).toEqual([1, 1]);
  });

  it("that nobody provides are named with the package that would", async () => {
    const jarvis = newJarvis("python", "klingon");
    const { toolResults } = await ask(jarvis);
    expect(toolResults.map(({ metadata }) => metadata)).toMatchObject([
      { code: "OJ_SANDBOX_NOT_INSTALLED", package: "@openjarvis/sandbox-pyodide" },
      { code: "OJ_SANDBOX_NOT_FOUND" },
    ]);
    await jarvis.close();
  });
});
