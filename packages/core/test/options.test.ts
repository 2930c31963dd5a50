import { describe, expect, it } from "vitest";
import { checkInteger, checkNumber, checkOptionKeys } from "../src/index.js";

const option = (message: string | RegExp) =>
  expect.objectContaining({ code: "OJ_OPTION", message: expect.stringMatching(message) });

describe("checkOptionKeys", () => {
  it("takes known keys, whatever their values", () => {
    expect(() => checkOptionKeys("it", { a: undefined, b: 1 }, ["a", "b"])).not.toThrow();
  });

  it("names the owner, the key, the nearest and all there are", () => {
    expect(() => checkOptionKeys('agent "simple"', { temprature: 1 }, ["temperature", "model"])).toThrow(
      expect.objectContaining({
        code: "OJ_OPTION",
        message: 'agent "simple" has no option "temprature". Did you mean "temperature"?',
        hint: "It takes: model, temperature.",
        details: { option: "temprature" },
      }),
    );
  });

  it("says so when there are none", () => {
    expect(() => checkOptionKeys("it", { x: 1 }, [])).toThrow(
      expect.objectContaining({ message: 'it has no option "x".', hint: "It takes none." }),
    );
  });

  it("refuses an unknown key also without a value", () => {
    expect(() => checkOptionKeys("it", { x: undefined }, [])).toThrow(option(/no option "x"/));
  });
});

describe("checkInteger", () => {
  it.each([1, 5, Number.MAX_SAFE_INTEGER])("takes %i", (value) => {
    expect(() => checkInteger("n", value, 1)).not.toThrow();
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5" as never, undefined as never])(
    "refuses %j",
    (value) => {
      expect(() => checkInteger("n", value, 1)).toThrow(
        option(/^n must be a whole number, 1 or more; it is/),
      );
    },
  );

  it("names a range with two ends", () => {
    expect(() => checkInteger("n", 9, 1, 5)).toThrow(option(/from 1 to 5; it is 9/));
  });
});

describe("checkNumber", () => {
  it.each([0, 0.5, 2])("takes %f", (value) => {
    expect(() => checkNumber("t", value, 0, 2)).not.toThrow();
  });

  it.each([-0.1, 2.1, Number.NaN, "1" as never])("refuses %j", (value) => {
    expect(() => checkNumber("t", value, 0, 2)).toThrow(option(/^t must be a number from 0 to 2; it is/));
  });
});
