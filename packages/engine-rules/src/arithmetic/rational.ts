/** An exact fraction in lowest terms; the denominator is positive. */
export interface Rational {
  numerator: bigint;
  denominator: bigint;
}

/** Digits a number may have to be taken exactly; longer ones are no coefficients of anybody's homework. */
const maxDigits = 60;

/** The fraction `numerator / denominator`; `undefined` for a denominator of zero or a fraction that grew too long. */
export function rational(numerator: bigint, denominator = 1n): Rational | undefined {
  if (denominator === 0n) return undefined;
  const sign = denominator < 0n ? -1n : 1n;
  const divisor = gcd(numerator, denominator) * sign;
  const reduced = { numerator: numerator / divisor, denominator: denominator / divisor };
  const limit = 10n ** BigInt(maxDigits);
  if (absolute(reduced.numerator) >= limit || reduced.denominator >= limit) return undefined;
  return reduced;
}

/** The exact value of a number such as `12`, `0.25` or `1e3`. */
export function parseRational(text: string): Rational | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/.exec(text);
  if (match === null || text.length > maxDigits) return undefined;
  const [, whole = "", fraction = "", power = "0"] = match;
  const exponent = Number(power) - fraction.length;
  if (Math.abs(exponent) > maxDigits) return undefined;
  const digits = BigInt(whole + fraction);
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? rational(digits, scale) : rational(digits * scale);
}

export function add(a: Rational, b: Rational): Rational | undefined {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Rational, b: Rational): Rational | undefined {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function divide(a: Rational, b: Rational): Rational | undefined {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

export function negate(a: Rational): Rational {
  return { numerator: -a.numerator, denominator: a.denominator };
}

/** A fraction as the calculator reads it: `3`, `-0.25`, or `(1 / 3)` where decimals do not end. */
export function writeRational({ numerator, denominator }: Rational): string {
  if (denominator === 1n) return String(numerator);
  const digits = decimalPlaces(denominator);
  if (digits === undefined) return `(${numerator} / ${denominator})`;
  const scaled = String((absolute(numerator) * 10n ** BigInt(digits)) / denominator).padStart(
    digits + 1,
    "0",
  );
  return `${numerator < 0n ? "-" : ""}${scaled.slice(0, -digits)}.${scaled.slice(-digits)}`;
}

/** How many decimal places `1 / denominator` has, when they end. */
function decimalPlaces(denominator: bigint): number | undefined {
  let rest = denominator;
  let twos = 0;
  let fives = 0;
  for (; rest % 2n === 0n; rest /= 2n) twos += 1;
  for (; rest % 5n === 0n; rest /= 5n) fives += 1;
  return rest === 1n ? Math.max(twos, fives) : undefined;
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [absolute(a), absolute(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x === 0n ? 1n : x;
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}
