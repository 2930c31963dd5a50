import { type CoercedArguments, coerceArguments } from "./coerce-arguments.js";
import { readCode } from "./dialects/code.js";
import { type DialectReader, type Found, type FoundCall, ReplyText } from "./dialects/found.js";
import { jsonStart, readJson } from "./dialects/json.js";
import { readPython } from "./dialects/python.js";
import { readReact } from "./dialects/react.js";
import { readStructured } from "./dialects/structured.js";
import { readTokens } from "./dialects/tokens.js";
import { bracketEnd } from "./json-scan.js";
import { replyForms } from "./reply-forms.js";
import type { Dialect, DialectSet, Reply, ReplyCall, ReplyOptions, ReplyProblem } from "./reply-types.js";
import { splitVisible } from "./visible-text.js";

const readers: Readonly<Record<Dialect, DialectReader>> = {
  tokens: readTokens,
  json: readJson,
  react: readReact,
  structured: readStructured,
  python: readPython,
  code: readCode,
};

const sets: Readonly<Record<DialectSet, readonly Dialect[]>> = {
  react: ["tokens", "react", "json", "python"],
  structured: ["tokens", "structured", "json", "python"],
  codeact: ["tokens", "code", "react", "json", "python"],
  any: ["tokens", "react", "structured", "json", "python", "code"],
};

const pythonLanguages = ["python", "py", "python3"];

/**
 * Reads what a model wrote: an answer, calls of tools, code to run, or a reply that is none of these.
 *
 * Reasoning is taken off first. Then each dialect reads the rest; what begins earliest wins, so that a call before an
 * answer is made and a call that an answer only shows is not. A reply in which no dialect finds anything is an answer.
 * A reply that keeps to the form only half, or was cut off in a call or in code, is malformed, with sentences that
 * tell the model what to write. Never throws; takes time linear in the length of the text.
 *
 * @example
 * parseReply('Action: calculator\nAction Input: {"expression": "1+1"}', { tools: [{ name: "calculator" }] });
 * // { kind: "calls", calls: [{ name: "calculator", known: true, arguments: { expression: "1+1" }, … }], … }
 */
export function parseReply(text: string, options: ReplyOptions): Reply {
  const { dialects = "any", tools, finishReason } = options;
  const set = typeof dialects === "string" ? dialects : "any";
  const codeLanguages = options.codeLanguages ?? (set === "codeact" ? pythonLanguages : []);
  const { text: visible, reasoning } = splitVisible(text);
  const isCut = finishReason === "length";
  const malformed = (problem: ReplyProblem, reason: string, thought = "", remainder = ""): Reply => ({
    kind: "malformed",
    problem,
    reason,
    hint: problem === "cut" ? `Write less at a time. ${replyForms[set]}` : replyForms[set],
    remainder,
    thought,
    reasoning,
  });
  if (visible === "") {
    if (isCut) return malformed("cut", "The reply was cut off before it said anything.");
    if (reasoning !== "") return malformed("reasoning", "The reply holds nothing but reasoning.");
    return malformed("empty", "The reply is empty.");
  }
  const reply = new ReplyText(visible, { tools, codeLanguages, isWhole: finishReason === "stop" });
  const names = typeof dialects === "string" ? sets[dialects] : dialects;
  const found = select(names.map((name) => readers[name](reply)));
  if (found === undefined) {
    if (isCut && isUnclosed(reply)) return malformed("cut", "The reply was cut off before its block ended.");
    return { kind: "final", text: visible, thought: "", reasoning, kept: visible, discarded: "" };
  }
  if (isCut && "complete" in found && !found.complete) {
    return malformed("cut", "The reply was cut off before it was complete; nothing was run.", found.thought);
  }
  if (found.kind === "malformed") return malformed("form", found.reason, found.thought, found.remainder);
  const parts = {
    thought: found.thought,
    reasoning,
    kept: visible.slice(0, found.end).trimEnd(),
    // The end of a fence around the whole reply says nothing.
    discarded: visible
      .slice(found.end)
      .trim()
      .replace(/^(?:`{3,}|~{3,})$/, ""),
  };
  if (found.kind === "final") return { kind: "final", text: found.text, ...parts };
  if (found.kind === "code") return { kind: "code", blocks: found.blocks, ...parts };
  return { kind: "calls", calls: found.calls.map((call) => readCall(call, reply)), ...parts };
}

/** The earliest of what was found; what is malformed only when nothing else was. */
function select(all: readonly (Found | undefined)[]): Found | undefined {
  const found = all.filter((item) => item !== undefined);
  const proper = found.filter(({ kind }) => kind !== "malformed");
  const [first, ...others] = proper.length > 0 ? proper : found;
  return others.reduce((best, item) => (best === undefined || item.start < best.start ? item : best), first);
}

function readCall({ name: written, input, raw, problem }: FoundCall, reply: ReplyText): ReplyCall {
  const { name, known } = reply.names.resolve(written);
  const tool = reply.tool(written);
  const read: CoercedArguments =
    problem === undefined
      ? coerceArguments(input, tool?.parameters, { allowObjectText: tool?.allowObjectText ?? false })
      : { ok: false, reason: problem };
  if (read.ok) return { name, known, arguments: read.arguments, raw };
  const call = { name, known, arguments: typeof input === "string" ? input : raw, raw };
  // What is wrong with a call of no tool is its name.
  return known ? { ...call, problem: read.reason } : call;
}

/** Whether a reply ends inside a code block that might be run, or inside the JSON it begins with. */
function isUnclosed(reply: ReplyText): boolean {
  const last = reply.blocks.at(-1);
  if (last?.closed === false && reply.codeLanguages.length > 0) return true;
  const start = jsonStart(reply.text);
  return start !== undefined && bracketEnd(reply.text, start) < 0;
}
