import { skipSpace } from "../json-scan.js";
import { isObject } from "../strict-json.js";
import { readCallObjects } from "./call-objects.js";
import { type FoundCall, maxCalls } from "./found.js";
import { type TokenContext, type TokenReading, unreadable } from "./token-reading.js";

/** `[TOOL_CALLS]` with a list of calls, or with a name and its arguments. */
export function readMistral(context: TokenContext, mark: RegExpExecArray): TokenReading | undefined {
  const { text, search } = context;
  const after = mark.index + mark[0].length;
  const first = text[skipSpace(text, after)];
  if (first === "[" || first === "{") return readJsonList(context, mark);
  const named = /\s*([\w.-]{1,128})\s*(?:\[CALL_ID\][^[\]]{0,64})?(?:\[ARGS\])?\s*(?=\{)/y;
  named.lastIndex = after;
  const match = named.exec(text);
  if (match === null) return undefined;
  const json = search.json(after + match[0].length, -1);
  if (!json.ok) return unreadable(mark[0], json.reason, false);
  const call = { name: match[1] ?? "", input: json.value, raw: text.slice(mark.index, json.end) };
  return { kind: "calls", calls: [call], end: json.end, complete: true };
}

const ends = ["<|/tool_call|>", "<|END_ACTION|>"];

/** One object or list of calls behind a mark, or several, one after the other, with `;` between them. */
export function readJsonList(context: TokenContext, mark: RegExpExecArray): TokenReading | undefined {
  const { reply, text, search } = context;
  const calls: FoundCall[] = [];
  let end = mark.index + mark[0].length;
  while (calls.length < maxCalls) {
    const separator = calls.length === 0 ? end : skipSpace(text, end);
    const start = skipSpace(
      text,
      text[separator] === ";" || text[separator] === "," ? separator + 1 : separator,
    );
    if (text[start] !== "{" && text[start] !== "[") break;
    const json = search.json(start, -1);
    if (!json.ok) return unreadable(mark[0], json.reason, false);
    const objects = readCallObjects(json.value, reply, text.slice(start, json.end));
    if (objects?.kind !== "calls") break;
    calls.push(...objects.calls);
    end = json.end;
  }
  if (calls.length === 0) return undefined;
  const closing = ends.find((token) => text.startsWith(token, skipSpace(text, end)));
  if (closing !== undefined) end = skipSpace(text, end) + closing.length;
  return { kind: "calls", calls, end, complete: true };
}

const heading =
  /\s*([^<>{}\s]{1,160})?\s*<[｜|]tool[▁_](?:sep|call[▁_]argument[▁_]begin)[｜|]>\s*(?:([\w.:-]{1,128})\s*)?(?:```(?:json)?\s*)?(?=\{)/uy;
const sectionEnd = /\s*(?:```)?\s*<[｜|]tool[▁_]call[▁_]end[｜|]>/uy;

/** A name and its arguments with a mark between them; DeepSeek V3 and R1 write `function` first and a code fence. */
export function readSections(
  { text, search }: TokenContext,
  mark: RegExpExecArray,
): TokenReading | undefined {
  const head = new RegExp(heading);
  head.lastIndex = mark.index + mark[0].length;
  const match = head.exec(text);
  if (match === null) return undefined;
  const json = search.json(head.lastIndex, -1);
  if (!json.ok) return unreadable(mark[0], json.reason, false);
  const close = new RegExp(sectionEnd);
  close.lastIndex = json.end;
  const end = close.exec(text) === null ? json.end : close.lastIndex;
  const name = match[2] ?? match[1] ?? "";
  const call = { name, input: json.value, raw: text.slice(mark.index, end) };
  return { kind: "calls", calls: [call], end, complete: true };
}

/** `functions.NAME:0{…}` */
export function readNamedJson(
  { text, search, reply }: TokenContext,
  mark: RegExpExecArray,
): TokenReading | undefined {
  const name = mark.groups?.indexedName ?? "";
  if (!reply.knows(name)) return undefined;
  const json = search.json(mark.index + mark[0].length, -1);
  if (!json.ok) return unreadable(mark[0].trim(), json.reason, false);
  if (!isObject(json.value)) return undefined;
  const call = { name, input: json.value, raw: text.slice(mark.index, json.end) };
  return { kind: "calls", calls: [call], end: json.end, complete: true };
}
