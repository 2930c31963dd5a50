import { bracketEnd, quotesClosing, skipSpace, stringEnd } from "./json-scan.js";
import { parseLooseJson } from "./loose-json.js";
import { acceptsText, type ParametersSchema } from "./parameters-schema.js";
import { typedValue } from "./typed-value.js";

/** A call written as code: a name, and what stands between its brackets. */
export interface WrittenCall {
  name: string;
  inside: string;
  /** The index after the closing bracket. */
  end: number;
}

const callStart = /\s*[`*]{0,3}([\p{L}_][\p{L}\p{N}_.-]{0,127})[`*]{0,3}\s*([([])/uy;

/** Reads `name(…)` or `name[…]` (the form of the ReAct paper) that begins at `start`; undefined when none does. */
export function readCall(text: string, start: number, limit: number = text.length): WrittenCall | undefined {
  callStart.lastIndex = start;
  const match = callStart.exec(text);
  if (match === null) return undefined;
  const open = start + match[0].length - 1;
  const end = bracketEnd(text, open, limit);
  return end < 0 ? undefined : { name: match[1] ?? "", inside: text.slice(open + 1, end - 1).trim(), end };
}

/** What was written between the brackets of a call: an object of arguments, or text for the caller to make sense of. */
export type CallArguments =
  | { ok: true; arguments: Record<string, unknown> | string }
  | { ok: false; reason: string };

const keyword = /\s*([\p{L}_][\p{L}\p{N}_-]*)\s*=(?!=)/uy;

/**
 * Reads the arguments of a call as code has them: `key=value, …`, one object, one string, or nothing. Several values
 * without names are refused, because their order says nothing certain.
 */
export function readCallArguments(inside: string, schema: ParametersSchema | undefined): CallArguments {
  if (inside.trim() === "") return { ok: true, arguments: {} };
  const parts = splitArguments(inside);
  const named = parts.map((part) => readKeyword(part));
  if (named.every((entry) => entry !== undefined) && namesFit(named, schema)) {
    const values = named.map(
      ({ name, value }) => [name, readValue(value, propertyOf(schema, name))] as const,
    );
    const bad = values.find(([, value]) => value === undefined);
    if (bad !== undefined)
      return { ok: false, reason: `The value of ${bad[0]} is not a value that can be read.` };
    return { ok: true, arguments: Object.fromEntries(values) };
  }
  const quoted = parts.filter((part) => quotesClosing(part.trim()[0] ?? "") !== undefined);
  if (parts.length === 1 && quoted.length === 1) {
    const read = parseLooseJson(inside);
    return { ok: true, arguments: read.ok && typeof read.value === "string" ? read.value : inside };
  }
  // Two strings for a tool with one text: which of them is meant?
  if (parts.length > 1 && quoted.length === parts.length) {
    return { ok: false, reason: "Several values without names: write the arguments as a JSON object." };
  }
  return { ok: true, arguments: inside };
}

/** Cuts a list of arguments at its outer commas. */
function splitArguments(inside: string): string[] {
  const parts: string[] = [];
  let from = 0;
  let dead = false;
  for (let at = 0; at < inside.length; at += 1) {
    const char = inside[at] ?? "";
    if (char === ",") {
      parts.push(inside.slice(from, at));
      from = at + 1;
    } else if (!dead && ("{[(".includes(char) || quotesClosing(char) !== undefined)) {
      const end = "{[(".includes(char) ? bracketEnd(inside, at) : stringEnd(inside, at);
      if (end < 0) dead = true;
      else at = end - 1;
    }
  }
  parts.push(inside.slice(from));
  // Python allows a comma after the last argument.
  if (parts.length > 1 && parts.at(-1)?.trim() === "") parts.pop();
  return parts;
}

function readKeyword(part: string): { name: string; value: string } | undefined {
  keyword.lastIndex = 0;
  const match = keyword.exec(part);
  return match === null ? undefined : { name: match[1] ?? "", value: part.slice(match[0].length).trim() };
}

/** Whether the names are parameters; `x=2` is one argument of a call, or an equation for a calculator. */
function namesFit(named: readonly { name: string }[], schema: ParametersSchema | undefined): boolean {
  const properties = schema?.properties;
  return properties === undefined || named.every(({ name }) => Object.hasOwn(properties, name));
}

function propertyOf(schema: ParametersSchema | undefined, name: string): ParametersSchema | undefined {
  const properties = schema?.properties;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

function readValue(text: string, schema: ParametersSchema | undefined): unknown {
  const read = parseLooseJson(text);
  if (read.ok) return read.value;
  const first = text[skipSpace(text, 0)] ?? "";
  if (first === "" || quotesClosing(first) !== undefined || "{[".includes(first) || !acceptsText(schema))
    return undefined;
  return typedValue(text, schema);
}
