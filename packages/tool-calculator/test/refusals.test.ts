import { describe, expect, it } from "vitest";
import { evaluate } from "../src/index.js";
import { refusal } from "./helpers.js";

/** Checks a table of expressions and what their refusals say. */
function refusals(title: string, table: Record<string, RegExp>) {
  describe(title, () => {
    it.each(Object.entries(table))("%s", async (expression, message) => {
      expect((await refusal(expression)).message).toMatch(message);
    });
  });
}

refusals("implied products (CC-04)", {
  "1/(2)(4)": /operator is missing between `\)` and `\(` at position 6.*Write \*/,
  "6/2(1+2)": /between `2` and `\(` at position 4.*Write \*/,
  "2pi": /Write \* to multiply: 2 \* pi/,
  "2 3": /2 \* 3/,
  "(1+2)3": /Write \*/,
  "(1)(2)": /Write \*/,
  "2sqrt(4)": /2 \* sqrt/,
  "sqrt(4)2": /Write \*/,
  "pi e": /pi \* e/,
  "pi(2)": /pi \* \(/,
  "2√4": /2 \* √/,
  "√4 4": /4 \* 4/,
  "10j": /10 \* j/,
  "1e": /1 \* e/,
  "3 in": /Write \*/,
});

refusals("ranges, matrices and other parts of mathjs (CC-05)", {
  "1:9999999999": /`:` at position 2.*ranges/,
  "zeros(1e5,1e5)": /Unknown function `zeros`/,
  "ones(3)": /Unknown function `ones`.*abs, round, min, max/,
  "sum(1:1e9)": /`:`/,
  "sum(1, 2)": /Unknown function `sum`.*with \+/,
  "[1,2,3]": /`\[` at position 1.*lists/,
  "a[1]": /lists/,
  "{a: 1}": /`\{`/,
  "2!": /factorials/,
  "factorial(5)": /Unknown function `factorial`/,
  "5 cm": /Write \*/,
  "2 to 3": /Write \*/,
  "to(2)": /Unknown function `to`/,
  "not 1": /unknown variable/,
  "1 and 2": /Write \*/,
  "10 mod 3": /Write \*/,
  "mod(10, 3)": /remainder with %/,
  true: /unknown variable/,
  Infinity: /unknown variable/,
  NaN: /unknown variable/,
  null: /unknown variable/,
  i: /unknown variable/,
  end: /unknown variable/,
  "1 ./ 2": /`\.`/,
  "1 .* 2": /`\.`/,
  "2 .^ 3": /`\.`/,
  "1 | 2": /`\|`/,
  "1 << 2": /`<`/,
  "1'": /text in quotes/,
  $0: /`\$`/,
});

refusals("names and the way out of the language (CC-09)", {
  'cos.constructor("return process")()': /`cos\.constructor` at position 1: attributes/,
  "import({pi:3},{override:true})": /`\{`/,
  "import(1)": /Unknown function `import`/,
  'createUnit("zorp")': /quotes/,
  "createUnit(1)": /Unknown function `createUnit`/,
  'evaluate("1+1")': /quotes/,
  "evaluate(1)": /Unknown function `evaluate`/,
  'parse("1")': /quotes/,
  "parse(1)": /Unknown function `parse`/,
  __proto__: /`__proto__` at position 1 is an unknown variable/,
  "__proto__(1)": /Unknown function `__proto__`/,
  constructor: /unknown variable/,
  "constructor(1)": /Unknown function `constructor`/,
  "toString()": /Unknown function `toString`/,
  "hasOwnProperty(1)": /Unknown function/,
  "valueOf(1)": /Unknown function/,
  "abs.call(1)": /attributes/,
  "(1).constructor": /attributes/,
  "1..constructor": /not a number/,
  "exec(1)": /Unknown function `exec`/,
  "import os": /unknown variable/,
  "'hello'": /quotes/,
  "`x`": /Unexpected character/,
  "\\u0061": /Unexpected character `\\`/,
});

refusals("names that come near", {
  "Sqrt(4)": /Did you mean `sqrt`\?/,
  "SQRT(4)": /Did you mean `sqrt`\?/,
  "sqr(4)": /Did you mean `sqrt`\?/,
  "maximum(1)": /Unknown function `maximum`.*Functions: abs/,
  "cosine(1)": /Unknown function `cosine`/,
  "flor(1)": /Did you mean `floor`\?/,
  "pow(2, 3)": /\*\*/,
  "exp(1)": /e \*\* x/,
  "math.sqrt(16)": /`math\.sqrt`.*Write `sqrt` alone/,
  "Math.PI": /`Math\.PI` at position 1: attributes are not supported\.$/,
  "x + 1": /`x` at position 1 is an unknown variable\. Constants: pi, e\./,
  E: /Did you mean `e`\?/,
  sqrt: /is a function: write sqrt\(\.\.\.\)/,
  "sin + 1": /is a function/,
});

refusals("characters that have no place (CC-11)", {
  "2 € 3": /`€` \(U\+20AC\) at position 3/,
  $5: /`\$` at position 1.*currency/,
  "5 °": /`°` \(U\+00B0\).*radians/,
  "2²": /`²` \(U\+00B2\).*\*\*/,
  "1 ≤ 2": /`≤`/,
  "2\u200b+3": /U\+200B at position 2/,
  "2\u0000": /U\+0000 at position 2/,
  "1+\u202e2": /U\+202E/,
  "😀": /`😀` \(U\+1F600\) at position 1/,
  "\ud800": /U\+D800/,
  "１＋あ": /`あ` \(U\+3042\) at position 3/,
  "١+١": /`١` \(U\+0661\)/,
  "2××3": /`×` at position 3: a value is missing before it/,
  "6÷÷2": /a value is missing before it/,
  "√": /`√` at position 1: a number or `\(` must follow/,
  "√√16": /Write sqrt\(\.\.\.\)/,
  "√-4": /Write sqrt\(\.\.\.\)/,
});

refusals("commas", {
  "1,000": /1000 or 1_000/,
  "1,234": /`,` at position 2.*1000 or 1_000/,
  "(1,234)": /`,`.*1000 or 1_000/,
  "1,5 + 2": /decimal number as 1\.5/,
  "max((1,2))": /`,` at position 7/,
  "max(1,000)": /`000` at position 7 starts with a zero.*1000 or 1_000/,
  "sqrt(1,234)": /sqrt takes one argument, not 2.*1000 or 1_000/,
  "√(1,234)": /sqrt takes one argument/,
  "max(1,)": /`\)` at position 7: a value is missing before it/,
  "max(,1)": /`,` at position 5: a value is missing before it/,
});

refusals("number literals", {
  "007": /starts with a zero/,
  "1__0": /`1__0` at position 1 is not a number/,
  "1_": /not a number/,
  "1.2.3": /`1\.2\.3` at position 1 is not a number/,
  "1..2": /not a number/,
  "1._5": /not a number/,
  "0x": /0 \* x/,
  "0b2": /0 \* b2/,
  "1e999": /too large for a float/,
  ".": /`\.` at position 1/,
});

refusals("expressions that are not complete", {
  "": /No expression/,
  "   \n": /No expression/,
  "2 +": /`\+` at position 3: a value is missing after it/,
  "* 2": /`\*` at position 1: a value is missing before it/,
  "2 ** / 3": /`\/` at position 6: a value is missing before it/,
  "(2": /`\(` at position 1: its `\)` is missing/,
  "2)": /`\)` at position 2: there is no `\(`/,
  "()": /nothing between the parentheses/,
  "max()": /nothing between the parentheses/,
  "(2+)": /a value is missing before it/,
  "10%%": /one %/,
  "10 %% 3": /one %/,
  "%": /a value is missing before it/,
});

refusals("calls with the wrong arguments", {
  "abs(1, 2)": /abs takes one argument, not 2/,
  "round(1, 2, 3)": /round takes 1 to 2 arguments, not 3/,
  "log(1, 2, 3)": /log takes 1 to 2 arguments, not 3/,
  "round(2.345, 1.5)": /whole number of digits/,
});

refusals("what has no real value", {
  "1/0": /[Dd]ivision by zero/,
  "0/0": /[Dd]ivision by zero/,
  "1/0.0": /[Dd]ivision by zero/,
  "1//0": /[Dd]ivision by zero/,
  "1.5//0": /[Dd]ivision by zero/,
  "5 % 0": /[Dd]ivision by zero/,
  "5 % 0.0": /[Dd]ivision by zero/,
  "1/(2-2)": /[Dd]ivision by zero/,
  "0**-1": /[Dd]ivision by zero/,
  "0.0**-1": /[Dd]ivision by zero/,
  "0**-0.5": /[Dd]ivision by zero/,
  "log(5, 1)": /[Dd]ivision by zero/,
  "sqrt(-1)": /sqrt\(-1\) is not a real number/,
  "sqrt(-0.5)": /sqrt\(-0\.5\) is not a real number/,
  "sqrt(-(10**400))": /not a real number/,
  "log(0)": /log\(0\) is not a real number/,
  "ln(-1)": /ln\(-1\)/,
  "log10(0.0)": /log10\(0\.0\)/,
  "log2(-8)": /log2\(-8\)/,
  "log(8, -2)": /log\(-2\)/,
  "log(8, 0)": /log\(0\)/,
  "(-8)**(1/3)": /negative number has no real power/,
  "(-1)**0.5": /negative number has no real power/,
});

refusals("what is too large", {
  "1e308*10": /result of \* is too large for a float/,
  "1e308+1e308": /result of \+ is too large/,
  "-1e308-1e308": /result of - is too large/,
  "1e308/0.1": /result of \/ is too large/,
  "1e308//1e-10": /result of \/\/ is too large/,
  "10.0**400": /result of \*\* is too large/,
  "2**0.5**-20": /too large for a float/,
  "10**400*1.0": /integer is too large for a float/,
  "10**400/3": /result of a division is too large/,
  "sin(10**400)": /too large for a float/,
  "round(1.7e308, -308)": /result of round is too large/,
  "9**9**9": /integer of more than 78,913 digits/,
  "9^9^9^9": /integer of more than/,
  "2**20000": /about 6,020 digits; at most 4,300/,
  "10**4300": /at most 4,300/,
});

describe("an integer of as many digits as are written out", () => {
  it("is written out", async () => {
    expect(await evaluate("10**4299")).toBe(`1${"0".repeat(4299)}`);
    expect(await evaluate("-(10**4299)")).toBe(`-1${"0".repeat(4299)}`);
  });
});

describe("state between calls (CC-14)", () => {
  it("refuses assignments and definitions, and leaves the constants as they are", async () => {
    for (const expression of ["x=3", "pi=3", "f(n) = n", "e := 2", "x == 3", "pi = 3; pi"]) {
      expect((await refusal(expression)).message).toMatch(/`[=:]`|`n` at/);
    }
    expect((await refusal("x+1")).message).toMatch(/unknown variable/);
    expect((await refusal("f(2)")).message).toMatch(/Unknown function/);
    expect(await evaluate("pi")).toBe("3.14159265358979");
    expect(await evaluate("e")).toBe("2.71828182845905");
  });
});

describe("a refusal", () => {
  it("says its kind and position", async () => {
    const cases: [string, string, number | undefined][] = [
      ["2 +* 3", "syntax", 4],
      ["2 + foo", "name", 5],
      ["abs(1, 2)", "arguments", undefined],
      ["1/0", "domain", undefined],
      ["1e999", "range", 1],
      ["9**9**9", "limit", undefined],
    ];
    for (const [expression, kind, position] of cases) {
      expect(await refusal(expression)).toMatchObject({ name: "CalculationError", kind, position });
    }
  });

  it("stays short, whatever the expression", async () => {
    const long = "x".repeat(9000);
    for (const expression of [long, `${long}(1)`, `a.${long}`, "1.".repeat(4000), `${"9".repeat(4000)} 9`]) {
      expect((await refusal(expression)).message.length).toBeLessThan(400);
    }
  });
});
