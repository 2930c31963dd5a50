import { CalculationError, evaluate } from "../src/index.js";

/** The error that an expression is refused with. Fails when it has a value, or throws anything else. */
export async function refusal(expression: string): Promise<CalculationError> {
  let text: string;
  try {
    text = await evaluate(expression);
  } catch (error) {
    if (error instanceof CalculationError) return error;
    throw error;
  }
  throw new Error(`${expression} was not refused but gave ${text}`);
}
