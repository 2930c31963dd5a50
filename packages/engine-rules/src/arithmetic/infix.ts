import type { Expression, Operator } from "./expression.js";
import type { ExpressionParser } from "./expression-parser.js";
import { notArithmetic } from "./not-arithmetic.js";
import { isUnknown } from "./token.js";

/** What may follow a value: an operator with another value, or a suffix. */
export interface Infix {
  level: number;
  /** Tokens it takes. */
  length: number;
  /** The level of what follows; `undefined` for a suffix. */
  rightLevel: number | undefined;
  /** A product without a sign. */
  implied: boolean;
  apply(right: Expression | undefined): Expression;
}

const symbols: Readonly<Record<string, { operator: Operator; level: number }>> = {
  "+": { operator: "+", level: 10 },
  "-": { operator: "-", level: 10 },
  "*": { operator: "*", level: 20 },
  "/": { operator: "/", level: 20 },
  "//": { operator: "//", level: 20 },
  "**": { operator: "**", level: 40 },
};

/** Longer phrases stand before those they begin with. */
const words: readonly { words: readonly string[]; operator: Operator; level: number; reversed?: boolean }[] =
  [
    ...entries("+", 10, "plus", "added to", "more than"),
    ...entries("-", 10, "minus"),
    ...entries("-", 10, "less than", "subtracted from").map((entry) => ({ ...entry, reversed: true })),
    ...entries("*", 20, "times", "multiplied by", "multiplied with"),
    ...entries("/", 20, "divided by", "over"),
    ...entries("%", 20, "mod", "modulo", "modulus"),
    ...entries(
      "**",
      40,
      "to the power of",
      "raised to the power of",
      "raised to the power",
      "to the power",
      "raised to",
    ),
  ];

const ratioPhrases = [
  "is what percent of",
  "is what percentage of",
  "is what per cent of",
  "as a percentage of",
  "as a percent of",
].map((text) => text.split(" "));

const suffixLevel = 45;

function entries(operator: Operator, level: number, ...phrases: string[]) {
  return phrases.map((phrase) => ({ words: phrase.split(" "), operator, level }));
}

/** What follows `left` at the parser's place, or `undefined` when nothing does. */
export function infixAt(parser: ExpressionParser, left: Expression): Infix | undefined {
  const token = parser.peek();
  if (token === undefined || token.kind === "break") return undefined;
  if (token.kind === "symbol") return token.text === "%" ? percentSign(parser, left) : symbolAt(parser, left);
  if (token.kind === "number") return undefined;
  return (
    suffixAt(parser, left) ?? shareAt(parser, left) ?? wordAt(parser, left) ?? impliedProduct(parser, left)
  );
}

function symbolAt(parser: ExpressionParser, left: Expression): Infix | undefined {
  const token = parser.peek();
  if (token?.kind !== "symbol") return undefined;
  if (token.text === "(" && !token.spaced) return product(left);
  const entry = symbols[token.text];
  return entry && binary(entry.operator, entry.level, 1, left);
}

function binary(
  operator: Operator,
  level: number,
  length: number,
  left: Expression,
  reversed = false,
): Infix {
  // Only a power groups from the right.
  const rightLevel = operator === "**" ? level : level + 1;
  return {
    level,
    length,
    rightLevel,
    implied: false,
    apply: (right) => {
      if (right === undefined) throw notArithmetic;
      if ((operator === "+" || operator === "-") && right.kind === "percent")
        return change(left, right, operator);
      return reversed
        ? { kind: "operation", operator, left: right, right: left }
        : { kind: "operation", operator, left, right };
    },
  };
}

/** "80 plus 10%" means ten percent more. */
function change(base: Expression, percent: Expression, sign: "+" | "-", off = false): Expression {
  if (percent.kind !== "percent" || base.kind === "percent") throw notArithmetic;
  return { kind: "change", base, percent: percent.value, sign, off };
}

