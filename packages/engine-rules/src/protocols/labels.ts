import type { ToolOutcome } from "../plan.js";
import type { MatchedCall } from "../tool-match.js";
import type { WrittenCall } from "./text-form.js";

/** The labels of the lines that make a call. */
export interface CallLabels {
  tool: string;
  input: string;
}

/** Most calls of a message that are read. */
const maxCalls = 100;

/** A call as two labelled lines. */
export function writeCall({ name, arguments: args }: MatchedCall, { tool, input }: CallLabels): string {
  return `${tool}: ${name}\n${input}: ${JSON.stringify(args)}`;
}

/** The calls that labelled lines make; an input reaches to the next call. */
export function readCalls(text: string, { tool, input }: CallLabels): WrittenCall[] {
  const pattern = new RegExp(`^${tool}:[ \\t]*([^\\n]*)\\n${input}:[ \\t]*`, "gm");
  const matches: RegExpExecArray[] = [];
  for (const match of text.matchAll(pattern)) {
    if (matches.push(match) === maxCalls) break;
  }
  return matches.map((match, index) => ({
    tool: (match[1] ?? "").trim(),
    arguments: text.slice(match.index + match[0].length, matches[index + 1]?.index).trim(),
  }));
}

const observation = "Observation:";

/** The results of a message that begins with `Observation:`, one for each call; `undefined` for any other message. */
export function readObservations(text: string, calls: readonly WrittenCall[]): ToolOutcome[] | undefined {
  if (!text.startsWith(observation)) return undefined;
  const parts = calls.length > 1 ? text.split(/\n(?=Observation:)/) : [text];
  // A result may hold such a line itself; then it cannot be said which part is whose.
  const own = parts.length === calls.length ? parts : [text];
  return own.map((part, index) => outcomeOf(part.slice(observation.length).replace(/^ /, ""), calls[index]));
}

function outcomeOf(said: string, call: WrittenCall | undefined): ToolOutcome {
  const failure = /^Tool '.{0,200}?' failed: /.exec(said)?.[0];
  const content = said.slice(failure?.length ?? 0);
  return {
    tool: call?.tool ?? "",
    arguments: call?.arguments ?? "",
    content,
    failed: failure !== undefined || /^Error\b/.test(content),
  };
}
