import { type AgentOptions, defineTool } from "@openjarvis/core";
import { ScriptedEngine } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { OrchestratorAgent, type OrchestratorOptions } from "../src/index.js";
import { calculator, model } from "./setup.js";

const make = (options: object = {}) =>
  new OrchestratorAgent({ engine: new ScriptedEngine([]), model, ...options } as OrchestratorOptions);

const optionError = (message: string | RegExp) =>
  expect.objectContaining({ code: "OJ_OPTION", message: expect.stringMatching(message) });

describe("the options of the orchestrator", () => {
  it("have the documented defaults", () => {
    const { temperature, maxTokens, maxTurns, mode } = make();
    expect({ temperature, maxTokens, maxTurns, mode }).toEqual({
      temperature: 0.7,
      maxTokens: 1024,
      maxTurns: 10,
      mode: "function_calling",
    });
  });

  it.each([
    [{}, { temperature: 0.7, maxTokens: 1024, maxTurns: 10 }],
    [{ configured: { maxTurns: 50 } }, { temperature: 0.7, maxTokens: 1024, maxTurns: 50 }],
    [
      { maxTurns: 3, configured: { maxTurns: 50, temperature: 0 } },
      { temperature: 0, maxTokens: 1024, maxTurns: 3 },
    ],
    [
      { temperature: 0, maxTokens: 1, configured: { temperature: 1, maxTokens: 2, maxTurns: 3 } },
      { temperature: 0, maxTokens: 1, maxTurns: 3 },
    ],
    [
      { temperature: undefined, configured: { temperature: undefined } },
      { temperature: 0.7, maxTokens: 1024, maxTurns: 10 },
    ],
  ])("go from explicit over configured to the default of the class: %j", (options, expected) => {
    const { temperature, maxTokens, maxTurns } = make(options);
    expect({ temperature, maxTokens, maxTurns }).toEqual(expected);
  });

  it("take the default of a subclass before the general one", () => {
    class Patient extends OrchestratorAgent {
      static override readonly defaults = { maxTurns: 25 };
    }
    const options: AgentOptions = { engine: new ScriptedEngine([]), model };
    expect(new Patient(options)).toMatchObject({ maxTurns: 25, maxTokens: 1024, temperature: 0.7 });
    expect(new Patient({ ...options, configured: { maxTurns: 5 } }).maxTurns).toBe(5);
  });

  it.each([
    [{ maxTurnz: 3 }, /no option "maxTurnz".*"maxTurns"/],
    [{ max_turns: 3 }, /no option "max_turns".*"maxTurns"/],
    [{ paralelTools: true }, /"parallelTools"/],
    [{ Mode: "structured" }, /"mode"/],
    [{ zzz: 1 }, /no option "zzz"/],
    [{ maxTurns: 0 }, /maxTurns/],
    [{ maxTurns: 2.5 }, /maxTurns/],
    [{ maxTokens: -1 }, /maxTokens/],
    [{ temperature: 2.1 }, /temperature/],
    [{ temperature: "hot" }, /temperature/],
    [{ configured: { maxTurns: -3 } }, /maxTurns/],
    [{ mode: "structurd" }, /no mode "structurd"/],
    [{ mode: "" }, /no mode ""/],
    [{ concurrency: 0 }, /concurrency/],
    [{ maxResultChars: 1 }, /maxResultChars/],
    [{ toolTimeoutSeconds: 0 }, /timeoutSeconds/],
  ])("that are unknown or out of range are refused by name: %j", (options, message) => {
    expect(() => make(options)).toThrow(optionError(message));
  });

  it("refuse two tools of one name and names no model can call", () => {
    const named = (name: string) => defineTool({ name, description: "x", run: () => "" });
    expect(() => make({ tools: [calculator, calculator] })).toThrow(
      expect.objectContaining({ code: "OJ_TOOL_SPEC" }),
    );
    for (const name of ["", "two words", "x".repeat(65), "ä"]) {
      expect(() => make({ tools: [named(name)] })).toThrow(expect.objectContaining({ code: "OJ_TOOL_SPEC" }));
    }
  });

  it("may be undefined one and all", () => {
    const keys = [
      "bus",
      "tools",
      "confirm",
      "policy",
      "loopGuard",
      "systemPrompt",
      "configured",
      "concurrency",
      "mode",
    ];
    expect(() => make(Object.fromEntries(keys.map((key) => [key, undefined])))).not.toThrow();
  });
});
