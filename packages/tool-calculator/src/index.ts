import { ToolRegistry } from "@openjarvis/core";
import { CalculatorTool } from "./calculator.js";

ToolRegistry.register("calculator")(CalculatorTool);

export { CalculationError, type CalculationErrorKind } from "./calculation-error.js";
export { evaluate, evaluateNumber } from "./evaluate.js";
export { limits } from "./limits.js";
export type { Value } from "./value.js";
export { CalculatorTool };
