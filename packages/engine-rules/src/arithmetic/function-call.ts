import type { Expression } from "./expression.js";
import type { ExpressionParser } from "./expression-parser.js";
import { notArithmetic } from "./not-arithmetic.js";
import { functionNames } from "./token.js";

const angles = new Set(["sin", "cos", "tan"]);

/** Reads `sqrt(256)`, "log base 2 of 8", "round 3.14159 to 2 decimal places"; `undefined` when no function is named. */
export function readFunction(parser: ExpressionParser): Expression | undefined {
  const token = parser.peek();
  if (token?.kind !== "word") return undefined;
  const entry = functionNames.get(token.text);
  if (entry === undefined) return undefined;
  const { name, least, most } = entry;
  if (least > 1 && !parser.isSymbol("(", 1)) return undefined;
  parser.at += 1;
  if (name === "log" && parser.accept("base")) return logarithm(parser);
  const { angle } = parser;
  parser.angle = angles.has(name);
  const values = parser.isSymbol("(") ? argumentsOf(parser) : [bareArgument(parser)];
  parser.angle = angle;
  if (values.length < least || values.length > most) throw notArithmetic;
  if (name === "round" && values.length === 1) values.push(...decimalPlaces(parser));
  const [value] = values;
  if (token.text !== "ln" && name === "log" && value !== undefined && parser.accept("base")) {
    return withBase(value, parser.argument());
  }
  return { kind: "call", name, values };
}

function bareArgument(parser: ExpressionParser): Expression {
  parser.accept("of");
  return parser.argument();
}

function argumentsOf(parser: ExpressionParser): Expression[] {
  const values: Expression[] = [];
  if (!parser.acceptSymbol("(")) throw notArithmetic;
  do values.push(parser.expression());
  while (parser.acceptSymbol(","));
  if (!parser.acceptSymbol(")")) throw notArithmetic;
  return values;
}

function logarithm(parser: ExpressionParser): Expression {
  const base = parser.expression(50);
  parser.accept("of");
  return withBase(parser.argument(), base);
}

function withBase(value: Expression, base: Expression): Expression {
  const text = base.kind === "number" ? base.text : "";
  if (text === "2" || text === "10") return { kind: "call", name: `log${text}`, values: [value] };
  return { kind: "call", name: "log", values: [value, base] };
}

/** "to 2 decimal places", or nothing. */
function decimalPlaces(parser: ExpressionParser): Expression[] {
  if (
    parser.accept("to", "the", "nearest", "integer") ||
    parser.accept("to", "the", "nearest", "whole", "number")
  ) {
    return [];
  }
  if (!parser.accept("to")) return [];
  const places = parser.expression(50);
  if (parser.accept("decimal")) parser.expect("place", "places", "digits");
  else parser.expect("decimals", "digits");
  return [places];
}
