import { InvalidArgumentError } from "commander";

/** A number in a range, as a flag's value. */
export function numberFlag(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isFinite(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}.`);
  };
}

/** A whole number from `min` on, as a flag's value. */
export function integerFlag(min: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text.trim()) && Number.isSafeInteger(value) && value >= min) return value;
    throw new InvalidArgumentError(`It must be a whole number of at least ${min}.`);
  };
}

/** Names between commas, as a flag's value. A flag that is repeated adds to the list. */
export function namesFlag(text: string, before: readonly string[] | undefined): readonly string[] {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return [...new Set([...(before ?? []), ...names])];
}

/** Values of a flag that is repeated. */
export function repeatedFlag(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), text];
}
