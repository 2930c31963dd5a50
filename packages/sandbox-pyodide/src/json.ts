import { errorText } from "@openjarvis/core";

/** A JSON value on its way into the guest. Texts travel as they are: a large one would cost much as JSON. */
export interface GuestValue {
  readonly kind: "text" | "json";
  readonly text: string;
}

/** A value of the host as it travels to the guest; `undefined` is null. Throws an error that says why it is not JSON. */
export function encodeValue(what: string, value: unknown): GuestValue {
  if (typeof value === "string") return { kind: "text", text: value };
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? null) as string | undefined;
  } catch (error) {
    throw new TypeError(`${what} is not a JSON value: ${errorText(error).split("\n")[0] ?? ""}`);
  }
  if (text === undefined) throw new TypeError(`${what} is not a JSON value: it is a ${typeof value}`);
  return { kind: "json", text };
}

/**
 * A value from JSON text that untrusted code has written. Keys that change prototypes where a value is merged into
 * another are left out: `__proto__`, and `constructor` when it holds a `prototype`.
 */
export function parseUntrusted(text: string): unknown {
  return /__proto__|"prototype"|\\u/.test(text) ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
}

function withoutPrototype(this: unknown, key: string, value: unknown): unknown {
  if (key === "__proto__") return undefined;
  const isConstructor = key === "constructor" && typeof value === "object" && value !== null;
  return isConstructor && Object.hasOwn(value, "prototype") ? undefined : value;
}
