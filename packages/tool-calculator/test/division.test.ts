import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bitLength, ratio } from "../src/big-integer.js";
import { evaluateNumber } from "../src/index.js";

const integer = fc.bigInt({ min: -(2n ** 2000n), max: 2n ** 2000n });
const notZero = integer.filter((value) => value !== 0n);

describe("the quotient of large integers", () => {
  it("does not depend on a common factor", () => {
    const small = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });
    fc.assert(
      fc.property(
        small,
        small.filter((value) => value !== 0),
        notZero,
        (a, b, factor) => {
          expect(ratio(BigInt(a) * factor, BigInt(b) * factor) === a / b).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("rounds to the nearest float, and a tie to the even one", () => {
    const two53 = 2n ** 53n;
    expect(ratio(two53 + 1n, 1n)).toBe(2 ** 53);
    expect(ratio(two53 + 3n, 1n)).toBe(2 ** 53 + 4);
    expect(ratio((two53 + 1n) * 10n ** 300n + 1n, 10n ** 300n)).toBe(2 ** 53 + 2);
    expect(ratio((two53 + 1n) * 10n ** 300n - 1n, 10n ** 300n)).toBe(2 ** 53);
    expect(ratio(1n, 2n ** 1074n)).toBe(Number.MIN_VALUE);
    expect(ratio(1n, 2n ** 1080n)).toBe(0);
  });
});

describe("floor division and remainder", () => {
  it("fit together, and the remainder has the sign of the divisor", async () => {
    await fc.assert(
      fc.asyncProperty(integer, notZero, async (a, b) => {
        const quotient = BigInt(await evaluateNumber(`(${a}) // (${b})`));
        const rest = BigInt(await evaluateNumber(`(${a}) % (${b})`));
        expect(quotient * b + rest).toBe(a);
        expect(rest === 0n || rest < 0n === b < 0n).toBe(true);
        expect((rest < 0n ? -rest : rest) < (b < 0n ? -b : b)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("of floats give whole quotients and remainders below the divisor", async () => {
    const float = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        float,
        float.filter((value) => Math.abs(value) > 1e-3),
        async (a, b) => {
          const quotient = (await evaluateNumber(`(${a}) // (0.0 + ${b})`)) as number;
          const rest = (await evaluateNumber(`(0.0 + ${a}) % (${b})`)) as number;
          expect(Number.isInteger(quotient)).toBe(true);
          expect(Math.abs(rest)).toBeLessThanOrEqual(Math.abs(b));
          expect(rest === 0 || rest < 0 === b < 0).toBe(true);
          expect(Math.abs(quotient * b + rest - a)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(a)));
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("the bits of an integer", () => {
  it("are those of its binary digits", () => {
    fc.assert(
      fc.property(integer, (value) => {
        const magnitude = value < 0n ? -value : value;
        expect(bitLength(value)).toBe(magnitude === 0n ? 0 : magnitude.toString(2).length);
      }),
    );
  });
});
