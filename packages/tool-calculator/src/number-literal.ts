import { CalculationError } from "./calculation-error.js";
import { clip, match } from "./text.js";
import type { Value } from "./value.js";

/** A number of an expression, and how it was written. */
export interface NumberLiteral {
  value: Value;
  text: string;
}

const based = /0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/y;
const decimal = /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+(?:_\d+)*)?/y;
const numberRun = /[0-9._]+/y;
const digitZero = 48;

/**
 * Reads the number literal at a place of an expression, if one is there. Throws a {@link CalculationError} for a
 * literal that is no number, or is ambiguous, or is too large for a float.
 */
export function readNumber(source: string, at: number): NumberLiteral | undefined {
  const literal = source.charCodeAt(at) === digitZero ? match(based, source, at) : "";
  const text = literal || match(decimal, source, at);
  if (text === "") return undefined;
  const rest = match(numberRun, source, at + text.length);
  if (rest !== "") {
    throw new CalculationError(
      "syntax",
      `\`${clip(text + rest)}\` at position ${at + 1} is not a number.`,
      at + 1,
    );
  }
  const digits = text.includes("_") ? text.replaceAll("_", "") : text;
  const value = literal === "" && /[.eE]/.test(digits) ? readFloat(digits, at) : readInteger(digits, at);
  return { value, text };
}

function readInteger(digits: string, at: number): bigint {
  if (digits.length > 1 && digits.startsWith("0") && !/[a-z]/i.test(digits)) {
    throw new CalculationError(
      "syntax",
      `\`${clip(digits)}\` at position ${at + 1} starts with a zero. Write numbers without leading zeros and without ` +
        "separators for thousands: 1000 or 1_000.",
      at + 1,
    );
  }
  // The way through a float is exact up to 15 digits, and several times faster.
  return digits.length <= 15 ? BigInt(Number(digits)) : BigInt(digits);
}

function readFloat(digits: string, at: number): number {
  const value = Number(digits);
  if (Number.isFinite(value)) return value;
  throw new CalculationError(
    "range",
    `\`${clip(digits)}\` at position ${at + 1} is too large for a float (about 1.8e308). Write it as an integer, like 10 ** 400.`,
    at + 1,
  );
}
