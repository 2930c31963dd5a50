/** A parsed JSON text, or what the parser said. */
export type StrictJson = { ok: true; value: unknown } | { ok: false; reason: string };

/** `JSON.parse` without exceptions. */
export function parseStrictJson(text: string): StrictJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? clip(error.message, 160) : String(error) };
  }
}

/** A value as JSON text; empty for what has none, such as a value nested more deeply than the stack is high. */
export function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** At most `limit` characters (code points) from the start of a text, with `…` when something is missing. */
export function clip(text: string, limit: number): string {
  const head = [...text.slice(0, limit * 2)];
  return head.length <= limit && text.length <= limit * 2 ? text : `${head.slice(0, limit).join("")}…`;
}
