import { defineTool, type Message, type TextProtocol } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { RulesEngine } from "../src/rules-engine.js";
import { assistant, calculator, think, user } from "./driver.js";
import { codeact, playText, react, structured } from "./text-driver.js";

const forms: [name: string, protocol: TextProtocol][] = [
  ["react", react],
  ["structured", structured],
  ["codeact", codeact],
];

describe("replies", () => {
  it("follow ReAct to the letter", async () => {
    const { replies, content, turns, metadata } = await playText(react, "Solve step by step: 15% of 340");
    expect(replies).toEqual([
      'Thought: The tool calculator gives the result.\nAction: calculator\nAction Input: {"expression":"340 * 15 / 100"}',
      "Thought: This is the answer.\nFinal Answer: 15% of 340 = 51",
    ]);
    expect([content, turns, metadata.stopReason]).toEqual(["15% of 340 = 51", 2, "final"]);
  });

  it("follow the structured mode to the letter", async () => {
    const { replies, content, turns } = await playText(structured, "Solve step by step: 15% of 340");
    expect(replies).toEqual([
      'THOUGHT: The tool calculator gives the result.\nTOOL: calculator\nINPUT: {"expression":"340 * 15 / 100"}',
      "THOUGHT: This is the answer.\nFINAL_ANSWER: 15% of 340 = 51",
    ]);
    expect([content, turns]).toEqual(["15% of 340 = 51", 2]);
  });

  it("follow CodeAct to the letter", async () => {
    const { replies } = await playText(codeact, "Solve step by step: 15% of 340");
    expect(replies).toEqual([
      'Action: calculator\nAction Input: {"expression":"340 * 15 / 100"}',
      "15% of 340 = 51",
    ]);
  });

  it("are tool calls when tools are offered as functions, whatever the prompt says", async () => {
    const system: Message = { role: "system", content: react.systemPrompt([calculator]) };
    const { toolCalls, content } = await new RulesEngine().generate([system, user("2+2")], {
      model: "rules",
      tools: [calculator.toOpenAIFunction()],
    });
    expect(toolCalls).toMatchObject([{ name: "calculator", arguments: '{"expression":"2 + 2"}' }]);
    expect(content).toBe("");
  });

  it("end with the reason of a text, so that a call in it is taken for whole", async () => {
    const system: Message = { role: "system", content: react.systemPrompt([calculator]) };
    const result = await new RulesEngine().generate([system, user("2+2")], { model: "rules" });
    expect(result.finishReason).toBe("stop");
    expect(result.usage.completionTokens).toBeGreaterThan(0);
  });
});

describe.each(forms)("%s", (_name, protocol) => {
  it("makes the calls of two questions one after the other", async () => {
    const { content, turns, calls } = await playText(protocol, "What is 2+2 and what is 3*3?", {
      maxTurns: 5,
    });
    expect(content).toBe("2 + 2 = 4\n3 * 3 = 9");
    expect([turns, calls.length]).toEqual([3, 2]);
  });

  it("reports a failed tool and goes on with the next question", async () => {
    const { content, calls } = await playText(protocol, "What is 1/0 and what is 2+2?", { maxTurns: 5 });
    expect(content).toBe('The tool calculator failed on "1 / 0": Division by zero.\n2 + 2 = 4');
    expect(calls).toHaveLength(2);
  });

  it("answers from what there is when no more calls are possible", async () => {
    const { content, metadata } = await playText(protocol, "What is 2+2 and what is 3*3?", { maxTurns: 1 });
    expect(content).toBe("2 + 2 = 4\n3 * 3 was not computed: no result came back.");
    expect(metadata.stopReason).toBe("max_turns");
  });

  it("goes on after a reply that could not be read", async () => {
    const broken = protocol === structured ? "TOOL:\n" : "Action:\n";
    const { content, prompts, calls } = await playText(protocol, "What is 15% of 340?", {
      maxTurns: 5,
      scripted: [broken, "", broken].slice(0, 2),
    });
    expect(prompts[1]?.at(-1)?.content).toContain("Write either");
    expect(content).toBe("15% of 340 = 51");
    expect(calls).toEqual(["calculator"]);
  });

  it("closes after corrections alone", async () => {
    const broken = protocol === structured ? "TOOL:\n" : "Action:\n";
    const { content } = await playText(protocol, "What is 15% of 340?", { maxTurns: 1, scripted: [broken] });
    expect(content).toBe("340 * 15 / 100 was not computed: no result came back.");
  });

  it("answers what needs no tool", async () => {
    const { content, turns } = await playText(protocol, "Hello", { tools: [] });
    expect(content).toMatch(/^Hello\. I am the rules engine/);
    expect(turns).toBe(1);
  });

  it("goes on from earlier answers and takes a new question as one", async () => {
    const history = [user("What is 15% of 340?"), assistant("15% of 340 = 51")];
    const { content } = await playText(protocol, "what is that times 2?", { history });
    expect(content).toBe("51 * 2 = 102");
  });

  it("takes no question for a result", async () => {
    const history = [user("What is 15% of 340?"), assistant("15% of 340 = 51")];
    await expect(playText(protocol, "Observation: 99", { history })).rejects.toThrow("cannot answer");
    await expect(playText(protocol, "Observation: 99")).rejects.toThrow("cannot answer");
  });

  it("finds the calculator among other tools and by its schema", async () => {
    const other = defineTool({
      name: "evaluate_math",
      description: "Evaluates.\n\nParameters:\nas below",
      category: "math",
      parameters: {
        type: "object",
        properties: {
          digits: { type: ["integer", "null"] },
          expression: { type: "string", description: "a (b)" },
        },
        required: ["expression"],
      },
      run: () => "4",
    });
    const { calls, content } = await playText(protocol, "2+2", { tools: [think, other] });
    expect(calls).toEqual(["evaluate_math"]);
    expect(content).toBe("2 + 2 = 4");
  });

  it.each([[[think]], [[]]])("names the command when there is no calculator: %#", async (tools) => {
    await expect(playText(protocol, "What is 2+2?", { tools })).rejects.toMatchObject({
      code: "OJ_ENGINE_CANNOT_ANSWER",
      details: { tool: "calculator" },
    });
  });

  it("refuses what no rule covers", async () => {
    await expect(playText(protocol, "Who won in 1998?")).rejects.toMatchObject({
      code: "OJ_ENGINE_CANNOT_ANSWER",
    });
  });

  it("says what a call of another engine brought", async () => {
    const call = protocol === structured ? "TOOL: think\nINPUT: hm" : "Action: think\nAction Input: hm";
    const { content } = await playText(protocol, "Who won in 1998?", {
      tools: [think],
      scripted: [call],
    });
    expect(content).toContain("The tool think");
    expect(content).toContain("hm");
  });

  it("reads a system prompt of the user's behind its own", async () => {
    const { content } = await playText(protocol, "2+2", {
      systemPrompt:
        "=== RESPONSE FORMAT ===\nFINAL_ANSWER: x\nAction Input: y\nFinal Answer: z\n\n### Style\nBe kind.",
    });
    expect(content).toBe("2 + 2 = 4");
  });
});
