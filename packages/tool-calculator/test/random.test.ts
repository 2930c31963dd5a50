import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CalculationError, evaluate, evaluateNumber } from "../src/index.js";

/** A written expression, its value, and how tightly its outermost operator binds. */
interface Sample {
  text: string;
  value: bigint;
  binding: number;
}

const sum = 1;
const product = 2;
const sign = 3;
const power = 4;
const atom = 5;

const wrapped = ({ text, binding }: Sample, least: number) => (binding < least ? `(${text})` : text);

/** The remainder with the sign of the divisor, and the quotient that belongs to it. */
function divideDown(a: bigint, b: bigint): { quotient: bigint; rest: bigint } {
  const rest = ((a % b) + b) % b;
  return { quotient: (a - rest) / b, rest };
}

function repeatedProduct(base: bigint, count: bigint): bigint {
  let result = 1n;
  for (let index = 0n; index < count; index += 1n) result *= base;
  return result;
}

/** Joins two samples by an operator, with parentheses only where the precedence asks for them. */
function join(operator: string, a: Sample, b: Sample): Sample {
  switch (operator) {
    case "+":
      return { text: `${wrapped(a, sum)} + ${wrapped(b, product)}`, value: a.value + b.value, binding: sum };
    case "-":
      return { text: `${wrapped(a, sum)}-${wrapped(b, product)}`, value: a.value - b.value, binding: sum };
    case "*":
    case "×":
      return {
        text: `${wrapped(a, product)}${operator}${wrapped(b, sign)}`,
        value: a.value * b.value,
        binding: product,
      };
    case "**":
    case "^": {
      const exponent = b.value < 0n ? -b.value % 5n : b.value % 5n;
      const text = `${wrapped(a, atom)} ${operator} ${exponent}`;
      return { text, value: repeatedProduct(a.value, exponent), binding: power };
    }
    case "negate":
      return { text: `-${wrapped(a, sign)}`, value: -a.value, binding: sign };
    default: {
      if (b.value === 0n) return a;
      const { quotient, rest } = divideDown(a.value, b.value);
      const text = `${wrapped(a, product)} ${operator} ${wrapped(b, sign)}`;
      return { text, value: operator === "%" ? rest : quotient, binding: product };
    }
  }
}

const number = fc
  .oneof(fc.bigInt({ min: 0n, max: 30n }), fc.bigInt({ min: 0n, max: 10n ** 40n }))
  .map((value): Sample => ({ text: value.toString(), value, binding: atom }));

const operators = ["+", "-", "*", "×", "//", "%", "**", "^", "negate"];

const { expression } = fc.letrec<{ expression: Sample }>((tie) => ({
  expression: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    number,
    fc
      .tuple(fc.constantFrom(...operators), tie("expression"), tie("expression"))
      .map(([operator, a, b]) => join(operator, a, b)),
    fc
      .tuple(fc.constantFrom("abs", "min", "max"), tie("expression"), tie("expression"))
      .map(([name, a, b]): Sample => {
        if (name === "abs")
          return { text: `abs(${a.text})`, value: a.value < 0n ? -a.value : a.value, binding: atom };
        const takeFirst = name === "min" ? a.value < b.value : a.value > b.value;
        return { text: `${name}(${a.text}, ${b.text})`, value: takeFirst ? a.value : b.value, binding: atom };
      }),
  ),
}));

describe("random integer expressions", () => {
  it("have the value that exact arithmetic gives them", async () => {
    await fc.assert(
      fc.asyncProperty(expression, async ({ text, value }) => {
        fc.pre(text.length < 3_000 && value.toString().length < 4_000);
        expect(await evaluateNumber(text)).toBe(value);
        expect(await evaluate(text)).toBe(value.toString());
      }),
      { numRuns: 2_000 },
    );
  });

  it("are read alike with and without blanks", async () => {
    await fc.assert(
      fc.asyncProperty(expression, async ({ text, value }) => {
        fc.pre(text.length < 3_000 && value.toString().length < 4_000);
        expect(await evaluateNumber(text.replaceAll(" ", ""))).toBe(value);
      }),
      { numRuns: 500 },
    );
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    ..."+-*/%^(),.!=:;'\"[]{}|&~?#$@\\",
    ...["**", "//", " ", "1", "0", "2.5", "1e3", "007", "pi", "e", "×", "√", "−", "　", "１"],
    ...[
      "sqrt(",
      "max(",
      "round(",
      "log(",
      "abs",
      "constructor",
      "__proto__",
      "9**9",
      "true",
      "in",
      "to",
      "mod",
    ],
  ),
  fc.string({ unit: "binary", maxLength: 3 }),
);

describe("random strings", () => {
  it("give a number as text or a CalculationError, and nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const outcome = await evaluate(pieces.join("")).catch((error: unknown) => error);
        if (typeof outcome === "string") expect(outcome).toMatch(/^-?\d+(\.\d+)?(e[-+]\d{2,})?$/);
        else expect(outcome).toBeInstanceOf(CalculationError);
      }),
      { numRuns: 5_000 },
    );
  });
});
