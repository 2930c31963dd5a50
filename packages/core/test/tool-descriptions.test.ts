import { describe, expect, it } from "vitest";
import { z } from "zod";
import { buildToolDescriptions, defineTool, type JsonSchema } from "../src/index.js";

const calculator = defineTool({
  name: "calculator",
  description: "Evaluate a mathematical expression safely.",
  category: "math",
  parameters: {
    type: "object",
    properties: { expression: { type: "string", description: "Math expression to evaluate" } },
    required: ["expression"],
  },
  run: () => "",
});
const think = defineTool({ name: "think", description: "Reasoning scratchpad.", run: () => "" });

function parameterLines(properties: Record<string, unknown>, more: JsonSchema = {}): string[] {
  const parameters = { type: "object", properties, ...more } as JsonSchema;
  const tool = defineTool({ name: "t", description: "d", parameters, run: () => "" });
  return buildToolDescriptions([tool]).split("\n").slice(3);
}

describe("buildToolDescriptions", () => {
  it("gives the text of the documents", () => {
    expect(buildToolDescriptions([calculator, think])).toBe(`### calculator
Evaluate a mathematical expression safely.
Category: math
Parameters:
  - expression (string, required): Math expression to evaluate

### think
Reasoning scratchpad.`);
  });

  it("says so when there are no tools", () => {
    expect(buildToolDescriptions([])).toBe("No tools available.");
  });

  it("leaves the category out when told to, or when it is empty", () => {
    expect(buildToolDescriptions([calculator], { includeCategory: false })).not.toContain("Category");
    expect(buildToolDescriptions([think])).not.toContain("Category");
  });

  it("shows cost and latency when told to and they are not zero", () => {
    const costly = defineTool({
      name: "llm",
      description: "d",
      costEstimate: 0.00123,
      latencyEstimate: 2.25,
      run: () => "",
    });
    expect(buildToolDescriptions([costly, think], { includeCost: true })).toBe(
      "### llm\nd\nCost estimate: $0.0012\nLatency estimate: 2.3s\n\n### think\nReasoning scratchpad.",
    );
    expect(buildToolDescriptions([costly])).toBe("### llm\nd");
  });

  it.each<[string, Record<string, unknown>, string]>([
    [
      "an optional parameter",
      { a: { type: "integer", description: "How many" } },
      "  - a (integer): How many",
    ],
    ["no description", { a: { type: "string" } }, "  - a (string)"],
    ["no type", { a: { description: "x" } }, "  - a (any): x"],
    ["several types", { a: { type: ["string", "null"] } }, "  - a (string|null)"],
    [
      "a choice of types",
      { a: { anyOf: [{ type: "string" }, { type: "integer" }, { type: "string" }] } },
      "  - a (string|integer)",
    ],
    ["a choice without types", { a: { oneOf: [{ const: 1 }] } }, "  - a (any)"],
    ["any value", { a: true }, "  - a (any)"],
  ])("shows %s", (_name, properties, line) => {
    expect(parameterLines(properties)).toEqual([line]);
  });

  it("shows the type behind a reference and never undefined", () => {
    const more: JsonSchema = { $defs: { Q: { type: "object" } } };
    expect(parameterLines({ q: { $ref: "#/$defs/Q" } }, { ...more, required: ["q"] })).toEqual([
      "  - q (object, required)",
    ]);
    expect(parameterLines({ q: { $ref: "#/$defs/None" } }, more)).toEqual(["  - q (any)"]);
    expect(parameterLines({ q: { $ref: "https://example.com/q" } })).toEqual(["  - q (any)"]);
  });

  it("describes zod parameters with their descriptions", () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      parameters: z.object({ a: z.string().describe("An a"), b: z.number().optional() }),
      run: () => "",
    });
    expect(buildToolDescriptions([tool])).toBe(
      "### t\nd\nParameters:\n  - a (string, required): An a\n  - b (number)",
    );
  });
});
