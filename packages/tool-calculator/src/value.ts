/** A value of an expression: a `bigint` is an exact integer, a `number` is a float, as in Python. */
export type Value = bigint | number;
