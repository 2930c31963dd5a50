import { readCall, readCallArguments } from "../call-syntax.js";
import { skipSpace } from "../json-scan.js";
import { isObject } from "../strict-json.js";
import { readCallObjects } from "./call-objects.js";
import type { FoundCall } from "./found.js";
import { readTaggedParameters } from "./tagged-parameters.js";
import { type TokenContext, type TokenReading, unreadable } from "./token-reading.js";

/** `<tool_call>` with a JSON object, or with a name and its parameters. */
export function readElement(context: TokenContext, mark: RegExpExecArray): TokenReading | undefined {
  const { text, reply } = context;
  const from = mark.index + mark[0].length;
  const start = skipSpace(text, from);
  // Around another call it is a container.
  if (/^<(?:function[=\s]|(?:antml:|minimax:)?invoke\s)/.test(text.slice(start, start + 24)))
    return { kind: "container" };
  const { close, end, complete } = elementEnd(context, mark[0], from);
  if (text[start] === "{" || text[start] === "[") {
    const json = context.search.json(start, complete ? close : -1);
    if (!json.ok) return unreadable(mark[0], json.reason, complete);
    const objects = readCallObjects(json.value, reply, text.slice(mark.index, Math.max(end, json.end)));
    if (objects?.kind !== "calls") {
      const reason = `The object behind ${mark[0]} names no tool: it needs "name" and "arguments".`;
      return { kind: "malformed", reason, complete: true };
    }
    return {
      kind: "calls",
      calls: objects.calls,
      end: Math.max(complete ? end : 0, pastText(text, json.end, mark[0].replace("<", "</"))),
      complete: true,
    };
  }
  const call = readBody(context, text.slice(start, close));
  if (call === undefined) return undefined;
  return { kind: "calls", calls: [{ ...call, raw: text.slice(mark.index, end) }], end, complete };
}

/** `<function=NAME>` with parameters or with a JSON object. */
export function readFunctionElement(context: TokenContext, mark: RegExpExecArray): TokenReading | undefined {
  const name = mark.groups?.functionName ?? "";
  return readNamedElement(context, mark, { name, opening: "<function", closing: "</function>" });
}

/** `<invoke name="NAME">` with parameters. */
export function readInvoke(context: TokenContext, mark: RegExpExecArray): TokenReading | undefined {
  const { invokePrefix = "", invokeName: name = "" } = mark.groups ?? {};
  const tag = `${invokePrefix}invoke`;
  return readNamedElement(context, mark, { name, opening: `<${tag}`, closing: `</${tag}>` });
}

function readNamedElement(
  { text, search, reply }: TokenContext,
  mark: RegExpExecArray,
  { name, opening, closing }: { name: string; opening: string; closing: string },
): TokenReading | undefined {
  const start = mark.index + mark[0].length;
  const close = search.find(closing, start);
  const next = search.find(opening, start);
  const isClosed = close >= 0 && (next < 0 || close < next);
  const stop = isClosed ? close : next >= 0 ? next : text.length;
  const first = skipSpace(text, start);
  if (text[first] === "{") {
    const json = search.json(first, isClosed ? close : -1);
    if (!json.ok) return unreadable(mark[0], json.reason, isClosed);
    const end = pastText(text, json.end, closing);
    const call = { name, input: json.value, raw: text.slice(mark.index, end) };
    return { kind: "calls", calls: [call], end, complete: true };
  }
  const body = text.slice(start, stop);
  const parameters = readTaggedParameters(body, reply.parameters(name));
  const rest = body.trim();
  if (parameters === undefined && !isClosed && !reply.knows(name)) return undefined;
  const end = isClosed ? pastText(text, close + closing.length, "</tool_call>") : stop;
  const call = { name, input: parameters ?? (rest === "" ? {} : rest), raw: text.slice(mark.index, end) };
  return { kind: "calls", calls: [call], end, complete: isClosed };
}

/** A body that is no JSON: `calculator` with parameters in marks, lines, brackets, or as plain text. */
function readBody({ reply }: TokenContext, body: string): Omit<FoundCall, "raw"> | undefined {
  const match = /^[`"']?([\p{L}_][\p{L}\p{N}_.:-]{0,127})[`"']?/u.exec(body);
  if (match === null) return readNameElement(body);
  const written = match[1] ?? "";
  // `name: value` lines may begin right behind the name.
  const name = written.replace(/[.:]+$/, "");
  const parameters = reply.parameters(name);
  const call = readCall(body, 0);
  if (call !== undefined && body.slice(call.end).trim() === "") {
    const read = readCallArguments(call.inside, parameters);
    if (read.ok) return { name, input: read.arguments };
    return { name, input: call.inside, problem: read.reason };
  }
  const rest = body.slice(match[0].length).trim();
  const tagged = rest.startsWith("{") ? undefined : readTaggedParameters(rest, parameters);
  if (!reply.knows(name) && tagged === undefined && !rest.startsWith("{")) return undefined;
  return { name, input: tagged ?? rest };
}

/** `<name>calculator</name><arguments>{…}</arguments>` */
function readNameElement(body: string): Omit<FoundCall, "raw"> | undefined {
  const fields = readTaggedParameters(body, undefined);
  if (fields === undefined) return undefined;
  const name = fields.name ?? fields.tool_name ?? fields.function;
  const input = fields.arguments ?? fields.parameters ?? fields.input;
  if (typeof name !== "string" || !(input === undefined || typeof input === "string" || isObject(input)))
    return undefined;
  return { name: name.trim(), input };
}

/** Where an element ends: at its own closing tag, at one that has the tool's name, or where the next one begins. */
function elementEnd(
  { text, search, reply }: TokenContext,
  opening: string,
  from: number,
): { close: number; end: number; complete: boolean } {
  const closing = opening.replace("<", "</");
  const next = search.find(opening, from);
  const limit = next < 0 ? text.length : next;
  const close = search.find(closing, from);
  if (close >= 0 && close < limit) return { close, end: close + closing.length, complete: true };
  const name = /^\s*([\w.-]{1,128})/.exec(text.slice(from, from + 200))?.[1] ?? "";
  const other = reply.knows(name) ? search.find(`</${name}>`, from) : -1;
  if (other >= 0 && other < limit) return { close: other, end: other + name.length + 3, complete: true };
  return { close: limit, end: limit, complete: false };
}

/** The index after a text that may stand at `from`, white space aside. */
function pastText(text: string, from: number, wanted: string): number {
  const at = skipSpace(text, from);
  return text.startsWith(wanted, at) ? at + wanted.length : from;
}
