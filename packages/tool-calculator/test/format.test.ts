import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatValue } from "../src/format.js";

describe("the text of a float", () => {
  it.each<[number, string]>([
    [4, "4.0"],
    [-0, "0.0"],
    [0.5, "0.5"],
    [100.5, "100.5"],
    [1e15, "1000000000000000.0"],
    [9007199254740991, "9007199254740991.0"],
    [4503599627370497, "4503599627370497.0"],
    [9007199254740992, "9007199254740992.0"],
    [9999999999999998, "9999999999999998.0"],
    [1e16, "1e+16"],
    [1.5e16, "1.5e+16"],
    [1.2345678901234568e17, "1.23456789012346e+17"],
    [1e-4, "0.0001"],
    [0.00012345, "0.00012345"],
    [1e-5, "1e-05"],
    [1.5e-7, "1.5e-07"],
    [1e-20, "1e-20"],
    [1e100, "1e+100"],
    [Number.MAX_VALUE, "1.79769313486232e+308"],
    [-Number.MAX_VALUE, "-1.79769313486232e+308"],
    [Number.MIN_VALUE, "5e-324"],
    [0.30000000000000004, "0.3"],
    [1.0000000000000002, "1.0"],
    [123456789012350.1, "123456789012350.0"],
    [999999999999999.9, "1000000000000000.0"],
    [-1 / 3, "-0.333333333333333"],
  ])("%d is %s", (value, text) => {
    expect(formatValue(value)).toBe(text);
  });

  it("keeps 15 digits, and always looks like a float", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = formatValue(value);
        expect(text).toMatch(/^-?\d+\.\d+$|^-?\d(\.\d*[1-9])?e[-+]\d{2,}$/);
        const read = Number(text);
        if (Number.isInteger(value) && Math.abs(value) < 1e16) expect(read === value).toBe(true);
        // The largest floats round up beyond the range.
        else if (Number.isFinite(read))
          expect(Math.abs(read - value)).toBeLessThanOrEqual(Math.abs(value) * 5e-15);
      }),
      { numRuns: 5_000 },
    );
  });

  it("hides the last bits of decimal arithmetic", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 ** 9 }), fc.integer({ min: 1, max: 10 ** 9 }), (a, b) => {
        const cents = a + b;
        const expected = `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`.replace(
          /0$/,
          "",
        );
        expect(formatValue(a / 100 + b / 100)).toBe(expected);
      }),
    );
  });
});
