import { bitLength, type IntegerBudget, ratio, toFloat, tooLarge } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import type { Value } from "./value.js";

/** Two operands of one kind: integers when both are, floats otherwise. */
type Pair = { integers: true; a: bigint; b: bigint } | { integers: false; a: number; b: number };

/** A value as a float. Throws when it is an integer too large for one. */
export function asFloat(value: Value): number {
  return typeof value === "number" ? value : toFloat(value);
}

/** Hands a float on, unless it left the range of floats. */
export function inRange(value: number, what: string): number {
  if (Number.isFinite(value)) return value;
  throw tooLarge(what);
}

/** The error for a zero on the right of `/`, `//` or `%`. */
export function divisionByZero(what: string): CalculationError {
  return new CalculationError("domain", `Division by zero: ${what}.`);
}

/** `a + b`. */
export function add(a: Value, b: Value, budget: IntegerBudget): Value {
  if (typeof a === "bigint" && typeof b === "bigint") {
    budget.sum(a, b);
    return a + b;
  }
  return inRange(asFloat(a) + asFloat(b), "The result of +");
}

/** `a - b`. */
export function subtract(a: Value, b: Value, budget: IntegerBudget): Value {
  if (typeof a === "bigint" && typeof b === "bigint") {
    budget.sum(a, b);
    return a - b;
  }
  return inRange(asFloat(a) - asFloat(b), "The result of -");
}

/** `-a`. */
export function negate(a: Value): Value {
  return -a;
}

/** `a * b`. */
export function multiply(a: Value, b: Value, budget: IntegerBudget): Value {
  if (typeof a === "bigint" && typeof b === "bigint") {
    budget.product(a, b);
    return a * b;
  }
  return inRange(asFloat(a) * asFloat(b), "The result of *");
}

/** `a / b`, always a float; the quotient of integers of any size is correctly rounded. */
export function divide(a: Value, b: Value, budget: IntegerBudget): number {
  if (isZero(b)) throw divisionByZero("the right side of / is 0");
  if (typeof a === "bigint" && typeof b === "bigint") {
    budget.quotient(a, b);
    return ratio(a, b);
  }
  return inRange(asFloat(a) / asFloat(b), "The result of /");
}

/** `a // b`: the quotient rounded down, as in Python. */
export function floorDivide(a: Value, b: Value, budget: IntegerBudget): Value {
  if (isZero(b)) throw divisionByZero("the right side of // is 0");
  const pair = pairOf(a, b, budget);
  if (pair.integers) {
    const quotient = pair.a / pair.b;
    return pair.a % pair.b !== 0n && pair.a < 0n !== pair.b < 0n ? quotient - 1n : quotient;
  }
  return inRange(floatFloorDivide(pair.a, pair.b), "The result of //");
}

/** `a % b`: the remainder with the sign of the divisor, as in Python. */
export function remainder(a: Value, b: Value, budget: IntegerBudget): Value {
  if (isZero(b)) throw divisionByZero("the right side of % is 0");
  const pair = pairOf(a, b, budget);
  if (!pair.integers) return floatRemainder(pair.a, pair.b);
  const rest = pair.a % pair.b;
  return rest !== 0n && rest < 0n !== pair.b < 0n ? rest + pair.b : rest;
}

/** `a ** b`: an integer for an integer and a whole exponent from 0 up, a float otherwise. */
export function power(a: Value, b: Value, budget: IntegerBudget): Value {
  if (isZero(a) && b < 0) throw divisionByZero("0 has no negative power");
  if (typeof a === "bigint" && typeof b === "bigint") {
    if (b >= 0n) {
      budget.power(powerBits(a, b));
      return a ** b;
    }
    // Through the exact power, which floats would round first. Past 1,200 bits its reciprocal is below every float.
    return powerBits(a, -b) <= 1200 ? ratio(1n, a ** -b) : 0;
  }
  const base = asFloat(a);
  const exponent = asFloat(b);
  if (base < 0 && !Number.isInteger(exponent)) {
    throw new CalculationError(
      "domain",
      "A negative number has no real power with a fraction as its exponent. Write -(8 ** (1/3)) for the root of -8.",
    );
  }
  return inRange(base ** exponent, "The result of **");
}

/** About how many bits `base ** exponent` has; never less than it really has by more than one. */
function powerBits(base: bigint, exponent: bigint): number {
  if (base >= -1n && base <= 1n) return 1;
  const magnitude = Math.abs(Number(base));
  const bits = Number.isFinite(magnitude) ? Math.log2(magnitude) : bitLength(base);
  return Math.ceil(bits * Number(exponent)) + 1;
}

function pairOf(a: Value, b: Value, budget: IntegerBudget): Pair {
  if (typeof a === "bigint" && typeof b === "bigint") {
    budget.quotient(a, b);
    return { integers: true, a, b };
  }
  return { integers: false, a: asFloat(a), b: asFloat(b) };
}

/** The steps of Python's own float division, so that rounding falls as it does there. */
function floatFloorDivide(a: number, b: number): number {
  const rest = a % b;
  const below = rest !== 0 && rest < 0 !== b < 0 ? 1 : 0;
  // What is left of a is a multiple of b but for rounding, so the quotient is next to the whole number meant.
  const quotient = (a - rest) / b - below;
  const whole = Math.floor(quotient);
  return quotient - whole > 0.5 ? whole + 1 : whole;
}

function floatRemainder(a: number, b: number): number {
  const rest = a % b;
  return rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest;
}

function isZero(value: Value): boolean {
  return value === 0n || value === 0;
}
