import { isJarvisError, type Message } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RulesEngine } from "../src/rules-engine.js";
import { calculator, user } from "./driver.js";
import { evaluate } from "./evaluator.js";

const engine = new RulesEngine();
const tools = [calculator.toOpenAIFunction()];

/** Asks, and checks that what comes back is an answer, calls the calculator can read, or the typed refusal. */
async function settle(messages: readonly Message[]): Promise<"answered" | "called" | "refused"> {
  try {
    const { content, toolCalls } = await engine.generate(messages, { model: "rules", tools });
    expect(content === "").toBe(toolCalls.length > 0);
    for (const call of toolCalls)
      expect(JSON.parse(call.arguments)).toEqual({ expression: expect.any(String) });
    return toolCalls.length > 0 ? "called" : "answered";
  } catch (error) {
    if (isJarvisError(error, "OJ_ENGINE_CANNOT_ANSWER")) return "refused";
    throw error;
  }
}

const vocabulary = (
  "what is the of and plus minus times divided by percent square root sum average max log sin x y = ( ) , + - * / % ** ^ ! ? " +
  "2 3.5 1,000 seven hundred half third $5 pi e that it a an area circle radius with remainder when is increase add to 10% off"
).split(" ");

describe("hostile input", () => {
  it("answers or refuses any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 300 }), async (text) => {
        await settle([user(text)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("answers or refuses any sequence of the words it knows, with expressions that can be read", async () => {
    const words = fc.array(fc.constantFrom(...vocabulary), { maxLength: 14 }).map((list) => list.join(" "));
    await fc.assert(
      fc.asyncProperty(words, async (text) => {
        const messages = [{ role: "assistant" as const, content: "2 + 2 = 4" }, user(text)];
        if ((await settle(messages)) !== "called") return;
        const { toolCalls } = await engine.generate(messages, { model: "rules", tools });
        for (const call of toolCalls)
          expect(evaluated(JSON.parse(call.arguments).expression)).not.toContain("cannot read");
      }),
      { numRuns: 5_000 },
    );
  });

  const long = 1_000_000;
  const fill = (part: string, length: number) =>
    part.repeat(Math.ceil(length / part.length)).slice(0, length);
  const parts = [
    ..."1 9 ( ) - + . , ! ? ' : = $ % # \n é".split(" "),
    ...[
      "a ",
      "1 + ",
      "((",
      "add ",
      "twenty ",
      "one ",
      "sum of 1 and ",
      "what is ",
      "x",
      "2x + ",
      "half of ",
      "-1",
      "\n",
      " ",
    ],
    ...[
      "not ",
      "1,000",
      "1.",
      "\n\n",
      "\n \n",
      ". ",
      "my name is ",
      "word. ",
      "....x",
      "how ",
      "double ",
      "area of ",
      "sin ",
    ],
  ];

  it.each(parts.map((part) => [part]))("reads a megabyte of %j within its bound", async (part) => {
    const started = performance.now();
    await settle([user(fill(part, long))]);
    await settle([user(`Summarize: ${fill(part, long)}`)]);
    await settle([user(`What is ${fill(part, 1_900)}`)]);
    await settle([user(`Solve: ${fill(part, 1_900)} = 2x`)]);
    await settle([
      user(fill(part, long)),
      { role: "assistant", content: fill(part, long) },
      user("what is my name?"),
    ]);
    await settle([user("2+2"), { role: "tool", content: fill(part, long), name: "calculator" }]);
    // Far above what it takes; quadratic work on a megabyte would be minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("refuses deep nesting instead of running out of stack", async () => {
    expect(await settle([user(`${"(".repeat(900)}1${")".repeat(900)}`)])).toBe("refused");
    expect(await settle([user(`1${" + 1".repeat(450)}`)])).toBe("called");
  });

  it("does not compute huge numbers itself", async () => {
    expect(await settle([user("Solve: 1e300 x = 1e300")])).toBe("refused");
    expect(await settle([user(`Solve: ${"9".repeat(900)}x = 1`)])).toBe("refused");
    expect(await settle([user("9**9**9")])).toBe("called");
  });
});

function evaluated(expression: string): string {
  try {
    return evaluate(expression);
  } catch (error) {
    return String(error);
  }
}
