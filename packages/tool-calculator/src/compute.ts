import * as arithmetic from "./arithmetic.js";
import type { IntegerBudget } from "./big-integer.js";
import { CalculationError } from "./calculation-error.js";
import { callFunction } from "./functions.js";
import { isFunctionName } from "./names.js";
import { mathjsHundredths, mathjsOperators } from "./rewrite.js";
import type { SyntaxNode } from "./syntax-node.js";
import type { Value } from "./value.js";

type Binary = (a: Value, b: Value, budget: IntegerBudget) => Value;

const binaries: ReadonlyMap<string, Binary> = new Map([
  [mathjsOperators["+"], arithmetic.add],
  [mathjsOperators["-"], arithmetic.subtract],
  [mathjsOperators["*"], arithmetic.multiply],
  [mathjsOperators["/"], arithmetic.divide],
  [mathjsOperators["//"], arithmetic.floorDivide],
  [mathjsOperators["%"], arithmetic.remainder],
  [mathjsOperators["**"], arithmetic.power],
]);

/** What the numbers of a syntax tree stand for, and what it may spend. */
export interface ComputeOptions {
  operands: readonly Value[];
  budget: IntegerBudget;
}

/**
 * The value of a syntax tree. Only the kinds of nodes listed here are computed, and only functions of the language
 * are called; everything else throws a {@link CalculationError}.
 */
export function compute(node: SyntaxNode, options: ComputeOptions): Value {
  const { type, args = [] } = node;
  switch (type) {
    case "ConstantNode":
      return operandOf(node, options);
    case "ParenthesisNode":
      if (node.content !== undefined) return compute(node.content, options);
      break;
    case "OperatorNode":
      return computeOperator(node.op ?? "", args, options);
    case "FunctionNode":
      if (node.name !== undefined && isFunctionName(node.name)) {
        return callFunction(
          node.name,
          args.map((argument) => compute(argument, options)),
          options.budget,
        );
      }
  }
  throw notSupported(node);
}

function computeOperator(op: string, args: readonly SyntaxNode[], options: ComputeOptions): Value {
  const [left, right] = args;
  if (left !== undefined && right !== undefined) {
    const binary = binaries.get(op);
    if (binary !== undefined) return binary(compute(left, options), compute(right, options), options.budget);
  } else if (left !== undefined) {
    const value = compute(left, options);
    if (op === "-") return arithmetic.negate(value);
    if (op === "+") return value;
    if (op === mathjsHundredths) return arithmetic.divide(value, 100n, options.budget);
  }
  throw notSupported({ type: "OperatorNode", op });
}

function operandOf(node: SyntaxNode, { operands }: ComputeOptions): Value {
  const operand = typeof node.value === "number" ? operands[node.value] : undefined;
  if (operand === undefined) throw notSupported(node);
  return operand;
}

function notSupported({ type, op, name }: SyntaxNode): CalculationError {
  return new CalculationError(
    "syntax",
    `The expression has a part that is not supported (${op ?? name ?? type}).`,
  );
}
