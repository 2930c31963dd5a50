import {
  bufferLength,
  dateText,
  dateTime,
  functionText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  includes,
  isArray,
  isInteger,
  join,
  mapForEach,
  mapSize,
  matchPattern,
  min,
  newList,
  ownKeys,
  ownValue,
  patternText,
  quote,
  replaceAll,
  setForEach,
  setSize,
  slice,
  startsWith,
  symbolText,
  tagOf,
  text,
  toStringTag,
  typedArrayTag,
} from "./intrinsics.js";
import { errorLine, ownText } from "./texts.js";

const maxDepth = 4;
const maxItems = 100;
const maxNested = 1_000;
const lineWidth = 76;

/** The hint that stands behind a promise which was printed. */
export const promiseHint = "this is a Promise: did you forget await?";

/** Characters that are left; what comes after is not looked at. */
interface Budget {
  left: number;
}

interface Work {
  budget: Budget;
  /** The objects around, to find circles. */
  around: object[];
  promiseState: (value: unknown) => number;
}

/**
 * A value as a console prints it. Bounded in depth (4), items of a collection (100), length of nested texts (1,000) and
 * in all; runs no getter. Throws what a trap of a Proxy throws.
 */
export function inspect(value: unknown, maxChars: number, promiseState: (value: unknown) => number): string {
  const work = { budget: { left: maxChars }, around: newList<object>(), promiseState };
  return typeof value === "string" ? showText(value, maxChars) : show(value, work);
}

function show(value: unknown, work: Work): string {
  const shown = showAny(value, work);
  work.budget.left -= shown.length;
  return shown;
}

function showAny(value: unknown, work: Work): string {
  switch (typeof value) {
    case "string":
      return showText(value, min(maxNested, work.budget.left));
    case "number":
      return value === 0 && 1 / value < 0 ? "-0" : text(value);
    case "bigint":
      return `${value}n`;
    case "symbol":
      return symbolText(value);
    case "function":
      return withProperties(value, functionName(value), work);
    case "object":
      return value === null ? "null" : showObject(value, work);
    default:
      return text(value);
  }
}

function showText(value: string, maxChars: number): string {
  const cut = value.length > maxChars ? slice(value, 0, maxChars) : value;
  const body = slice(quote(cut), 1, -1);
  const single = !includes(cut, "'");
  const shown = single
    ? `'${replaceAll(body, '\\"', '"')}'`
    : includes(cut, '"')
      ? `'${escapeQuotes(body)}'`
      : `"${body}"`;
  return cut === value ? shown : `${shown}… ${value.length - cut.length} more characters`;
}

function escapeQuotes(body: string): string {
  return replaceAll(replaceAll(body, '\\"', '"'), "'", "\\'");
}

function functionName(value: object): string {
  const source = functionText(value as () => void);
  const name = ownText(value, "name");
  if (startsWith(source, "class")) return name === "" ? "[class (anonymous)]" : `[class ${name}]`;
  const tag = slice(tagOf(value), 8, -1);
  return name === "" ? `[${tag} (anonymous)]` : `[${tag}: ${name}]`;
}

function showObject(value: object, work: Work): string {
  for (let index = 0; index < work.around.length; index += 1)
    if (work.around[index] === value) return "[Circular]";
  if (work.promiseState(value) > 0) return showPromise(value, work);
  const tag = slice(tagOf(value), 8, -1);
  if (isArray(value)) return deep("[Array]", work, value, () => showArray(value, "", work));
  try {
    switch (tag) {
      case "Map":
        return deep("[Map]", work, value, () => showMap(value as Map<unknown, unknown>, work));
      case "Set":
        return deep("[Set]", work, value, () => showSet(value as Set<unknown>, work));
      case "Date":
        return withProperties(
          value,
          isInteger(dateTime(value as Date)) ? dateText(value as Date) : "Invalid Date",
          work,
        );
      case "RegExp":
        return withProperties(value, patternText(value as RegExp), work);
      case "Error":
        return `[${errorLine(value)}]`;
      case "ArrayBuffer":
        return `ArrayBuffer { byteLength: ${bufferLength(value)} }`;
      case "WeakMap":
      case "WeakSet":
      case "WeakRef":
        return `${tag} { <items unknown> }`;
    }
    if (typedArrayTag(value) === tag) {
      const list = value as ArrayLike<unknown>;
      return deep(`[${tag}]`, work, value, () => showArray(list, `${tag}(${list.length}) `, work));
    }
  } catch {
    // Its tag lies, or it is a Proxy: it is shown as an ordinary object.
  }
  return deep("[Object]", work, value, () => withProperties(value, objectPrefix(value, tag), work, true));
}

function deep(shallow: string, work: Work, value: object, showDeep: () => string): string {
  if (work.around.length >= maxDepth) return shallow;
  if (work.budget.left <= 0) return "…";
  work.around[work.around.length] = value;
  try {
    return showDeep();
  } finally {
    work.around.length -= 1;
  }
}

