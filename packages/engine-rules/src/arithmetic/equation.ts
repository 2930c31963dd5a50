import type { Expression } from "./expression.js";
import {
  add,
  divide,
  multiply,
  negate,
  parseRational,
  type Rational,
  rational,
  writeRational,
} from "./rational.js";

/** The outcome of reading an equation in one unknown. */
export type Solution =
  | { kind: "one"; unknown: string; expression: string }
  | { kind: "none" | "any"; unknown: string };

/** `factor * unknown + constant` */
interface Linear {
  factor: Rational;
  constant: Rational;
}

const zero: Rational = { numerator: 0n, denominator: 1n };
const one: Rational = { numerator: 1n, denominator: 1n };

/**
 * Solves a linear equation in one unknown: `2x + 5 = 13` becomes the expression `(13 - 5) / 2`. `undefined` when it
 * has another number of unknowns, is not linear, or already says what the unknown is.
 */
export function solveLinear(left: Expression, right: Expression): Solution | undefined {
  const names = new Set<string>();
  const a = toLinear(left, names);
  const b = toLinear(right, names);
  const [unknown] = names;
  if (a === undefined || b === undefined || unknown === undefined || names.size > 1) return undefined;
  if (isSolved(left, right) || isSolved(right, left)) return undefined;
  const factor = add(a.factor, negate(b.factor));
  const constant = add(b.constant, negate(a.constant));
  if (factor === undefined || constant === undefined) return undefined;
  if (factor.numerator === 0n) return { kind: constant.numerator === 0n ? "any" : "none", unknown };
  // The side that has the unknown, or more of it, stands first.
  const expression = a.factor.numerator === 0n ? write(b, a) : write(a, b);
  return { kind: "one", unknown, expression };
}

function isSolved(side: Expression, other: Expression): boolean {
  return side.kind === "unknown" && ["number", "negative", "unknown"].includes(other.kind);
}

function write(first: Linear, second: Linear): string {
  const numerator = difference(second.constant, first.constant);
  const denominator = difference(first.factor, second.factor);
  if (denominator === "1") return numerator;
  return `${group(numerator)} / ${group(denominator)}`;
}

function difference(a: Rational, b: Rational): string {
  if (b.numerator === 0n) return writeRational(a);
  if (a.numerator === 0n) return writeRational(negate(b));
  return b.numerator < 0n
    ? `${writeRational(a)} + ${writeRational(negate(b))}`
    : `${writeRational(a)} - ${writeRational(b)}`;
}

function group(text: string): string {
  return text.includes(" ") && !/^\([^()]*\)$/.test(text) ? `(${text})` : text;
}

/** Reads an expression as linear in its unknowns, whose names it notes; `undefined` when it is not. */
function toLinear(node: Expression, names: Set<string>): Linear | undefined {
  switch (node.kind) {
    case "number": {
      const constant = parseRational(node.text);
      return constant && { factor: zero, constant };
    }
    case "fraction": {
      const constant = rational(BigInt(node.numerator), BigInt(node.denominator));
      return constant && { factor: zero, constant };
    }
    case "unknown":
      names.add(node.name);
      return { factor: one, constant: zero };
    case "negative":
      return scale(toLinear(node.value, names), { numerator: -1n, denominator: 1n });
    case "percent":
      return scale(toLinear(node.value, names), { numerator: 1n, denominator: 100n });
    case "share":
      return product(toLinear(node.share, names), toLinear(node.of, names));
    case "operation":
      return combine(node.operator, toLinear(node.left, names), toLinear(node.right, names));
    default:
      return undefined;
  }
}

function combine(operator: string, left: Linear | undefined, right: Linear | undefined): Linear | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (operator === "+") return sum(left, right);
  if (operator === "-") return sum(left, { factor: negate(right.factor), constant: negate(right.constant) });
  if (operator === "*") return product(left, right);
  if (operator !== "/" || right.factor.numerator !== 0n) return undefined;
  const inverse = divide(one, right.constant);
  return inverse && scale(left, inverse);
}

function sum(left: Linear, right: Linear): Linear | undefined {
  const factor = add(left.factor, right.factor);
  const constant = add(left.constant, right.constant);
  return factor && constant && { factor, constant };
}

function product(left: Linear | undefined, right: Linear | undefined): Linear | undefined {
  if (left === undefined || right === undefined) return undefined;
  if (left.factor.numerator === 0n) return scale(right, left.constant);
  return right.factor.numerator === 0n ? scale(left, right.constant) : undefined;
}

function scale(linear: Linear | undefined, by: Rational): Linear | undefined {
  if (linear === undefined) return undefined;
  const factor = multiply(linear.factor, by);
  const constant = multiply(linear.constant, by);
  return factor && constant && { factor, constant };
}
