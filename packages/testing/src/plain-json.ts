/** Where a value holds what JSON cannot carry; an empty list when it holds nothing of the kind. `undefined` is fine. */
export function notJson(value: unknown, path = "value"): string[] {
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean")
    return [];
  if (typeof value === "number") return Number.isFinite(value) ? [] : [`${path} is ${value}`];
  if (typeof value !== "object") return [`${path} is a ${typeof value}`];
  if (Array.isArray(value)) return value.flatMap((item, index) => notJson(item, `${path}[${index}]`));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return [`${path} is a ${value.constructor?.name ?? "special object"}`];
  }
  return Object.entries(value).flatMap(([key, item]) => notJson(item, `${path}.${key}`));
}
