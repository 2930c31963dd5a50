import type { Expression, Operator } from "./expression.js";
import type { ExpressionParser } from "./expression-parser.js";
import { notArithmetic } from "./not-arithmetic.js";
import { denominatorOf } from "./number-words.js";

type Reader = (parser: ExpressionParser) => Expression;

/** Phrases that stand before what they apply to; longer ones before those they begin with. */
const phrases: readonly { words: readonly string[]; read: Reader }[] = [
  ...entries(["square root"], (parser) => call("sqrt", argumentAfterOf(parser))),
  ...entries(["cube root"], (parser) => root(argumentAfterOf(parser), 3)),
  ...entries(["square of", "square"], (parser) => operation("**", parser.argument(), number(2))),
  ...entries(["cube of", "cube"], (parser) => operation("**", parser.argument(), number(3))),
  ...entries(["absolute value"], (parser) => call("abs", argumentAfterOf(parser))),
  ...entries(["natural logarithm", "natural log"], (parser) => call("log", argumentAfterOf(parser))),
  ...entries(["factorial of"], (parser) => factorial(parser.expression(50))),
  ...entries(["double", "twice"], (parser) => operation("*", argumentAfterOf(parser), number(2))),
  ...entries(["triple"], (parser) => operation("*", argumentAfterOf(parser), number(3))),
  ...entries(["halve"], (parser) => operation("/", parser.argument(), number(2))),
  ...entries(["sum of", "total of"], (parser) => chain("+", parser.list())),
  ...entries(["product of"], (parser) => chain("*", parser.list())),
  ...entries(["average of", "mean of"], (parser) => {
    const values = parser.list();
    return operation("/", chain("+", values), number(values.length));
  }),
  ...entries(superlatives("min minimum smallest lowest least smaller lower lesser"), (parser) =>
    list("min", parser),
  ),
  ...entries(
    superlatives("max maximum largest highest greatest biggest larger higher greater bigger"),
    (parser) => list("max", parser),
  ),
  ...entries(["difference between", "difference of"], readDifference),
  ...entries(["quotient of"], (parser) => operation("/", ...pair(parser, "and"))),
  ...entries(["remainder when", "remainder of", "remainder from", "remainder if"], readRemainder),
  ...entries(["add"], readAddition),
  ...entries(["subtract", "take"], (parser) => {
    const [amount, from] = pair(parser, "from");
    return operation("-", from, amount);
  }),
  ...entries(["multiply"], readMultiplication),
  ...entries(["divide"], (parser) => operation("/", ...pair(parser, "by"))),
  ...entries(["raise"], readRaise),
  ...entries(["increase"], (parser) => readChange(parser, "+")),
  ...entries(["decrease", "reduce", "lower"], (parser) => readChange(parser, "-")),
  ...entries(["percentage of", "percent of", "per cent of"], readRatio),
  ...entries(
    ["percentage change from", "percent change from", "percentage increase from", "percent increase from"],
    (parser) => {
      const [from, to] = pair(parser, "to");
      return { kind: "growth", from, to };
    },
  ),
];

const firstWords = new Set(phrases.map((phrase) => phrase.words[0]));

function entries(names: readonly string[], read: Reader): { words: readonly string[]; read: Reader }[] {
  return names.map((name) => ({ words: name.split(" "), read }));
}

function superlatives(words: string): string[] {
  return words.split(" ").flatMap((word) => [`${word} of`, `${word} number of`, `${word} value of`]);
}

/** Whether a phrase can begin with a word. */
export function startsPhrase(word: string): boolean {
  return firstWords.has(word);
}

/** Reads "square root of 144", "increase 80 by 15%"; `undefined` when no phrase begins here. */
export function readPhrase(parser: ExpressionParser): Expression | undefined {
  const token = parser.peek();
  if (token?.kind !== "word") return undefined;
  const degree = parser.isWord("root", 1) ? denominatorOf(token) : undefined;
  if (degree !== undefined) {
    parser.at += 2;
    return root(argumentAfterOf(parser), degree);
  }
  if (!firstWords.has(token.text)) return undefined;
  const phrase = phrases.find(({ words }) => words.every((word, index) => parser.isWord(word, index)));
  if (phrase === undefined) return undefined;
  parser.at += phrase.words.length;
  return phrase.read(parser);
}

function argumentAfterOf(parser: ExpressionParser): Expression {
  parser.accept("of");
  return parser.argument();
}

function number(value: number): Expression {
  return { kind: "number", text: String(value) };
}

function call(name: string, value: Expression): Expression {
  return { kind: "call", name, values: [value] };
}

function list(name: string, parser: ExpressionParser): Expression {
  return { kind: "call", name, values: parser.list() };
}

function operation(operator: Operator, left: Expression, right: Expression): Expression {
  return { kind: "operation", operator, left, right };
}

function chain(operator: "+" | "*", values: readonly Expression[]): Expression {
  return values.reduce((left, right) => operation(operator, left, right));
}

function root(value: Expression, degree: number): Expression {
  return operation("**", value, operation("/", number(1), number(degree)));
}

/** The calculator has no factorial; the product of the factors is the same number. */
export function factorial(value: Expression): Expression {
  const count = value.kind === "number" && /^\d{1,2}$/.test(value.text) ? Number(value.text) : undefined;
  if (count === undefined || count < 2 || count > 30) throw notArithmetic;
  return chain(
    "*",
    Array.from({ length: count }, (_, index) => number(index + 1)),
  );
}

/** Two values with a word between them. */
function pair(parser: ExpressionParser, ...between: string[]): [Expression, Expression] {
  const first = parser.expression(10);
  parser.expect(...between);
  return [first, parser.expression(10)];
}

/** A difference has no sign: the greater of two plain numbers comes first, whatever else is taken as a distance. */
function readDifference(parser: ExpressionParser): Expression {
  const [first, second] = pair(parser, "and");
  if (first.kind !== "number" || second.kind !== "number") return call("abs", operation("-", first, second));
  return Number(first.text) < Number(second.text)
    ? operation("-", second, first)
    : operation("-", first, second);
}

function readRemainder(parser: ExpressionParser): Expression {
  const left = parser.expression(21);
  parser.accept("is");
  if (!parser.accept("divided", "by") && !parser.acceptSymbol("/") && !parser.accept("by"))
    throw notArithmetic;
  return operation("%", left, parser.expression(21));
}

function readAddition(parser: ExpressionParser): Expression {
  const amount = parser.expression(10);
  if (parser.accept("to")) return operation("+", parser.expression(10), amount);
  return chain("+", parser.list(amount));
}

function readMultiplication(parser: ExpressionParser): Expression {
  const [left, right] = pair(parser, "by", "and", "with");
  return operation("*", left, right);
}

/** "raise 2 to the power of 5", or "raise 50 by 10". */
function readRaise(parser: ExpressionParser): Expression {
  const base = parser.expression(10);
  const isPower = base.kind === "operation" && base.operator === "**";
  return isPower && !parser.isWord("by") ? base : readChange(parser, "+", base);
}

function readChange(parser: ExpressionParser, sign: "+" | "-", first?: Expression): Expression {
  const base = first ?? parser.expression(10);
  parser.expect("by");
  const amount = parser.expression(10);
  if (amount.kind === "percent") return { kind: "change", base, percent: amount.value, sign, off: false };
  if (amount.kind === "fraction") throw notArithmetic;
  return operation(sign, base, amount);
}

/** "what percent of 80 is 20" */
function readRatio(parser: ExpressionParser): Expression {
  const [whole, part] = pair(parser, "is");
  return { kind: "ratio", part, whole };
}
