/**
 * Two copies of this package in one process are normal (a plugin home beside a global CLI), so nothing here may
 * depend on `instanceof` or on module-level state. What must be shared hangs on `globalThis` or on an object under
 * a `Symbol.for` key; the number in a key changes only when the shape behind it does.
 */
export const registryKey = Symbol.for("openjarvis.registry.v1");
export const errorBrand = Symbol.for("openjarvis.error.v1");
export const validatedBrand = Symbol.for("openjarvis.validated.v1");
export const instrumentedBrand = Symbol.for("openjarvis.instrumented.v1");
export const copiesKey = Symbol.for("openjarvis.core.copies.v1");

/** Gets a value that every copy of core shares, made by the first copy that asks. */
export function shared<T>(key: symbol, make: () => T): T {
  const holder = globalThis as unknown as Record<symbol, T | undefined>;
  const existing = holder[key];
  if (existing !== undefined) return existing;
  const made = make();
  holder[key] = made;
  return made;
}
