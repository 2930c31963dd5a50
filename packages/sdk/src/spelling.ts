/** `max_tokens` → `maxTokens`. */
export function toCamelCase(name: string): string {
  return name.replace(/_+([a-z0-9])/g, (_whole, letter: string) => letter.toUpperCase());
}

/** `maxTokens` → `max_tokens`. */
export function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Names trimmed, without empty and repeated ones, in order. */
export function cleanNames(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
}
