import { inRange } from "./arithmetic.js";
import { bitLength, type IntegerBudget } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import type { Value } from "./value.js";

/** Past these digits after the point no float changes; past the same before it, every float is 0. */
const mostDigits = 323;

/**
 * Python's `round`: half to even. With one argument the result is an integer; with digits it keeps its kind, and a
 * float is rounded by its exact value.
 */
export function round(value: Value, digits: Value | undefined, budget: IntegerBudget): Value {
  if (digits === undefined) return typeof value === "bigint" ? value : BigInt(roundHalfToEven(value));
  if (typeof digits !== "bigint") {
    throw new CalculationError(
      "arguments",
      "The second argument of round is a whole number of digits, like round(2.345, 2).",
    );
  }
  if (typeof value === "bigint") return digits >= 0n ? value : roundInteger(value, -digits, budget);
  if (digits > mostDigits) return value;
  if (digits < -mostDigits) return 0;
  return inRange(roundFloat(value, Number(digits)), "The result of round");
}

/** The smallest integer that is not below a value. */
export function ceil(value: Value): bigint {
  return typeof value === "bigint" ? value : BigInt(Math.ceil(value));
}

/** The largest integer that is not above a value. */
export function floor(value: Value): bigint {
  return typeof value === "bigint" ? value : BigInt(Math.floor(value));
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

function roundInteger(value: bigint, zeros: bigint, budget: IntegerBudget): bigint {
  // An integer of fewer digits rounds to 0, and the power of ten need not be computed.
  if (zeros > Math.ceil(bitLength(value) * Math.log10(2)) + 1) return 0n;
  const unit = 10n ** zeros;
  budget.quotient(value, unit);
  return divideHalfToEven(value, unit) * unit;
}

function roundFloat(value: number, digits: number): number {
  const { mantissa, exponent } = decompose(value);
  let dividend = mantissa;
  let divisor = 1n;
  if (exponent >= 0) dividend <<= BigInt(exponent);
  else divisor <<= BigInt(-exponent);
  if (digits >= 0) dividend *= 10n ** BigInt(digits);
  else divisor *= 10n ** BigInt(-digits);
  // Reading the decimal text back is the one correctly rounded conversion.
  return Number(`${divideHalfToEven(dividend, divisor)}e${-digits}`);
}

function divideHalfToEven(value: bigint, unit: bigint): bigint {
  let quotient = value / unit;
  let rest = value % unit;
  if (rest < 0n) {
    rest += unit;
    quotient -= 1n;
  }
  const twice = rest * 2n;
  const up = twice > unit || (twice === unit && quotient % 2n !== 0n);
  return up ? quotient + 1n : quotient;
}

/** A float as `mantissa * 2 ** exponent`, exactly. */
function decompose(value: number): { mantissa: bigint; exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const magnitude = biased === 0 ? fraction : fraction | (1n << 52n);
  return { mantissa: value < 0 ? -magnitude : magnitude, exponent: Math.max(biased, 1) - 1075 };
}
