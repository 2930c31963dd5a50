import { bracketEnd, findJsonObjects, type JsonSpan, skipSpace } from "../json-scan.js";
import { parseLooseJson } from "../loose-json.js";
import { type CallObjects, readCallObjects } from "./call-objects.js";
import { type Found, type FoundCall, maxCalls, type ReplyText } from "./found.js";

/** A JSON text in a reply, and what it says. */
interface Envelope {
  start: number;
  end: number;
  reading: CallObjects;
}

/** Languages of fences that models put calls into. */
const fenceLanguages = new Set([
  "",
  "json",
  "json5",
  "jsonc",
  "tool_call",
  "tool_calls",
  "tool",
  "tool_code",
  "action",
  "text",
]);
const maxCandidates = 500;
/** A made-up result after the object. */
const observation = /(?:^|[\r\n])[ \t>*_#-]{0,8}Observations?[ \t]*[:：*_]/i;
/** Marks and brackets that are left over behind an object. */
const leftover = /^[\s`~}\];,]*$/;

/**
 * Reads calls and answers that are JSON objects: the whole reply, in a code fence, or after prose, which is then the
 * thought. Behind the object nothing may follow; a JSON answer that is no call stays an answer.
 */
export function readJson(reply: ReplyText): Found | undefined {
  const { text } = reply;
  if (!text.includes("{")) return undefined;
  const search = new EnvelopeSearch(reply);
  search.run();
  const first = search.envelopes[0];
  if (first === undefined) return search.broken ?? unclosedEnvelope(text);
  // What follows a result that the model made up follows from nothing.
  const invented = observation.exec(text.slice(first.end));
  const limit = first.end + (invented?.index ?? text.length);
  const envelopes = search.envelopes.filter(({ start }) => start < limit);
  const end = envelopes.at(-1)?.end ?? first.end;
  const before = text.slice(0, first.start).trim();
  const isLast = leftover.test(text.slice(end, limit));
  const certain = envelopes.every(({ reading }) => reading.kind !== "calls" || reading.certain);
  if (!certain && (before !== "" || !isLast || invented !== null)) return undefined;
  const thought = withoutLabel(before);
  const malformed = (reason: string): Found => ({
    kind: "malformed",
    start: first.start,
    reason,
    remainder: thought,
    thought,
    complete: true,
  });
  if (!isLast) return malformed("Text stands after the JSON object; the object must end the reply.");
  const calls: FoundCall[] = [];
  const thoughts = [thought];
  for (const { reading } of envelopes) {
    if (reading.kind === "malformed") return malformed(reading.reason);
    if (reading.kind === "final" && envelopes.length > 1)
      return malformed("The reply holds more than one JSON object.");
    thoughts.push(reading.thought);
    if (reading.kind === "calls") calls.push(...reading.calls);
  }
  const found = { start: first.start, end, thought: thoughts.filter((line) => line !== "").join("\n") };
  if (first.reading.kind === "final") return { ...found, kind: "final", text: first.reading.text };
  // More calls may have been meant to come in a list that is not closed.
  const list = jsonStart(text);
  const complete = list === undefined || text[list] !== "[" || bracketEnd(text, list) > 0;
  return { ...found, kind: "calls", calls: calls.slice(0, maxCalls), complete };
}

/** Finds the objects of a reply that are calls or answers, in their order. */
class EnvelopeSearch {
  readonly envelopes: Envelope[] = [];
  /** The first object that is meant as one but cannot be read. */
  broken: Found | undefined;
  readonly #reply: ReplyText;
  #nextBlock = 0;

  constructor(reply: ReplyText) {
    this.#reply = reply;
  }

  run(): void {
    const { text } = this.#reply;
    const list = wholeList(text);
    if (list !== undefined) this.#add(text.slice(list.start, list.end), list.start, list.end);
    if (this.envelopes.length > 0) return;
    for (const { start, end } of findJsonObjects(text).slice(0, maxCandidates)) {
      if (!this.#passBlocks(start) && !isInCodeSpan(text, start))
        this.#add(text.slice(start, end), start, end);
    }
    this.#passBlocks(text.length);
  }

  /** Looks into the blocks before `index`; says whether one covers it. */
  #passBlocks(index: number): boolean {
    const { blocks } = this.#reply;
    for (let block = blocks[this.#nextBlock]; block !== undefined; block = blocks[this.#nextBlock]) {
      if (block.start > index) return false;
      if (block.end > index) return true;
      if (fenceLanguages.has(block.language) && /^\s*[{[]/.test(block.code)) {
        for (const json of textsIn(block.code)) this.#add(json, block.start, block.end);
      }
      this.#nextBlock += 1;
    }
    return false;
  }

  #add(json: string, start: number, end: number): void {
    const read = parseLooseJson(json);
    if (read.ok) {
      const reading = readCallObjects(read.value, this.#reply, json);
      if (reading !== undefined) this.envelopes.push({ start, end, reading });
    } else if (this.broken === undefined && isMeantAsCall(json)) {
      this.broken = brokenEnvelope(start, read.reason, true);
    }
  }
}

/** Whether an object is quoted in prose: a backtick is open on the line before it. A reply may be one code span. */
function isInCodeSpan(text: string, index: number): boolean {
  const line = text.slice(Math.max(0, index - 1000), index).replace(/^[\s\S]*[\r\n]/, "");
  return line.split("`").length % 2 === 0 && line.trim() !== "`";
}

/** The list that a reply begins with. */
function wholeList(text: string): JsonSpan | undefined {
  const start = skipSpace(text, 0);
  if (text[start] !== "[") return undefined;
  const end = bracketEnd(text, start);
  return end < 0 ? undefined : { start, end };
}

/** The JSON texts in a block: one value, or several objects, one after the other. */
function textsIn(code: string): string[] {
  const whole = code.trim();
  const spans = parseLooseJson(whole).ok ? [] : findJsonObjects(whole).slice(0, maxCandidates);
  return spans.length === 0 ? [whole] : spans.map((span) => whole.slice(span.start, span.end));
}

/** A reply that begins as an object with a call and does not end as one. */
function unclosedEnvelope(text: string): Found | undefined {
  const start = jsonStart(text);
  if (start === undefined || bracketEnd(text, start) > 0 || !isMeantAsCall(text.slice(start)))
    return undefined;
  const read = parseLooseJson(text.slice(start));
  return read.ok ? undefined : brokenEnvelope(start, read.reason, false);
}

/** Where the JSON begins of a reply that begins with JSON, if only behind an opening fence. */
export function jsonStart(text: string): number | undefined {
  return /^\s*(?:(?:`{3,}|~{3,})(?![`~])[^\r\n]*[\r\n]\s*)?(?=[{[])/.exec(text)?.[0].length;
}

function isMeantAsCall(json: string): boolean {
  const head = json.slice(0, 100_000);
  return (
    /["'](?:action|action[ _]input|final[ _]answer|tool_calls)["']\s*:/i.test(head) ||
    (/["'](?:name|tool|function)["']\s*:/i.test(head) &&
      /["'](?:arguments|parameters|args|input)["']\s*:/i.test(head))
  );
}

function brokenEnvelope(start: number, reason: string, complete: boolean): Found {
  return {
    kind: "malformed",
    start,
    reason: `The JSON object cannot be read. ${reason}`,
    remainder: "",
    thought: "",
    complete,
  };
}

function withoutLabel(text: string): string {
  return text.replace(/^[*_]{0,3}thoughts?[*_]{0,3}[ \t]*[:：][*_]{0,3}\s*/i, "").trim();
}
