import { promiseHint } from "./inspect.js";
import {
  arrayPrototype,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  includes,
  isArray,
  isFiniteNumber,
  isWellFormed,
  join,
  newList,
  objectPrototype,
  ownKeys,
  slice,
  stringify,
  TypeErrorClass,
  tagOf,
  text,
} from "./intrinsics.js";
import { inheritedText } from "./texts.js";

/** Most characters and most parts of a value that is given out as JSON beside its printed form. */
const maxJsonChars = 1_000_000;
const maxJsonParts = 20_000;

/** The JSON text of a value that has that form without loss: plain objects and arrays of texts, finite numbers, … */
export function losslessJson(value: unknown): string | undefined {
  const changed = hasOwn(objectPrototype, "toJSON") || hasOwn(arrayPrototype, "toJSON");
  if (changed && typeof value === "object") return undefined;
  const budget = { chars: maxJsonChars, parts: maxJsonParts };
  if (!isPlain(value, budget, 0)) return undefined;
  const result = stringify(value);
  return result !== undefined && result.length <= maxJsonChars * 2 ? result : undefined;
}

function isPlain(value: unknown, budget: { chars: number; parts: number }, depth: number): boolean {
  budget.parts -= 1;
  if (budget.parts < 0 || budget.chars < 0 || depth > 100) return false;
  switch (typeof value) {
    case "string":
      budget.chars -= value.length;
      return budget.chars >= 0;
    case "boolean":
      return true;
    case "number":
      return isFiniteNumber(value);
    case "object":
      return value === null || isPlainObject(value, budget, depth);
    default:
      return false;
  }
}

function isPlainObject(value: object, budget: { chars: number; parts: number }, depth: number): boolean {
  const prototype = getPrototypeOf(value);
  const list = isArray(value);
  if (list ? prototype !== arrayPrototype : prototype !== objectPrototype && prototype !== null) return false;
  if (list && value.length > budget.parts) return false;
  const keys = ownKeys(value);
  // An array's keys are its items and `length`; with holes there are fewer, with other properties more.
  if (list && keys.length !== value.length + 1) return false;
  for (let index = 0; index < keys.length; index += 1) {
    const key = keys[index] as string | symbol;
    if (typeof key === "symbol") return false;
    if (list && key === "length") continue;
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor === undefined || descriptor.get !== undefined || descriptor.set !== undefined)
      return false;
    if (descriptor.enumerable !== true || key === "toJSON") return false;
    budget.chars -= key.length;
    if (!isPlain(descriptor.value, budget, depth + 1)) return false;
  }
  return true;
}

/** Texts from this length on are handed over as they are: that is several times faster than as JSON. */
const longText = 500;

/**
 * The call of a host function as it leaves the guest: name, arguments as a JSON array, the error for a failure, and then
 * the long texts, each behind its index in the array, which has null there.
 *
 * As `JSON.stringify`, but what would silently become something else is an error that says where it stands.
 */
export function encodeCall(
  name: string,
  args: unknown[],
  failure: Error,
  promiseState: (value: unknown) => number,
): unknown[] {
  let last = args.length;
  // A missing argument and an undefined one at the end are the same.
  while (last > 0 && args[last - 1] === undefined) last -= 1;
  const parts = newList<string>();
  const call = newList<unknown>();
  call[0] = name;
  call[2] = failure;
  for (let index = 0; index < last; index += 1) {
    const value = args[index];
    if (
      typeof value === "string" &&
      value.length >= longText &&
      isWellFormed(value) &&
      !includes(value, "\0")
    ) {
      parts[index] = "null";
      call[call.length] = index;
      call[call.length] = value;
    } else {
      parts[index] = encode(value, `${name}: argument ${index + 1}`, promiseState);
    }
  }
  call[1] = `[${join(parts, ",")}]`;
  return call;
}

function encode(value: unknown, where: string, promiseState: (value: unknown) => number): string {
  if (typeof value === "string" || typeof value === "boolean" || value === null)
    return stringify(value) ?? "null";
  let top = true;
  let problem = "";
  function check(this: object, key: string, item: unknown): unknown {
    const what = problemOf(item, !top && !isArray(this), promiseState);
    if (what !== undefined) {
      problem = top ? `${where} is ${what}` : `${where} has at "${slice(key, 0, 60)}" ${what}`;
      throw new TypeErrorClass(problem);
    }
    top = false;
    return item;
  }
  try {
    return stringify(value, check) ?? "null";
  } catch (error) {
    if (problem === "" && inheritedText(error as object, "message") === "circular reference") {
      throw new TypeErrorClass(`${where} contains itself: JSON has no circles`);
    }
    throw error;
  }
}

/** Why a value has no place in JSON. */
function problemOf(
  item: unknown,
  isProperty: boolean,
  promiseState: (value: unknown) => number,
): string | undefined {
  switch (typeof item) {
    case "undefined":
      // A property that is undefined is one that is missing.
      return isProperty ? undefined : "undefined, which JSON does not have";
    case "bigint":
      return "a bigint, which JSON does not have: use Number() or String()";
    case "function":
    case "symbol":
      return `a ${typeof item}, which JSON does not have`;
    case "number":
      return isFiniteNumber(item) ? undefined : `${text(item)}, which JSON does not have`;
    case "object":
      return item === null ? undefined : objectProblem(item, promiseState);
    default:
      return undefined;
  }
}

function objectProblem(item: object, promiseState: (value: unknown) => number): string | undefined {
  if (promiseState(item) > 0) return `a Promise (${promiseHint})`;
  switch (tagOf(item)) {
    case "[object Map]":
      return "a Map, which JSON does not have: use Object.fromEntries(map)";
    case "[object Set]":
      return "a Set, which JSON does not have: use [...set]";
    case "[object Error]":
      return "an Error, which JSON does not have: use its message";
    default:
      return undefined;
  }
}
