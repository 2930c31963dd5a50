import { describe, expect, it } from "vitest";
import { IntegerBudget } from "../src/big-integer.js";
import { compute } from "../src/compute.js";
import { parse } from "../src/parser.js";

const computeText = (text: string) =>
  compute(parse(text), { operands: [8n, 2n, 0.5], budget: new IntegerBudget() });

describe("the walk over a tree of mathjs", () => {
  it("takes numbers as operands of the expression", () => {
    expect(computeText("(0 + 1) ^ 1")).toBe(100n);
    expect(computeText("max(0, 1) .* 1")).toBe(0n);
    expect(computeText("-0!")).toBe(-0.08);
  });

  it.each([
    "x",
    "pi",
    "3",
    "0.5",
    '"text"',
    "true",
    "[0, 1]",
    "0:1",
    "{a: 0}",
    "0 cm",
    "0 > 1",
    "0 > 1 > 2",
    "true ? 0 : 1",
    "x = 0",
    "f(x) = x",
    "0; 1",
    "0 and 1",
    "not 0",
    "~0",
    "0 | 1",
    "0 << 1",
    "0 to 1",
    "0 mod 1",
    "0 .^ 1",
    "0'",
    "0 ?? 1",
    "import(0)",
    "evaluate(0)",
    "constructor(0)",
    "toString()",
    "abs.constructor(0)",
    'abs["constructor"](0)',
    "abs(0).constructor",
    "max([0, 1])",
    "abs(x = 0)",
    "",
  ])("refuses `%s`, whatever the reader before it lets through", (text) => {
    expect(() => computeText(text)).toThrow(
      expect.objectContaining({ name: "CalculationError", kind: "syntax" }),
    );
  });
});
