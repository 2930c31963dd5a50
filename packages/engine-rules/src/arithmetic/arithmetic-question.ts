import { type Expression, readingNote, writeExpression } from "./expression.js";

/** One question of arithmetic, ready for the calculator. */
export interface ArithmeticQuestion {
  /** What to compute; empty when the answer is known without computing. */
  expression: string;
  /** The answer as a person reads it, from the number the calculator gave. */
  phrase(result: string): string;
}

/**
 * The question an expression asks.
 *
 * @param label how the answer names it; empty for the expression itself
 */
export function questionOf(expression: Expression, label: string): ArithmeticQuestion {
  return { expression: writeExpression(expression), phrase: (result) => phraseOf(expression, label, result) };
}

function phraseOf(expression: Expression, label: string, result: string): string {
  const note = readingNote(expression);
  if (expression.kind === "ratio") {
    const [part, whole] = [expression.part, expression.whole].map((side) => writeExpression(side, "person"));
    return `${part} is ${result}% of ${whole}${note}`;
  }
  if (expression.kind === "growth") {
    const [from, to] = [expression.from, expression.to].map((side) => writeExpression(side, "person"));
    return `from ${from} to ${to} is a change of ${result}%${note}`;
  }
  return `${label || writeExpression(expression, "person")} = ${result}${note}`;
}
