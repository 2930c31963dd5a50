import { JarvisError } from "./errors.js";
import { didYouMean } from "./names.js";

/**
 * Throws `OJ_OPTION` when `options` holds a key outside `known`; a mistyped option must never be silently ignored.
 *
 * @param owner who takes the options, as the message names it (`agent "simple"`)
 */
export function checkOptionKeys(owner: string, options: object, known: readonly string[]): void {
  for (const key of Object.keys(options)) {
    if (known.includes(key)) continue;
    throw new JarvisError("OJ_OPTION", `${owner} has no option "${key}".${didYouMean(key, known)}`, {
      hint: known.length === 0 ? "It takes none." : `It takes: ${[...known].sort().join(", ")}.`,
      details: { option: key },
    });
  }
}

/** Throws `OJ_OPTION` unless `value` is an integer in `[min, max]`. */
export function checkInteger(name: string, value: number, min: number, max = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `from ${min} to ${max}`;
  throw new JarvisError("OJ_OPTION", `${name} must be a whole number, ${range}; it is ${String(value)}.`);
}

/** Throws `OJ_OPTION` unless `value` is a finite number in `[min, max]`. */
export function checkNumber(name: string, value: number, min: number, max: number): void {
  if (Number.isFinite(value) && value >= min && value <= max) return;
  throw new JarvisError(
    "OJ_OPTION",
    `${name} must be a number from ${min} to ${max}; it is ${String(value)}.`,
  );
}