/** `%` is hundredths where no value follows it, and the remainder of a division elsewhere. */
function percentSign(parser: ExpressionParser, left: Expression): Infix | undefined {
  const [sign, next] = [parser.peek(), parser.peek(1)];
  const operandFollows =
    next?.kind === "number" ||
    (next?.kind === "symbol" && next.text === "(") ||
    (next?.kind === "word" && isValueWord(next.text));
  if (!operandFollows) return suffix({ kind: "percent", value: left }, 1);
  // "15% 340" may be either.
  if (sign?.spaced === false && next.spaced) throw notArithmetic;
  return binary("%", 20, 1, left);
}

function isValueWord(word: string): boolean {
  return word === "pi" || word === "e" || word === "sqrt" || word === "abs";
}

function suffix(value: Expression, length: number): Infix {
  return { level: suffixLevel, length, rightLevel: undefined, implied: false, apply: () => value };
}

function suffixAt(parser: ExpressionParser, left: Expression): Infix | undefined {
  if (parser.isWord("percent") || parser.isWord("pct")) return suffix({ kind: "percent", value: left }, 1);
  if (parser.isWord("per") && parser.isWord("cent", 1)) return suffix({ kind: "percent", value: left }, 2);
  if (parser.isWord("squared")) return suffix(power(left, "2"), 1);
  if (parser.isWord("cubed")) return suffix(power(left, "3"), 1);
  if (parser.angle && (parser.isWord("degrees") || parser.isWord("degree"))) {
    return suffix({ kind: "degrees", value: left }, 1);
  }
  return undefined;
}

function power(base: Expression, exponent: string): Expression {
  return { kind: "operation", operator: "**", left: base, right: { kind: "number", text: exponent } };
}

/** "15% of 340", "2/3 of 90", "20% off 50", "20 is what percent of 80". */
function shareAt(parser: ExpressionParser, left: Expression): Infix | undefined {
  const rightOf = (level: number, length: number, apply: (right: Expression) => Expression): Infix => ({
    level,
    length,
    rightLevel: level,
    implied: false,
    apply: (right) => {
      if (right === undefined) throw notArithmetic;
      return apply(right);
    },
  });
  if (parser.isWord("of")) {
    if (left.kind === "percent" || left.kind === "fraction") {
      return rightOf(25, 1, (of) => ({ kind: "share", share: left, of }));
    }
    const isQuotient = left.kind === "operation" && left.operator === "/";
    return isQuotient && left.left.kind === "number" && left.right.kind === "number"
      ? { ...rightOf(20, 1, (of) => ({ kind: "share", share: left, of })), rightLevel: 21 }
      : undefined;
  }
  if (parser.isWord("off") && left.kind === "percent") {
    return rightOf(15, parser.isWord("of", 1) ? 2 : 1, (base) => change(base, left, "-", true));
  }
  if (parser.isWord("tip", 0) && parser.isWord("on", 1) && left.kind === "percent") {
    return rightOf(25, 2, (of) => ({ kind: "share", share: left, of }));
  }
  for (const phrase of ratioPhrases) {
    if (!phrase.every((word, index) => parser.isWord(word, index))) continue;
    return rightOf(5, phrase.length, (whole) => ({ kind: "ratio", part: left, whole }));
  }
  return undefined;
}

function wordAt(parser: ExpressionParser, left: Expression): Infix | undefined {
  if (parser.isWord("x") && parser.options.unknowns !== true) return binary("*", 20, 1, left);
  for (const entry of words) {
    if (!entry.words.every((word, index) => parser.isWord(word, index))) continue;
    return binary(entry.operator, entry.level, entry.words.length, left, entry.reversed);
  }
  return undefined;
}

/** `2x`, where letters are unknowns. */
function impliedProduct(parser: ExpressionParser, left: Expression): Infix | undefined {
  const token = parser.peek();
  if (parser.options.unknowns !== true || token?.kind !== "word" || !isUnknown(token.text)) return undefined;
  return left.kind === "unknown" ? undefined : product(left);
}

function product(left: Expression): Infix {
  return { ...binary("*", 20, 0, left), rightLevel: 21, implied: true };
}
