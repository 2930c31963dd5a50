import { describe, expect, it } from "vitest";
import { CalculationError, evaluate, limits } from "../src/index.js";
import { refusal } from "./helpers.js";

const times = (count: number, text: string, separator = "") => Array(count).fill(text).join(separator);

/** Each asks for far more than an expression may cost, or is as large as one may be. */
const hostile = [
  "9^9^9^9",
  "9**9**7",
  "2**1e308",
  "1**10**4000",
  "(-1)**(10**4000+1)",
  "10**-10**4000",
  "(2**262143)**-1",
  "2**262143 % 7",
  "(2**131000)*(2**131000)//3",
  "7**93000/3**160000",
  "round(1e300, 400)",
  "round(1e300, -400)",
  "round(10**4000, -10**4000)",
  "round(2.5, 10**4000)",
  "10**400*1.0",
  "factorial(1e7)",
  "ones(1e9)",
  "1:1e8",
  "sum(1:1e7)",
  'format(1/3, {notation:"fixed", precision:1000000000})',
  `simplify("${times(60, "(x+1)", "*")}")`,
  "inv(random([300,300]))",
  "f(n) = n < 2 ? n : f(n-1) + f(n-2); f(40)",
  'parse("2+x").compile().evaluate({x:1})',
  times(100_000, "1", "+"),
  `${times(100_000, "(")}1${times(100_000, ")")}`,
  `${times(100_000, "-")}1`,
  times(1_000_000, "9"),
  times(9_999, "9"),
  `0x${times(9_990, "f")}`,
  `0.${times(9_990, "1")}`,
  `1e${times(9_990, "9")}`,
  times(4_999, "1_").replace(/_$/, ""),
  times(5_000, "1."),
  times(10_000, "."),
  times(9_999, "x"),
  times(5_000, "a."),
  times(5_000, "1,"),
  times(10_000, "\n"),
  times(5_000, "😀"),
  times(2_000, "√"),
  times(2_000, "1%"),
  times(1_000, "1", "+"),
  times(1_000, "1", "**"),
  times(900, "2", "**"),
  `${times(1_900, "-")}1`,
  `${times(900, "-")}7**93000 % 10`,
  `${times(100, "(")}1${times(100, ")")}`,
  `${times(99, "sqrt(")}2${times(99, ")")}`,
  `max(${times(990, "1", ",")})`,
  `max(${times(300, "7**4000", ",")}) % 10`,
  `7**93000${times(900, "+1")}`,
  `7**93000${times(900, "*1")}`,
  `3**9000${times(900, "//1")}`,
  times(30, "7**93000 % 11", "+"),
  times(60, "7**23000//3", "+"),
  times(150, "2/7**4000", "+"),
  times(1_000, "99999999", "*"),
];

describe("hostile expressions", () => {
  it.each(hostile.map((expression) => [expression.slice(0, 40), expression]))(
    "%s ends at once",
    async (_, expression) => {
      const started = performance.now();
      const outcome = await evaluate(expression).catch((error: unknown) => error);
      expect(typeof outcome === "string" || outcome instanceof CalculationError).toBe(true);
      expect(performance.now() - started).toBeLessThan(10_000);
    },
  );
});

describe("the limits", () => {
  it("hold exactly", async () => {
    expect(await evaluate(`${" ".repeat(limits.characters - 1)}1`)).toBe("1");
    expect((await refusal(`${" ".repeat(limits.characters)}1`)).message).toMatch(
      /10001 characters; at most 10000/,
    );

    expect(await evaluate(`-${times(1_000, "1", "+")}`)).toBe("998");
    expect((await refusal(`--${times(1_000, "1", "+")}`)).message).toMatch(/more than 2000/);

    const nested = (depth: number) => `${"(".repeat(depth)}1${")".repeat(depth)}`;
    expect(await evaluate(nested(limits.nesting))).toBe("1");
    expect((await refusal(nested(limits.nesting + 1))).message).toMatch(/More than 100 parentheses/);

    expect(await evaluate("2**262142 % 7")).toBe("4");
    expect((await refusal("2**262144 % 7")).message).toMatch(/more than 78,913 digits/);
  });

  it("bound the work of many large integers, none of which is too large alone", async () => {
    expect(await evaluate("7**93000 % 11")).toBe("1");
    const expressions = ["7**93000 % 11 + 7**93000 % 11", `7**93000 % 11${times(20, " + 3**60000 % 11")}`];
    for (const operator of ["+", "-", "*", "//"])
      expressions.push(`(7**93000${times(900, `${operator}1`)}) % 11`);
    for (const expression of expressions) {
      expect(await refusal(expression)).toMatchObject({
        kind: "limit",
        message: expect.stringMatching(/too many large/),
      });
    }
  });

  it("let through long products and sums of ordinary numbers", async () => {
    const numbers = Array.from({ length: 1_000 }, (_, index) => index + 1);
    let product = 1n;
    for (const number of numbers) product *= BigInt(number);
    expect(await evaluate(numbers.join("*"))).toBe(product.toString());
    expect(await evaluate(numbers.join(" + "))).toBe("500500");
  });

  it("refuse in words when the caller has little stack left", async () => {
    const expression = times(1_000, "1", "**");
    await evaluate(expression);
    // Goes down to the end of the stack, and up again by fewer frames than the expression needs.
    const descend = (): number | Promise<unknown> => {
      let freed: number | Promise<unknown>;
      try {
        freed = descend();
      } catch {
        return 0;
      }
      if (typeof freed !== "number") return freed;
      return freed < 300 ? freed + 1 : evaluate(expression).catch((error: unknown) => error);
    };
    expect(await descend()).toMatchObject({ name: "CalculationError", kind: "limit" });
  });
});
