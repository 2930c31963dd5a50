/** Thrown for what is no arithmetic, and caught where a question begins. One object: a stack would say nothing. */
export const notArithmetic = new Error("This is not arithmetic.");
