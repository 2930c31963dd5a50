import { JarvisError } from "@openjarvis/core";
import { scanToml, type TomlEntry } from "./toml-scanner.js";

/**
 * A TOML text with one key set to a literal, or removed when there is none. Everything else stays byte for byte: the
 * key keeps its place, a new one goes to the end of its section, and a new section to the end of the text.
 */
export function setInToml(text: string, path: readonly string[], literal: string | undefined): string {
  const entries = scanToml(text);
  const existing = entries.find(({ kind, path: found }) => kind === "value" && isSame(found, path));
  if (existing !== undefined) {
    if (literal === undefined)
      return existing.inline ? removeInline(text, existing) : removeLines(text, existing);
    return text.slice(0, existing.valueStart) + literal + text.slice(existing.end);
  }
  if (literal === undefined) return text;
  const parent = path.slice(0, -1);
  const name = path.slice(-1);
  const inlineParent = entries.findLast(
    (entry) => entry.kind === "value" && startsWith(path, entry.path) && text[entry.valueStart] === "{",
  );
  if (inlineParent !== undefined) {
    const pair = `${toTomlKey(path.slice(inlineParent.path.length))} = ${literal}`;
    return insertInline(text, entries, inlineParent, pair);
  }
  const header = entries.find(({ kind, path: found }) => kind === "table" && isSame(found, parent));
  if (header !== undefined) return insertUnder(text, entries, header, `${toTomlKey(name)} = ${literal}`);
  // A table made by dotted keys may not be opened again with a header.
  const dotted = entries.findLast(
    ({ kind, inline, depth, path: found }) =>
      kind === "value" && !inline && depth < parent.length && startsWith(found, parent),
  );
  if (dotted !== undefined) {
    return insertAfter(text, dotted, `${toTomlKey(path.slice(dotted.depth))} = ${literal}`);
  }
  const eol = eolOf(text);
  const separator =
    text === "" ? "" : /\n[ \t]*\r?\n$/.test(text) ? "" : text.endsWith("\n") ? eol : eol + eol;
  return `${text}${separator}[${toTomlKey(parent)}]${eol}${toTomlKey(name)} = ${literal}${eol}`;
}

/** A value as TOML writes it. Throws `OJ_CONFIG_VALUE` for what TOML cannot hold. */
export function toTomlValue(value: unknown): string {
  if (typeof value === "string") return toTomlText(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value === "number" && Number.isFinite(value)) {
    if (Number.isSafeInteger(value) || !Number.isInteger(value)) return String(value);
  }
  if (Array.isArray(value)) return `[${value.map(toTomlValue).join(", ")}]`;
  if (typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    const items = Object.entries(value).map(([key, item]) => `${toTomlKey([key])} = ${toTomlValue(item)}`);
    return items.length === 0 ? "{}" : `{ ${items.join(", ")} }`;
  }
  throw new JarvisError("OJ_CONFIG_VALUE", `A config file cannot hold ${String(value)}.`, {
    hint: "It holds texts, numbers, true and false, and lists and tables of these.",
  });
}

function toTomlText(text: string): string {
  if (!/\p{Surrogate}/u.test(text)) return JSON.stringify(text).replaceAll("\u007f", "\\u007f");
  throw new JarvisError("OJ_CONFIG_VALUE", "A config file cannot hold a text with half a character.");
}

function toTomlKey(parts: readonly string[]): string {
  return parts.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : toTomlText(part))).join(".");
}

function insertUnder(text: string, entries: readonly TomlEntry[], header: TomlEntry, line: string): string {
  const next = entries.find(({ kind, start }) => kind !== "value" && start > header.start);
  const own = entries.filter(
    ({ kind, inline, start }) =>
      kind === "value" && !inline && start > header.start && (next === undefined || start < next.start),
  );
  return insertAfter(text, own.at(-1) ?? header, line);
}

/** A line after the line an entry ends on, indented as the entry is. */
function insertAfter(text: string, entry: TomlEntry, line: string): string {
  const lineStart = text.lastIndexOf("\n", entry.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, entry.start))?.[0] ?? "";
  const newline = text.indexOf("\n", entry.end);
  const eol = eolOf(text);
  if (newline < 0) return `${text}${eol}${indent}${line}${eol}`;
  return `${text.slice(0, newline + 1)}${indent}${line}${eol}${text.slice(newline + 1)}`;
}

function insertInline(text: string, entries: readonly TomlEntry[], parent: TomlEntry, pair: string): string {
  const depth = parent.path.length;
  const last = entries.findLast(
    (entry) =>
      entry.inline && entry.depth === depth && entry.start > parent.valueStart && entry.end < parent.end,
  );
  if (last === undefined) return `${text.slice(0, parent.valueStart)}{ ${pair} }${text.slice(parent.end)}`;
  return `${text.slice(0, last.end)}, ${pair}${text.slice(last.end)}`;
}

function removeLines(text: string, entry: TomlEntry): string {
  const lineStart = text.lastIndexOf("\n", entry.start - 1) + 1;
  const newline = text.indexOf("\n", entry.end);
  return text.slice(0, lineStart) + (newline < 0 ? "" : text.slice(newline + 1));
}

/** Takes out the pair with the comma after it, or, for the last one, the comma before it. */
function removeInline(text: string, entry: TomlEntry): string {
  const after = /^\s*,[ \t]*/.exec(text.slice(entry.end));
  if (after !== null) return text.slice(0, entry.start) + text.slice(entry.end + after[0].length);
  const before = /,\s*$/.exec(text.slice(0, entry.start));
  const start = before === null ? entry.start : before.index;
  return text.slice(0, start) + text.slice(entry.end);
}

function eolOf(text: string): string {
  return text.includes("\r\n") ? "\r\n" : "\n";
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && startsWith(left, right);
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((part, index) => path[index] === part);
}
