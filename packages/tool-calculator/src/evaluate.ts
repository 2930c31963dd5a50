import { IntegerBudget } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import { compute } from "./compute.js";
import { formatValue } from "./format.js";
import { rewrite } from "./rewrite.js";
import type { SyntaxNode } from "./syntax-node.js";
import type { Value } from "./value.js";

/**
 * Evaluates a mathematical expression and gives its value as text. Nothing is kept between calls.
 *
 * Rejects with a {@link CalculationError} for everything that is not a value of the language.
 *
 * @example
 * await evaluate("sqrt(144) + 3**2"); // "21.0"
 */
export async function evaluate(expression: string): Promise<string> {
  return formatValue(await evaluateNumber(expression));
}

/**
 * Evaluates a mathematical expression and gives its value: an exact `bigint`, or a `number` where Python would give a
 * float.
 *
 * Rejects with a {@link CalculationError} for everything that is not a value of the language.
 *
 * @example
 * await evaluateNumber("2 ** 70"); // 1180591620717411303424n
 */
export async function evaluateNumber(expression: string): Promise<Value> {
  // Before the parser is loaded: what cannot be read costs nothing.
  const { text, operands } = rewrite(expression);
  parser ??= import("./parser.js");
  const { parse } = await parser;
  try {
    return compute(parseTree(parse, text), { operands, budget: new IntegerBudget() });
  } catch (error) {
    // The limits keep the depth far below this; it happens when the caller has used up the stack itself.
    if (!(error instanceof RangeError)) throw error;
    throw new CalculationError("limit", "The expression is nested too deeply. Split it into parts.");
  }
}

// Kept, because asking for a module that is already loaded costs more than an evaluation.
let parser: Promise<typeof import("./parser.js")> | undefined;

function parseTree(parse: (text: string) => SyntaxNode, text: string): SyntaxNode {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CalculationError("syntax", `The expression cannot be read: ${error.message}.`);
  }
}
