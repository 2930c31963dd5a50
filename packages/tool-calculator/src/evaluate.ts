import { IntegerBudget } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import { compute } from "./compute.js";
import { formatValue } from "./format.js";
import { type Rewritten, rewrite } from "./rewrite.js";
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
  const rewritten = rewrite(expression);
  return formatValue(computeText(rewritten, parse ?? (await loadParser())));
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
  const rewritten = rewrite(expression);
  return computeText(rewritten, parse ?? (await loadParser()));
}

type Parse = (text: string) => SyntaxNode;

// Kept, because asking for a module that is already loaded costs more than an evaluation.
let parse: Parse | undefined;

async function loadParser(): Promise<Parse> {
  parse = (await import("./parser.js")).parse;
  return parse;
}

function computeText({ text, operands }: Rewritten, parseText: Parse): Value {
  try {
    return compute(parseText(text), { operands, budget: new IntegerBudget() });
  } catch (error) {
    if (error instanceof SyntaxError) {
      throw new CalculationError("syntax", `The expression cannot be read: ${error.message}.`);
    }
    // The limits keep the depth far below this; it happens when the caller has used up the stack itself.
    if (error instanceof RangeError) {
      throw new CalculationError("limit", "The expression is nested too deeply. Split it into parts.");
    }
    throw error;
  }
}
