import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { expressionsOf, play } from "./driver.js";

describe("linear equations", () => {
  it.each([
    ["Solve: 2x + 5 = 13", "(13 - 5) / 2", "x = 4"],
    ["solve for x: 2x + 5 = 13", "(13 - 5) / 2", "x = 4"],
    ["What is x if 3(x - 2) = 9?", "(9 + 6) / 3", "x = 5"],
    ["If 2x + 5 = 13, what is x?", "(13 - 5) / 2", "x = 4"],
    ["2x + 5 = 13 for x", "(13 - 5) / 2", "x = 4"],
    ["5x + 3 = 2x + 9", "(9 - 3) / (5 - 2)", "x = 2"],
    ["10 = 2x", "10 / 2", "x = 5"],
    ["Solve -x = 5", "5 / -1", "x = -5"],
    ["3 - x = 1", "(1 - 3) / -1", "x = 2"],
    ["If x + 5 = 12 then x = ?", "12 - 5", "x = 7"],
    ["a + 5 = 12", "12 - 5", "a = 7"],
    ["x plus 5 equals 12", "12 - 5", "x = 7"],
    ["0.1x + 0.2 = 0.5", "(0.5 - 0.2) / 0.1", "x = 3"],
    ["x/3 + 1/3 = 2", "(2 - (1 / 3)) / (1 / 3)", "x = 5"],
    ["Solve for y: 3y - 7 = 2y + 5", "(5 + 7) / (3 - 2)", "y = 12"],
  ])("%s", async (question, expression, answer) => {
    const played = await play(question);
    expect(expressionsOf(played)).toEqual([expression]);
    expect(played.answer).toBe(answer);
  });

  it("says when no value or every value solves it, without a tool", async () => {
    const none = await play("Solve 2x + 1 = 2x + 3");
    expect(none).toEqual({ calls: [], answer: "No value of x solves 2 * x + 1 = 2 * x + 3.", turns: 1 });
    const any = await play("Solve 2(x+1) = 2x + 2", { tools: [] });
    expect(any).toEqual({ calls: [], answer: "Every value of x solves 2 * (x + 1) = 2 * x + 2.", turns: 1 });
  });

  it("finds an x that satisfies a random equation", async () => {
    const coefficient = fc.integer({ min: -50, max: 50 });
    const term = (value: number) => (value < 0 ? `- ${-value}` : `+ ${value}`);
    await fc.assert(
      fc.asyncProperty(coefficient, coefficient, coefficient, coefficient, async (a, b, c, d) => {
        fc.pre(a !== c);
        const { answer } = await play(`Solve: ${a}x ${term(b)} = ${c}x ${term(d)}`);
        const x = Number(/^x = (-?[\d.e+-]+)$/.exec(answer)?.[1]);
        expect(a * x + b).toBeCloseTo(c * x + d, 6);
      }),
      { numRuns: 200 },
    );
  });

  it("finds x through parentheses and fractions", async () => {
    const small = fc.integer({ min: 1, max: 20 });
    await fc.assert(
      fc.asyncProperty(small, small, small, small, async (a, b, c, d) => {
        const { answer } = await play(`${a}(x - ${b}) + x/${c} = ${d}`);
        const x = Number(/^x = (-?[\d.e+-]+)$/.exec(answer)?.[1]);
        expect(a * (x - b) + x / c).toBeCloseTo(d, 6);
      }),
      { numRuns: 100 },
    );
  });
});
