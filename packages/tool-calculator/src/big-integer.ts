import { CalculationError } from "./calculation-error.js";
import { limits } from "./limits.js";

/** What the integers of one evaluation may still cost. */
export class IntegerBudget {
  #left: number = limits.integerWork;

  /** Pays for an operation that takes every word of its operands once, such as an addition. */
  sum(a: bigint, b: bigint): void {
    if (!isSmall(a) || !isSmall(b)) this.#linear(bitLength(a), bitLength(b));
  }

  /** Pays for a quotient or remainder. */
  quotient(a: bigint, b: bigint): void {
    if (!isSmall(a) || !isSmall(b)) this.#quadratic(bitLength(a), bitLength(b));
  }

  /** Pays for a product. Throws when it is larger than an integer may be. */
  product(a: bigint, b: bigint): void {
    if (isSmall(a) && isSmall(b)) return;
    const bitsOfA = bitLength(a);
    const bitsOfB = bitLength(b);
    checkSize(bitsOfA + bitsOfB);
    this.#quadratic(bitsOfA, bitsOfB);
  }

  /** Pays for a power of `bits` bits. Throws when it is larger than an integer may be. */
  power(bits: number): void {
    checkSize(bits);
    this.#spend((bits / 64) ** 2 / 2);
  }

  #quadratic(bitsOfA: number, bitsOfB: number): void {
    this.#spend(Math.ceil(bitsOfA / 64) * Math.ceil(bitsOfB / 64));
    this.#linear(bitsOfA, bitsOfB);
  }

  // Finding the bits of a large integer costs ten times as much as adding to it, and is part of every operation.
  #linear(bitsOfA: number, bitsOfB: number): void {
    this.#spend((12 * (bitsOfA + bitsOfB)) / 64);
  }

  #spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) {
      throw new CalculationError(
        "limit",
        "The expression needs too many large integers. Split it into parts.",
      );
    }
  }
}

function checkSize(bits: number): void {
  if (bits <= limits.integerBits) return;
  const digits = groupDigits(Math.floor(limits.integerBits * Math.log10(2)));
  throw new CalculationError(
    "limit",
    `The expression needs an integer of more than ${digits} digits, which is too large to compute exactly.`,
  );
}

function isSmall(value: bigint): boolean {
  return value >= -0xffffffffn && value <= 0xffffffffn;
}

/** A whole number with commas between thousands, for messages; `toLocaleString` takes 10 ms the first time. */
export function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** The number of bits of the absolute value of an integer. */
export function bitLength(value: bigint): number {
  if (value >= -0xffffffffn && value <= 0xffffffffn)
    return 32 - Math.clz32(Number(value < 0n ? -value : value));
  const hex = (value < 0n ? -value : value).toString(16);
  return hex.length * 4 - (Math.clz32(Number.parseInt(hex.charAt(0), 16)) - 28);
}

/** An integer as a float. Throws when it is too large for one. */
export function toFloat(value: bigint): number {
  const float = Number(value);
  if (Number.isFinite(float)) return float;
  throw tooLarge("An integer");
}

/** The error for a value above the largest float. */
export function tooLarge(what: string): CalculationError {
  return new CalculationError(
    "range",
    `${what} is too large for a float (above about 1.8e308). Integers have no such limit with + - * // % **.`,
  );
}

/** The quotient of two integers as the nearest float, whatever their size. The divisor is not zero. */
export function ratio(a: bigint, b: bigint): number {
  const safe = BigInt(Number.MAX_SAFE_INTEGER);
  if (a >= -safe && a <= safe && b >= -safe && b <= safe) return Number(a) / Number(b);
  const negative = a < 0n !== b < 0n;
  const dividend = a < 0n ? -a : a;
  const divisor = b < 0n ? -b : b;
  // A quotient of 65 or 66 bits, whose last bit also says whether anything was cut off, rounds correctly.
  const shift = 65 - (bitLength(dividend) - bitLength(divisor));
  const scaled = shift >= 0 ? dividend << BigInt(shift) : dividend;
  const scale = shift >= 0 ? divisor : divisor << BigInt(-shift);
  const quotient = scaled / scale;
  const sticky = quotient * scale === scaled ? 0n : 1n;
  const magnitude = scaleByPowerOfTwo(Number(quotient | sticky), -shift);
  if (!Number.isFinite(magnitude)) throw tooLarge("The result of a division");
  return negative ? -magnitude : magnitude;
}

/** `value * 2 ** exponent`, without overflow on the way. */
function scaleByPowerOfTwo(value: number, exponent: number): number {
  let result = value;
  let left = Math.max(-2200, Math.min(2200, exponent));
  while (left !== 0) {
    const step = Math.max(-1000, Math.min(1000, left));
    result *= 2 ** step;
    left -= step;
  }
  return result;
}

/** An integer above zero as `float * 2 ** exponent`, for functions whose result is small although it is large. */
export function splitPowerOfTwo(value: bigint): { float: number; exponent: number } {
  const exponent = bitLength(value) - 64;
  // An even exponent can be halved by a square root.
  const even = exponent <= 0 ? 0 : exponent + (exponent & 1);
  return { float: Number(value >> BigInt(even)), exponent: even };
}
