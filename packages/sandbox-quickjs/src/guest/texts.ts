import {
  getPrototypeOf,
  hasOwn,
  includes,
  isWellFormed,
  ownValue,
  replaceAll,
  slice,
  toWellFormed,
} from "./intrinsics.js";

const maxMessage = 4_000;

/** `name: message` of an error, from its own and inherited plain properties. */
export function errorLine(error: object): string {
  const name = inheritedText(error, "name");
  const message = wellFormed(slice(inheritedText(error, "message"), 0, maxMessage));
  if (name === "") return message === "" ? "Error" : message;
  return message === "" ? name : `${name}: ${message}`;
}

/** A text property, looked for along the prototypes without running a getter; empty when there is none. */
export function inheritedText(value: object, key: string): string {
  let current: object | null = value;
  for (let depth = 0; depth < 20 && current !== null; depth += 1) {
    if (hasOwn(current, key)) {
      const value = ownValue(current, key);
      return typeof value === "string" ? value : "";
    }
    current = getPrototypeOf(current);
  }
  return "";
}

/** The first characters of an own text property; empty when there is none. */
export function ownText(value: object, key: string): string {
  const own = ownValue(value, key);
  return typeof own === "string" ? slice(own, 0, 200) : "";
}

/** A text that can leave the guest: no half characters, and no NUL, which would end it. */
export function wellFormed(value: string): string {
  const whole = isWellFormed(value) ? value : toWellFormed(value);
  return includes(whole, "\0") ? replaceAll(whole, "\0", "␀") : whole;
}
