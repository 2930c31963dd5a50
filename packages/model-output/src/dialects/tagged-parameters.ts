import type { ParametersSchema } from "../parameters-schema.js";
import { typedValue } from "../typed-value.js";

/** Parameters read from marks, and whether there were any. */
export type TaggedParameters = Record<string, unknown> | undefined;

type Entries = [string, string][];

/**
 * Reads the parameters in the body of a call, in the first form that fits:
 *
 * - `<arg_key>k</arg_key><arg_value>v</arg_value>` (GLM 4.5 and later);
 * - `<parameter=k>v</parameter>` (Qwen3-Coder, Seed-OSS, Llama) and `<parameter name="k">v</parameter>` (Anthropic,
 *   MiniMax M2, DeepSeek V3.2);
 * - `$k=v`, as OpenHands agents of OpenJarvis are told;
 * - `<k>v</k>`;
 * - `k: v` lines.
 *
 * The schema tells parameters from other text and gives the values their types. Undefined when no form fits.
 */
export function readTaggedParameters(body: string, schema: ParametersSchema | undefined): TaggedParameters {
  const entries =
    readKeyValuePairs(body) ??
    readParameterElements(body) ??
    readDollarPairs(body, schema) ??
    readElements(body, schema) ??
    readLines(body, schema);
  if (entries === undefined) return undefined;
  return Object.fromEntries(entries.map(([key, value]) => [key, typedValue(value, propertyOf(schema, key))]));
}

function propertyOf(schema: ParametersSchema | undefined, key: string): ParametersSchema | undefined {
  const properties = schema?.properties;
  return properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
}

function isParameter(schema: ParametersSchema | undefined, key: string): boolean {
  return schema?.properties === undefined || Object.hasOwn(schema.properties, key);
}

const argument = /<arg_key>([^<]*)<\/arg_key>\s*<arg_value>/g;

function readKeyValuePairs(body: string): Entries | undefined {
  return readOpened(body, argument, "</arg_value>", (value) => value);
}

const parameter =
  /<(?:[｜|]DSML[｜|])?(?:antml:|minimax:)?parameter\s*(?:=\s*["']?([^"'<>\s]+)["']?|\s+name\s*=\s*["']?([^"'<>\s]+)(?=["'\s>])[^<>]*)>/g;
const parameterEnd = /<\/(?:[｜|]DSML[｜|])?(?:antml:|minimax:)?parameter>/g;

function readParameterElements(body: string): Entries | undefined {
  return readOpened(body, parameter, parameterEnd, trimLineBreaks);
}

/** Pairs of an opening mark with a key and a value up to a closing mark, or to the next opening one. */
function readOpened(
  body: string,
  opener: RegExp,
  closer: string | RegExp,
  clean: (value: string) => string,
): Entries | undefined {
  const entries: Entries = [];
  const openers = [...body.matchAll(opener)];
  const ends =
    typeof closer === "string" ? undefined : [...body.matchAll(closer)].map((match) => match.index);
  let nextEnd = 0;
  let from = 0;
  let missing = false;
  for (const [index, match] of openers.entries()) {
    // A mark inside the value before is part of that value.
    if (match.index < from) continue;
    const start = match.index + match[0].length;
    let end = -1;
    if (ends !== undefined) {
      while ((ends[nextEnd] ?? Number.POSITIVE_INFINITY) < start) nextEnd += 1;
      end = ends[nextEnd] ?? -1;
    } else if (!missing) end = body.indexOf(closer as string, start);
    missing ||= end < 0;
    const stop = end < 0 ? (openers[index + 1]?.index ?? body.length) : end;
    const value = body.slice(start, stop);
    entries.push([(match[1] ?? match[2] ?? "").trim(), clean(end < 0 ? value.trimEnd() : value)]);
    from = stop;
  }
  return entries.length === 0 ? undefined : entries;
}

/** Templates set a value on lines of its own: one line break at each end is the template's. */
function trimLineBreaks(value: string): string {
  const lineBreak = value.startsWith("\r\n") ? "\r\n" : "\n";
  const start = value.startsWith(lineBreak) ? lineBreak.length : 0;
  const end =
    value.endsWith(lineBreak) && value.length > start ? value.length - lineBreak.length : value.length;
  return value.slice(start, end);
}

const dollar = /(^|\s)\$([A-Za-z_]\w*)\s*=/g;

function readDollarPairs(body: string, schema: ParametersSchema | undefined): Entries | undefined {
  const all = [...body.matchAll(dollar)].filter((match) => isParameter(schema, match[2] ?? ""));
  // Where several pairs begin lines, a pair in the middle of a line is part of a value.
  const atLine = all.filter((match) => match[1] !== " " && match[1] !== "\t");
  const openers = atLine.length > 1 ? atLine : all;
  if (openers.length === 0) return undefined;
  return openers.map((match, index) => {
    const end = openers[index + 1]?.index ?? body.length;
    return [match[2] ?? "", trimTagEnd(body.slice(match.index + match[0].length, end))];
  });
}

/** Without white space around it and without half a tag at its end. */
function trimTagEnd(value: string): string {
  let end = value.length;
  while (end > 0 && /[<>\s]/.test(value[end - 1] ?? "")) end -= 1;
  return value.slice(0, end).trimStart();
}

const tag = /<(\/?)([A-Za-z_][\w.-]*)>/g;

function readElements(body: string, schema: ParametersSchema | undefined): Entries | undefined {
  const tags = [...body.matchAll(tag)];
  /** The closing tags of each name, the last first. */
  const ends = new Map<string, number[]>();
  for (const match of tags.toReversed()) {
    const name = match[2] ?? "";
    if (match[1] !== "/") continue;
    const known = ends.get(name);
    if (known === undefined) ends.set(name, [match.index]);
    else known.push(match.index);
  }
  const entries: Entries = [];
  let from = 0;
  for (const match of tags) {
    const name = match[2] ?? "";
    if (match[1] === "/" || match.index < from || !isParameter(schema, name)) continue;
    const start = match.index + match[0].length;
    const closing = ends.get(name) ?? [];
    while ((closing.at(-1) ?? Number.POSITIVE_INFINITY) < start) closing.pop();
    const end = closing.at(-1);
    if (end === undefined) continue;
    entries.push([name, trimLineBreaks(body.slice(start, end))]);
    from = end;
  }
  return entries.length === 0 ? undefined : entries;
}

const line = /(?<![^\r\n])[ \t]*(?:[-*][ \t]*)?["']?([A-Za-z_][\w-]*)["']?[ \t]*:[ \t]*/g;

function readLines(body: string, schema: ParametersSchema | undefined): Entries | undefined {
  const openers = [...body.matchAll(line)].filter((match) => isParameter(schema, match[1] ?? ""));
  if (openers.length === 0) return undefined;
  return openers.map((match, index) => {
    const end = openers[index + 1]?.index ?? body.length;
    const value = body.slice(match.index + match[0].length, end).trim();
    return [match[1] ?? "", /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value];
  });
}
