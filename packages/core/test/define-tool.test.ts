import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { BaseTool, defineTool, type ToolContext } from "../src/index.js";

const parameters = {
  type: "object",
  properties: { text: { type: "string" }, times: { type: "integer" } },
  required: ["text"],
} as const;

/** A tool without parameters that returns or throws what it is told to. */
function toolThat(run: () => unknown): BaseTool {
  return defineTool({ name: "odd", description: "d", run });
}

describe("toOpenAIFunction", () => {
  it("has the form of the documents", () => {
    const calculator = defineTool({
      name: "calculator",
      description: "Evaluate a mathematical expression safely.",
      parameters: {
        type: "object",
        properties: { expression: { type: "string", description: "Math expression to evaluate" } },
        required: ["expression"],
      },
      run: () => "",
    });
    expect(JSON.stringify(calculator.toOpenAIFunction(), null, 2)).toBe(`{
  "type": "function",
  "function": {
    "name": "calculator",
    "description": "Evaluate a mathematical expression safely.",
    "parameters": {
      "type": "object",
      "properties": {
        "expression": {
          "type": "string",
          "description": "Math expression to evaluate"
        }
      },
      "required": [
        "expression"
      ]
    }
  }
}`);
  });

  it("gives a tool without parameters an object schema", () => {
    expect(toolThat(() => "").toOpenAIFunction().function.parameters).toEqual({
      type: "object",
      properties: {},
    });
  });

  it("gives a zod tool its JSON Schema, also as its spec", () => {
    const tool = defineTool({
      name: "greet",
      description: "Greets.",
      parameters: z.object({ name: z.string().describe("Who is greeted") }),
      run: ({ name }) => `Hello, ${name}.`,
    });
    const schema = {
      type: "object",
      properties: { name: { type: "string", description: "Who is greeted" } },
      required: ["name"],
    };
    expect(tool.toOpenAIFunction().function.parameters).toEqual(schema);
    expect(tool.spec.parameters).toEqual(schema);
  });
});

describe("defineTool", () => {
  it("makes a tool of a spec and its work", async () => {
    const tool = defineTool({
      name: "repeat",
      description: "Repeats.",
      category: "text",
      requiresConfirmation: true,
      timeoutSeconds: 42,
      costEstimate: 0.1,
      metadata: { polling: true },
      isLocal: false,
      parameters,
      run: ({ text, times = 2 }) => text.repeat(times),
    });
    expect(tool).toBeInstanceOf(BaseTool);
    expect(tool.toolId).toBe("repeat");
    expect(tool.isLocal).toBe(false);
    expect(tool.spec).toEqual({
      name: "repeat",
      description: "Repeats.",
      category: "text",
      requiresConfirmation: true,
      timeoutSeconds: 42,
      costEstimate: 0.1,
      metadata: { polling: true },
      parameters,
    });
    expect(await tool.execute({ text: "ab" })).toMatchObject({ content: "abab" });
  });

  it("gives run the parameters as zod hands them out, with zod's messages", async () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      parameters: z.object({ n: z.int(), unit: z.string().default("m") }),
      run: (params, ctx) => {
        expectTypeOf(params).toEqualTypeOf<{ n: number; unit: string }>();
        expectTypeOf(ctx).toEqualTypeOf<ToolContext>();
        return `${params.n + 1} ${params.unit}`;
      },
    });
    expect(await tool.execute({ n: "41" })).toMatchObject({ content: "42 m" });
    expect((await tool.execute({ n: 1.5 })).content).toMatch(/^parameter "n": .*int/);
  });

  it("types run by a JSON Schema written in place", () => {
    defineTool({
      name: "t",
      description: "d",
      parameters: {
        type: "object",
        properties: { a: { type: "string" }, b: { type: "boolean" } },
        required: ["a"],
      },
      run: (params) => {
        expectTypeOf(params).toEqualTypeOf<{ a: string; b?: boolean }>();
        return params.a;
      },
    });
  });

  it("keeps `this` and private state of the definition", async () => {
    class Counter {
      name = "counter";
      description = "Counts.";
      #count = 0;
      run(): string {
        this.#count += 1;
        return String(this.#count);
      }
    }
    const tool = defineTool(new Counter());
    await tool.execute();
    expect(await tool.execute()).toMatchObject({ content: "2" });
  });

  it("refuses a mistyped key: a tool that should ask must not run unasked", () => {
    const mistyped = { name: "t", description: "d", requiresConfirmaton: true, run: () => "" };
    expect(() => defineTool(mistyped)).toThrow(
      expect.objectContaining({
        code: "OJ_OPTION",
        message: expect.stringContaining('Did you mean "requiresConfirmation"?'),
      }),
    );
  });

  it("refuses a schema that cannot be sent, where the tool is defined", () => {
    const define = () =>
      defineTool({ name: "t", description: "d", parameters: { type: "array" }, run: () => "" });
    expect(define).toThrow(expect.objectContaining({ code: "OJ_TOOL_SPEC" }));
  });
});
