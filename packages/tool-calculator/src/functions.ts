import { asFloat, divisionByZero, inRange } from "./arithmetic.js";
import { type IntegerBudget, splitPowerOfTwo } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import { formatValue } from "./format.js";
import type { FunctionName } from "./names.js";
import { ceil, floor, round } from "./rounding.js";
import type { Value } from "./value.js";

interface FunctionEntry {
  least: number;
  most: number;
  apply(args: readonly Value[], budget: IntegerBudget): Value;
}

const table: Readonly<Record<FunctionName, FunctionEntry>> = {
  abs: one((x) => (x < 0 ? -x : x)),
  round: { least: 1, most: 2, apply: (args, budget) => round(first(args), args[1], budget) },
  min: { least: 1, most: Number.POSITIVE_INFINITY, apply: smallest },
  max: { least: 1, most: Number.POSITIVE_INFINITY, apply: largest },
  sqrt: one(squareRoot),
  log: { least: 1, most: 2, apply: (args) => logarithm(first(args), args[1]) },
  ln: one((x) => naturalLogarithm("ln", x)),
  log10: one((x) => commonLogarithm("log10", x)),
  log2: one((x) => binaryLogarithm("log2", x)),
  sin: one((x) => Math.sin(asFloat(x))),
  cos: one((x) => Math.cos(asFloat(x))),
  tan: one((x) => inRange(Math.tan(asFloat(x)), "The result of tan")),
  ceil: one(ceil),
  floor: one(floor),
};

/**
 * Calls a function of the language.
 *
 * - `abs`, `min` and `max` keep integers exact; `ceil`, `floor` and one-argument `round` give integers.
 * - All others give floats.
 *
 * Throws a {@link CalculationError} for a wrong number of arguments and outside the function's domain.
 */
export function callFunction(name: FunctionName, args: readonly Value[], budget: IntegerBudget): Value {
  const entry = table[name];
  if (args.length < entry.least || args.length > entry.most) throw wrongCount(name, entry, args.length);
  return entry.apply(args, budget);
}

function one(apply: (x: Value) => Value): FunctionEntry {
  return { least: 1, most: 1, apply: (args) => apply(first(args)) };
}

function first(args: readonly Value[]): Value {
  return args[0] ?? 0n;
}

// The first of equal values is kept, as in Python, so that max(1, 1.0) is 1; Math.max takes no integers.
function smallest(args: readonly Value[]): Value {
  let result = first(args);
  for (const value of args) if (value < result) result = value;
  return result;
}

function largest(args: readonly Value[]): Value {
  let result = first(args);
  for (const value of args) if (value > result) result = value;
  return result;
}

function wrongCount(name: string, entry: FunctionEntry, count: number): CalculationError {
  const takes = entry.most === entry.least ? "one argument" : `${entry.least} to ${entry.most} arguments`;
  return new CalculationError(
    "arguments",
    `${name} takes ${takes}, not ${count}. A comma separates arguments: write a thousand as 1000 or 1_000.`,
  );
}

function squareRoot(x: Value): number {
  if (x < 0) throw new CalculationError("domain", `sqrt(${show(x)}) is not a real number.`);
  if (typeof x === "number" || Number.isFinite(Number(x))) return Math.sqrt(asFloat(x));
  const { float, exponent } = splitPowerOfTwo(x);
  return inRange(Math.sqrt(float) * 2 ** (exponent / 2), "The result of sqrt");
}

function logarithm(x: Value, base: Value | undefined): number {
  const name = "log";
  if (base === undefined) return naturalLogarithm(name, x);
  if (Number(base) === 10) return commonLogarithm(name, x);
  if (Number(base) === 2) return binaryLogarithm(name, x);
  if (Number(base) === 1) throw divisionByZero("log has no base 1");
  const result = naturalLogarithm(name, x) / naturalLogarithm(name, base);
  // The quotient of two rounded logarithms may miss a whole result by a bit: log(243, 3) is 5.
  const whole = Math.round(result);
  return Number.isFinite(Number(x)) && Number(base) ** whole === Number(x) ? whole : result;
}

function naturalLogarithm(name: string, x: Value): number {
  return logarithmBy(name, x, Math.log, Math.LN2);
}

function commonLogarithm(name: string, x: Value): number {
  return logarithmBy(name, x, Math.log10, Math.LN2 / Math.LN10);
}

function binaryLogarithm(name: string, x: Value): number {
  return logarithmBy(name, x, Math.log2, 1);
}

/** A logarithm, also of an integer that is too large for a float; `ofTwo` is the logarithm of 2. */
function logarithmBy(name: string, x: Value, log: (x: number) => number, ofTwo: number): number {
  if (x <= 0)
    throw new CalculationError(
      "domain",
      `${name}(${show(x)}) is not a real number: only numbers above 0 have a logarithm.`,
    );
  if (typeof x === "number" || Number.isFinite(Number(x))) return log(asFloat(x));
  const { float, exponent } = splitPowerOfTwo(x);
  return log(float) + exponent * ofTwo;
}

function show(x: Value): string {
  return typeof x === "bigint" && (x > 1e15 || x < -1e15) ? "a large integer" : formatValue(x);
}
