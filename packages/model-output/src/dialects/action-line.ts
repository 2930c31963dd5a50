import { skipSpace } from "../json-scan.js";
import type { ReplyText } from "./found.js";
import type { Marker } from "./markers.js";

/** What models write for an action when no tool fits. */
const noAction =
  /^(?:none|null|nil|nothing|n\/?a|-+|not (?:needed|required|applicable|necessary)|no(?:ne)?(?: (?:further|more))?(?: (?:tool|action|input)s?)?(?: (?:is |are )?(?:needed|required|necessary|available))?)$/i;
/** What models write for an action to end with: LangChain's and the ReAct paper's way. */
const finalAction = /^(?:final[ _-]?answer|finish)$/i;

/** The name behind an action's label, on its line or on the next one that holds anything. */
export function readActionLine(
  text: string,
  marker: Marker,
  limit: number,
): { name: string; start: number; end: number } {
  const start = skipSpace(text, marker.value);
  const line = /[^\r\n]*/y;
  line.lastIndex = start;
  const end = Math.min(start + (line.exec(text)?.[0].length ?? 0), limit);
  const name = start >= limit ? "" : text.slice(start, end).trim();
  return { name: closeEmphasis(name, marker.emphasis), start, end };
}

/** Whether a name says that there is no action. */
export function declinesAction(name: string): boolean {
  return noAction.test(undecorated(name));
}

/** Whether a name says that the input is the answer. */
export function endsWithAnswer(name: string): boolean {
  return finalAction.test(undecorated(name));
}

function undecorated(name: string): string {
  return name.slice(0, 200).replace(/^[\s"'`*_([<]+|[\s"'`*_)\]>.!]+$/g, "");
}

/** The part of an action's line that names a tool, with its input behind it: `calculator: 2+2`, `calculator {…}`. */
export function leadingName(line: string, reply: ReplyText): string | undefined {
  const match = /^([`*]{0,3}[\p{L}_][\p{L}\p{N}_.-]{0,63}[`*]{0,3})(?:\s{0,4}:\s|\s{1,4}(?=[{"'`]))/u.exec(
    line,
  );
  return match?.[1] !== undefined && reply.knows(match[1]) ? match[0] : undefined;
}

/** Drops the end of emphasis that began before the label: `**Action: calculator**`. */
export function closeEmphasis(text: string, emphasis: string): string {
  if (emphasis === "" || !text.endsWith(emphasis)) return text;
  return text.split(emphasis).length % 2 === 0 ? text.slice(0, -emphasis.length).trimEnd() : text;
}