/** `Name ` for an instance of a class, `[Object: null prototype] ` for none. */
function objectPrefix(value: object, tag: string): string {
  const prototype = getPrototypeOf(value);
  if (prototype === null) return "[Object: null prototype] ";
  const maker = ownValue(prototype, "constructor");
  const name = typeof maker === "function" ? ownText(maker, "name") : "";
  const prefix = name === "" || name === "Object" ? "" : `${name} `;
  return tag === "Object" || tag === name ? prefix : `${name === "" ? "Object" : name} [${tag}] `;
}

function showPromise(value: object, work: Work): string {
  const state = work.promiseState(value);
  const shown = state === 1 ? "<pending>" : state === 2 ? "<fulfilled>" : "<rejected>";
  return `Promise { ${shown} } (${promiseHint})`;
}

function showArray(value: ArrayLike<unknown>, prefix: string, work: Work): string {
  const items = newList<string>();
  const shown = min(value.length, maxItems);
  let simple = true;
  for (let index = 0; index < shown && work.budget.left > 0; index += 1) {
    if (!hasOwn(value, index)) {
      let end = index + 1;
      while (end < shown && !hasOwn(value, end)) end += 1;
      // An array that is nothing but length is not walked through.
      const holes = end === maxItems && value.length > maxItems ? value.length - index : end - index;
      items[items.length] = `<${holes} empty item${holes === 1 ? "" : "s"}>`;
      index = holes === value.length - index ? value.length : end - 1;
      continue;
    }
    const item = ownValue(value, index);
    simple &&= typeof item !== "object" || item === null;
    items[items.length] = showProperty(getOwnPropertyDescriptor(value, index), work);
  }
  const rest = value.length - shown;
  if (work.budget.left <= 0) items[items.length] = "…";
  else if (rest > 0 && hasOwn(value, maxItems)) {
    items[items.length] = `… ${rest} more item${rest === 1 ? "" : "s"}`;
  }
  return prefix + enclose("[", items, "]", simple);
}

function showMap(value: Map<unknown, unknown>, work: Work): string {
  const items = newList<string>();
  let seen = 0;
  mapForEach(value, (item, key) => {
    seen += 1;
    if (seen > maxItems || work.budget.left <= 0) return;
    items[items.length] = `${show(key, work)} => ${show(item, work)}`;
  });
  return `Map(${mapSize(value)}) ${enclose("{", withRest(items, mapSize(value)), "}", false)}`;
}

function showSet(value: Set<unknown>, work: Work): string {
  const items = newList<string>();
  let seen = 0;
  setForEach(value, (item) => {
    seen += 1;
    if (seen > maxItems || work.budget.left <= 0) return;
    items[items.length] = show(item, work);
  });
  return `Set(${setSize(value)}) ${enclose("{", withRest(items, setSize(value)), "}", false)}`;
}

function withRest(items: string[], size: number): string[] {
  const rest = size - items.length;
  if (rest > 0) items[items.length] = `… ${rest} more item${rest === 1 ? "" : "s"}`;
  return items;
}

/** `prefix` and the own enumerable properties; with `always`, braces even when there are none. */
function withProperties(value: object, prefix: string, work: Work, always = false): string {
  const items = newList<string>();
  const keys = ownKeys(value);
  let left = 0;
  for (let index = 0; index < keys.length; index += 1) {
    if (items.length >= maxItems || work.budget.left <= 0) {
      left = keys.length - index;
      break;
    }
    const key = keys[index] as string | symbol;
    const descriptor = getOwnPropertyDescriptor(value, key);
    if (descriptor?.enumerable !== true || key === toStringTag) continue;
    items[items.length] = `${showKey(key)}: ${showProperty(descriptor, work)}`;
  }
  if (left > 0) items[items.length] = `… ${left} more`;
  if (items.length === 0 && !always) return prefix;
  return `${prefix}${always ? "" : " "}${enclose("{", items, "}", false)}`;
}

function showProperty(descriptor: PropertyDescriptor | undefined, work: Work): string {
  if (descriptor === undefined) return "undefined";
  if (hasOwn(descriptor, "value")) return show(descriptor.value, work);
  if (descriptor.get === undefined) return "[Setter]";
  return descriptor.set === undefined ? "[Getter]" : "[Getter/Setter]";
}

function showKey(key: string | symbol): string {
  if (typeof key === "symbol") return `[${symbolText(key)}]`;
  return matchPattern(/^[A-Za-z_$][\w$]*$/, key) !== null ? key : showText(key, maxNested);
}

/** Items on one line if they fit; else texts and numbers as many to a line as fit, other things one a line. */
function enclose(open: string, items: string[], close: string, fill: boolean): string {
  if (items.length === 0) return open + close;
  const line = join(items, ", ");
  if (line.length <= lineWidth && !includes(line, "\n")) return `${open} ${line} ${close}`;
  const lines = newList<string>();
  let current = "";
  for (let index = 0; index < items.length; index += 1) {
    const item = replaceAll(items[index] ?? "", "\n", "\n  ") + (index === items.length - 1 ? "" : ",");
    if (current !== "" && fill && current.length + item.length < lineWidth) {
      current += ` ${item}`;
      continue;
    }
    if (current !== "") lines[lines.length] = current;
    current = item;
  }
  lines[lines.length] = current;
  return `${open}\n  ${join(lines, "\n  ")}\n${close}`;
}
