/** The bounds of an evaluation. Whatever the expression, it ends within milliseconds and a few megabytes. */
export const limits = {
  /** Characters of an expression. */
  characters: 10_000,
  /** Numbers, names, operators, parentheses and commas of an expression, together. */
  tokens: 2_000,
  /** Parentheses that are open at once. */
  nesting: 100,
  /** Bits of any integer on the way to the result (about 78,900 digits). */
  integerBits: 262_144,
  /** Work on integers in one evaluation, in multiplications of 64-bit words (about a nanosecond each). */
  integerWork: 10_000_000,
  /** Digits of a result that is an integer; Python's own default. */
  resultDigits: 4_300,
} as const;
