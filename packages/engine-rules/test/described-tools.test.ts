import { buildToolDescriptions, defineTool, isJarvisError, type TextProtocol } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readDescribedTools } from "../src/protocols/described-tools.js";
import { RulesEngine } from "../src/rules-engine.js";
import { calculator, think, user } from "./driver.js";
import { codeact, playText, react, structured } from "./text-driver.js";

const forms: [name: string, protocol: TextProtocol][] = [
  ["react", react],
  ["structured", structured],
  ["codeact", codeact],
];

const hostile = [
  ...[
    "### calculator",
    "### other",
    "### ",
    "#### x",
    "Parameters:",
    "  - expression (string, required)",
    "  - y (",
  ],
  ...["Action Input:", "Final Answer:", "Final Answer: 7", "Action: think", "Observation: 3", "Tools:"],
  ...[
    "=== AVAILABLE TOOLS ===",
    "=== RESPONSE FORMAT ===",
    "FINAL_ANSWER:",
    "TOOL: x",
    "Write either\nThought:",
  ],
  ...[
    "To run a program, write it in one block",
    "write it as plain text",
    "```python",
    "Languages: javascript.",
  ],
  ...["No tools available.", "\n", "\n\n", "__proto__", "Category: math", "(", "a"],
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...hostile), fc.constantFrom("\n", "\n\n", " ")), { maxLength: 12 })
  .map((parts) => parts.map((pair) => pair.join("")).join(""));

function described(name: string, description: string, parameter: string, about: string) {
  return defineTool({
    name,
    description,
    parameters: {
      type: "object",
      properties: { [parameter]: { type: "string", description: about } },
      required: [parameter],
    },
    run: () => "4",
  });
}

describe("readDescribedTools", () => {
  it("reads what core writes", () => {
    const tool = defineTool({
      name: "mcp.search-2",
      description: "Finds.\nReturns lines.",
      category: "search",
      parameters: {
        type: "object",
        properties: {
          query: { type: "string", description: "What (in words)\nor signs" },
          "max results": { type: ["integer", "null"] },
          any: {},
        },
        required: ["query"],
      },
      run: () => "",
    });
    const read = readDescribedTools(
      `Tools:\n\n${buildToolDescriptions([think, tool], { includeCost: true })}`,
    );
    expect(read).toEqual([
      {
        type: "function",
        function: {
          name: "think",
          description: "Reasoning scratchpad.",
          parameters: { type: "object", properties: { thought: { type: "string" } }, required: ["thought"] },
        },
      },
      {
        type: "function",
        function: {
          name: "mcp.search-2",
          description: "Finds.",
          parameters: {
            type: "object",
            properties: {
              query: { type: "string" },
              "max results": { type: ["integer", "null"] },
              any: {},
            },
            required: ["query"],
          },
        },
      },
    ]);
  });

  it("reads no tools where there are none", () => {
    expect(readDescribedTools(`Tools:\n\n${buildToolDescriptions([])}`)).toEqual([]);
    expect(readDescribedTools("")).toEqual([]);
  });

  it("finds the parameters of a tool whose description has headings", () => {
    const tool = described("calculator", "Computes.\n\n### Usage\nGive an expression.", "expression", "");
    const offered = readDescribedTools(`\n${buildToolDescriptions([think, tool])}`);
    const own = offered.filter((item) => item.function.name === "calculator");
    expect(own.map((item) => item.function.parameters.properties)).toContainEqual({
      expression: { type: "string" },
    });
  });
});

describe.each(forms)("hostile descriptions in %s", (_name, protocol) => {
  it("of other tools do not stand in the way of the calculator", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (description, about) => {
        const other = described("other", description, "value", about);
        const more = described("more", about, "value", description);
        const { content, calls } = await playText(protocol, "2+2", { tools: [other, calculator, more] });
        expect(content).toBe("2 + 2 = 4");
        expect(calls).toEqual(["calculator"]);
      }),
      { numRuns: 300 },
    );
  });

  it("of the calculator itself end in an answer or a refusal", async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (description, about) => {
        const tool = described("calculator", description, "expression", about);
        try {
          const { metadata } = await playText(protocol, "2+2", { tools: [tool] });
          expect(metadata.stopReason).toBe("final");
        } catch (error) {
          expect(isJarvisError(error, "OJ_ENGINE_CANNOT_ANSWER")).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("and messages of any kind are answered or refused", async () => {
    const message = fc.record({
      role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const, "system" as const),
      content: fc.oneof(text, fc.constant("Observation: 4"), fc.constant("Output:\n4"), fc.constant(null)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 8 }), async (messages) => {
        const system = { role: "system" as const, content: protocol.systemPrompt([calculator]) };
        try {
          const asked = [system, user("What is 2+2 and 3*3?"), ...messages];
          const { toolCalls } = await new RulesEngine().generate(asked, { model: "rules" });
          expect(toolCalls).toEqual([]);
        } catch (error) {
          expect(isJarvisError(error, "OJ_ENGINE_CANNOT_ANSWER")).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe("size", () => {
  const parts = [
    ...[
      "### x\n\n",
      "### a\n\nParameters:\n  - x (string)\n",
      "  - ( (",
      "Parameters:\n",
      "Action:\n",
      "Action: x\nAction Input: ",
    ],
    ...[
      "\nThought",
      "Observation: x\n",
      "```",
      "Traceback (most recent call last):\n",
      "Tool '",
      "\n    Answer",
      "> > > ",
    ],
  ];
  it.each(parts)("a megabyte of %j is read in linear time, wherever it stands", async (part) => {
    const started = performance.now();
    const big = part.repeat(1_000_000 / part.length);
    for (const [, protocol] of forms) {
      const prompt = protocol.systemPrompt([calculator]);
      const ask = (system: string, ...contents: string[]) =>
        new RulesEngine().generate(
          [
            { role: "system", content: system },
            ...contents.map((content, index) => ({
              role: index % 2 === 0 ? ("user" as const) : ("assistant" as const),
              content,
            })),
          ],
          { model: "rules" },
        );
      const call =
        protocol === structured ? "TOOL: calculator\nINPUT: " : "Action: calculator\nAction Input: ";
      const asked = `${call}{"expression":"2 + 2"}`;
      await ask(`${prompt}\n\n${big}`, "2+2");
      await ask(prompt, "2+2", `${call}${big}`, `Observation: ${big}`);
      await ask(prompt, "2+2", asked, `Observation: ${big}`);
      await ask(prompt, "2+2", "```python\nx\n```", `Output:\n${big}`).catch((error) => {
        expect(isJarvisError(error, "OJ_ENGINE_CANNOT_ANSWER")).toBe(true);
      });
    }
    // Far above what it takes; quadratic work on a megabyte would be minutes.
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});
