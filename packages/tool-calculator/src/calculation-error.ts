/**
 * What was wrong with an expression:
 *
 * - `syntax`: it cannot be read;
 * - `name`: it has a function or variable that does not exist;
 * - `arguments`: a function got too many, too few or the wrong kind of arguments;
 * - `domain`: it has no real value (division by zero, `sqrt(-1)`);
 * - `range`: a value is too large for a float;
 * - `limit`: it asks for more than {@link limits} allow.
 */
export type CalculationErrorKind = "syntax" | "name" | "arguments" | "domain" | "range" | "limit";

/** The only error the evaluator throws. Its message says what is wrong and how to write it, for a model to read. */
export class CalculationError extends Error {
  override readonly name = "CalculationError";
  readonly kind: CalculationErrorKind;
  /** Where in the expression, in UTF-16 units from 1, when it is known. */
  readonly position: number | undefined;

  constructor(kind: CalculationErrorKind, message: string, position?: number) {
    super(message);
    this.kind = kind;
    this.position = position;
  }
}
