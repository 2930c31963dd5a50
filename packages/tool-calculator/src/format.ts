import { bitLength, groupDigits } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import { limits } from "./limits.js";
import type { Value } from "./value.js";

/**
 * A value as text.
 *
 * - An integer is its digits.
 * - A float has at most 15 significant digits, which hides the rounding of binary fractions (`0.1+0.2` is `0.3`) and
 *   nothing else; whole floats below 1e16 have all their digits. It always shows that it is a float: `21.0`, `1e+16`.
 * - The exponent form is Python's: from 1e16 up and below 1e-4, with at least two digits (`1e-05`).
 *
 * Throws a {@link CalculationError} for an integer of more than `limits.resultDigits` digits.
 */
export function formatValue(value: Value): string {
  return typeof value === "bigint" ? formatInteger(value) : formatFloat(value);
}

function formatInteger(value: bigint): string {
  // The size is estimated first: converting a large integer is slow.
  const digits = Math.floor(bitLength(value) * Math.log10(2));
  if (digits <= limits.resultDigits) {
    const text = value.toString();
    if (text.length - (value < 0n ? 1 : 0) <= limits.resultDigits) return text;
  }
  throw new CalculationError(
    "limit",
    `The result has about ${groupDigits(digits)} digits; at most ${groupDigits(limits.resultDigits)} ` +
      "are written out. Ask for its size with log10(...), or for its last digits with % 10 ** 6.",
  );
}

function formatFloat(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude < 1e16 && Number.isInteger(value)) return `${value === 0 ? 0 : value}.0`;
  if (magnitude >= 1e-4 && magnitude < 1e15) {
    const text = value.toPrecision(15);
    if (!text.includes("e")) return text.includes(".") ? text.replace(/(\.\d+?)0+$/, "$1") : `${text}.0`;
  }
  const shortest = value.toExponential();
  // The smallest floats have fewer digits than 15; asking for 15 would make some up.
  const exponential = significantDigits(shortest) <= 15 ? shortest : value.toExponential(14);
  const [mantissa = "", exponent = "0"] = exponential.split("e");
  const digits = mantissa.replace(/[-.]/g, "").replace(/0+$/, "");
  return (value < 0 ? "-" : "") + placePoint(digits, Number(exponent));
}

function significantDigits(exponential: string): number {
  return exponential.slice(0, exponential.indexOf("e")).replace(/[-.]/g, "").length;
}

/** The text of `d.ddd * 10 ** exponent`, where `digits` are all its digits. */
function placePoint(digits: string, exponent: number): string {
  if (exponent < -4 || exponent >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const magnitude = String(Math.abs(exponent)).padStart(2, "0");
    return `${digits.charAt(0)}${fraction}e${exponent < 0 ? "-" : "+"}${magnitude}`;
  }
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  return `${whole}.${digits.slice(exponent + 1) || "0"}`;
}
