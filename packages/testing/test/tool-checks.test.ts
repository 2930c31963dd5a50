import { setTimeout as sleep } from "node:timers/promises";
import { BaseTool, defineTool, type ToolContext, type ToolResult, type ToolSpec } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { runChecks, type ToolCheckOptions, toolChecks } from "../src/index.js";
import { testTool } from "../src/vitest.js";
import { failing } from "./failing.js";

const parameters = {
  type: "object",
  properties: {
    text: { type: "string", description: "What is repeated" },
    times: { type: "integer", description: "How often" },
  },
  required: ["text"],
} as const;

/** A tool that keeps every check; `changes` break it. */
class RepeatTool extends BaseTool {
  readonly toolId: string = "repeat";
  get spec(): ToolSpec {
    return { name: "repeat", description: "Repeats a text.", parameters };
  }
  protected override async run(params: { text: string; times?: number }, ctx: ToolContext): Promise<unknown> {
    if (params.text === "slow") await sleep(60_000, undefined, { signal: ctx.signal, ref: false });
    return params.text.repeat(params.times ?? 1);
  }
}

const options: ToolCheckOptions = {
  valid: { text: "a" },
  invalid: [{}, { text: "a", times: "many" }],
  cases: [
    [{ text: "ab", times: 2 }, "abab"],
    [{ text: "x" }, /^x$/],
    [
      { text: "" },
      (result) => {
        if (result.content !== "") throw new Error("not empty");
      },
    ],
  ],
  slow: { text: "slow" },
  abortSeconds: 0.3,
};

testTool(new RepeatTool(), options);
testTool(() => new RepeatTool(), options);
testTool(
  defineTool({
    name: "greet",
    description: "Greets a person.",
    parameters: z.object({ name: z.string().describe("Who is greeted") }),
    run: ({ name }) => `Hello, ${name}.`,
  }),
  { valid: { name: "Ana" }, invalid: [{}, { name: [] }], cases: [[{ name: "Ana" }, "Hello, Ana."]] },
);

type Params = { text: string; times?: number };

const broken: [what: string, tool: BaseTool, fails: string[]][] = [
  [
    "a name no model can call",
    new (class extends RepeatTool {
      override readonly toolId = "Repeat It";
      override get spec() {
        return { ...super.spec, name: "Repeat-It" };
      }
    })(),
    ["has a name that a model can call"],
  ],
  [
    "no descriptions",
    new (class extends RepeatTool {
      override get spec() {
        return {
          ...super.spec,
          parameters: { ...parameters, properties: { text: { type: "string" } } } as const,
        };
      }
    })(),
    ["describes itself and every parameter"],
  ],
  [
    "a schema that is not JSON",
    new (class extends RepeatTool {
      override get spec() {
        return {
          ...super.spec,
          parameters: { ...parameters, required: ["text", "ghost"], default: new Date() },
        };
      }
    })(),
    ["states its parameters as JSON Schema of type object"],
  ],
  [
    "wrong answers",
    new (class extends RepeatTool {
      protected override async run({ text }: Params) {
        return `${text}!`;
      }
    })(),
    [
      "answers { text: 'ab', times: 2 } as expected",
      "answers { text: 'x' } as expected",
      "answers { text: '' } as expected",
    ],
  ],
  [
    "a result that JSON cannot carry",
    new (class extends RepeatTool {
      protected override async run({ text }: Params) {
        return { content: text, metadata: { seen: new Map() } };
      }
    })(),
    ["answers a valid call"],
  ],
  [
    "a result without bound",
    new (class extends RepeatTool {
      protected override async run() {
        return "x".repeat(1_000_001);
      }
    })(),
    ["answers a valid call"],
  ],
  [
    "an execute of its own that accepts everything and throws",
    new (class extends RepeatTool {
      override async execute(params: Record<string, unknown> = {}): Promise<ToolResult> {
        return { ...(await super.execute({ text: "" })), content: (params.text as string).toUpperCase() };
      }
    })(),
    ["never throws"],
  ],
  [
    "arguments that are not checked",
    new (class extends RepeatTool {
      override get spec() {
        const loose = {
          text: { description: "any" },
          times: { type: "integer", description: "any" },
        } as const;
        return { ...super.spec, parameters: { type: "object", properties: loose } as const };
      }
      protected override async run({ text = "", times = 1 }: Partial<Params>) {
        return text.repeat(times);
      }
    })(),
    ["refuses {}"],
  ],
  [
    "a schema whose validation is laxer than what it states",
    new (class extends RepeatTool {
      override get spec() {
        const validate = (value: unknown) => ({ value: value as Params });
        const jsonSchema = { input: () => parameters, output: () => parameters };
        return {
          ...super.spec,
          parameters: { "~standard": { version: 1, vendor: "lax", validate, jsonSchema } } as const,
        };
      }
      protected override async run({ text = "" }: Partial<Params>) {
        return String(text);
      }
    })(),
    ["refuses { text: 'a', times: 'many' }", "refuses a parameter of the wrong type and names it"],
  ],
  [
    "parameters that are changed",
    new (class extends RepeatTool {
      protected override async run(params: Params) {
        params.text = params.text.trim();
        return params.text.repeat(params.times ?? 1);
      }
    })(),
    ["leaves its parameters as they are"],
  ],
  [
    "a signal that is ignored",
    new (class extends RepeatTool {
      protected override async run(params: Params) {
        if (params.text === "slow") await sleep(60_000, undefined, { ref: false });
        return params.text.repeat(params.times ?? 1);
      }
    })(),
    ["settles when it was cancelled before the call", "settles when it is cancelled during the call"],
  ],
  [
    "a signal that is only looked at before the work",
    new (class extends RepeatTool {
      protected override async run(params: Params, { signal }: ToolContext) {
        signal.throwIfAborted();
        if (params.text === "slow") await sleep(60_000, undefined, { ref: false });
        return params.text.repeat(params.times ?? 1);
      }
    })(),
    ["settles when it is cancelled during the call"],
  ],
  [
    "state shared between calls",
    new (class extends RepeatTool {
      #text = "";
      protected override async run(params: Params, ctx: ToolContext) {
        this.#text = params.text;
        await Promise.resolve();
        return super.run({ ...params, text: this.#text }, ctx);
      }
    })(),
    ["keeps calls that run at once apart"],
  ],
];

describe("toolChecks", () => {
  it.each(broken)("catch %s", async (_what, tool, fails) => {
    expect(await failing(toolChecks(tool, options))).toEqual(expect.arrayContaining(fails));
  });

  it("have a broken tool for every check", () => {
    const caught = new Set(broken.flatMap(([, , fails]) => fails));
    const names = toolChecks(new RepeatTool(), options).map(({ name }) => name);
    expect(names.filter((name) => !caught.has(name))).toEqual([]);
  });

  it("say what is wrong", async () => {
    const tool = defineTool({ name: "bare", description: " ", run: () => "" });
    const problems = await runChecks(toolChecks(tool, { valid: {} }));
    expect(problems).toEqual([
      {
        check: "describes itself and every parameter",
        message: expect.stringContaining("has no description"),
      },
    ]);
  });
});
