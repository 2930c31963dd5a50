import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evaluate, evaluateNumber } from "../src/index.js";

describe("round", () => {
  it.each([
    ["round(2.5)", "2"],
    ["round(3.5)", "4"],
    ["round(-2.5)", "-2"],
    ["round(0.5)", "0"],
    ["round(-0.5)", "0"],
    ["round(0.49999999999999994)", "0"],
    ["round(2.6)", "3"],
    ["round(7)", "7"],
    ["round(1e20)", "100000000000000000000"],
    ["round(9007199254740991.0)", "9007199254740991"],
    ["round(3.14159, 2)", "3.14"],
    ["round(2.675, 2)", "2.67"],
    ["round(0.125, 2)", "0.12"],
    ["round(0.375, 2)", "0.38"],
    ["round(2.0, 2)", "2.0"],
    ["round(1234.5, -2)", "1200.0"],
    ["round(1.5, 0)", "2.0"],
    ["round(7, 2)", "7"],
    ["round(1250, -2)", "1200"],
    ["round(1350, -2)", "1400"],
    ["round(-1250, -2)", "-1200"],
    ["round(49, -2)", "0"],
    ["round(51, -2)", "100"],
    ["round(5, -1)", "0"],
    ["round(15, -1)", "20"],
    ["round(9, -5)", "0"],
    ["round(10**30 + 5, -1)", "1000000000000000000000000000000"],
    ["round(1e300, 400)", "1e+300"],
    ["round(1e-300, 2)", "0.0"],
    ["round(5e-324, 323)", "0.0"],
    ["round(1e22, -22)", "1e+22"],
  ])("%s is %s", async (expression, text) => {
    expect(await evaluate(expression)).toBe(text);
  });

  it("to digits agrees with the exact decimal value, apart from ties", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: -1e15, max: 1e15, noNaN: true }),
        fc.integer({ min: 0, max: 20 }),
        async (value, digits) => {
          // toFixed also rounds the exact value; it only takes a tie away from zero.
          const exact = value.toFixed(100).replace("-", "");
          const tie = new RegExp(`\\.\\d{${digits}}50*$`).test(exact);
          fc.pre(!tie);
          expect(
            (await evaluateNumber(`round(0.0 + ${value}, ${digits})`)) === Number(value.toFixed(digits)),
          ).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it("leaves a value that already has the digits", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), async (cents) => {
        const value = cents / 100;
        expect(Number(await evaluate(`round(0.0 + ${value}, 2)`)) === value).toBe(true);
      }),
    );
  });

  it("of an integer to tens is the nearest multiple, and an even one in a tie", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.integer({ min: 1, max: 6 }),
        async (value, zeros) => {
          const unit = 10n ** BigInt(zeros);
          const result = await evaluateNumber(`round(${value}, -${zeros})`);
          const rest = BigInt(result) - value;
          const distance = 2n * (rest < 0n ? -rest : rest);
          expect(BigInt(result) % unit).toBe(0n);
          expect(distance <= unit).toBe(true);
          if (distance === unit) expect((BigInt(result) / unit) % 2n).toBe(0n);
        },
      ),
    );
  });
});
