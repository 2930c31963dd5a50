import { errorText } from "@openjarvis/core";
import type { GuestValue } from "./protocol.js";

/** A value of the host as it travels to the guest. Throws an error that says why a value is not JSON. */
export function encodeValue(what: string, value: unknown): GuestValue {
  if (typeof value === "string") return { kind: "text", text: value };
  if (value === undefined) return { kind: "undefined" };
  let text: string | undefined;
  try {
    text = JSON.stringify(value) as string | undefined;
    // Such a key would set the prototype of an object that the guest copies it to.
    if (text?.includes('"__proto__"')) text = JSON.stringify(value, withoutPrototype);
  } catch (error) {
    const reason = errorText(error).split("\n")[0] ?? "";
    throw new TypeError(`${what} is not a JSON value: ${reason}`);
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
