import { truncateEnd } from "@openjarvis/core";
import { describeFailure } from "../outcome-text.js";
import type { Intent } from "../plan.js";

/** The tool that reads files. */
export const fileTool = "file_read";

/** Longest question that is read, in characters. */
const maxQuestion = 500;
/** Most of a file that an answer repeats, in characters. */
const maxShown = 4_000;

/** What asks for the text of a file. Whatever else is asked about one needs a model. */
const requests = [
  /^(?:please )?(?:can you |could you )?(?:please )?(?:read|show|print|display|open|cat)(?: me)?(?: the)?(?: (?:text|contents?) of)?(?: the)?(?: file)? (.+)$/i,
  /^what (?:does|do)(?: the)?(?: file)? (\S+) (?:say|contain|hold)$/i,
  /^what(?:'s| is)(?: written)? in(?: the)?(?: file)? (\S+)$/i,
  /^what(?:'s| is| are)(?: the)? (?:text|contents?) of(?: the)?(?: file)? (\S+)$/i,
];

/** A path: with a slash or an ending, or one of the names that files without an ending commonly have. */
const path = /^(?:[~.]{0,2}\/)?[\p{L}\p{N}_@+.,~()-]+(?:\/[\p{L}\p{N}_@+.,~()-]+)*$/u;
const commonNames =
  /^(?:licen[cs]e|readme|changelog|changes|contributing|authors|notice|copying|makefile|dockerfile|todo)$/i;
const ending = /\.[a-z][a-z0-9]{0,7}$/i;

/** "What does LICENSE say?": the text of a file, from its start. */
export const file: Intent = {
  name: "file",
  plan({ text }) {
    if (text.length > maxQuestion) return undefined;
    const name = pathIn(text);
    if (name === undefined) return undefined;
    return {
      calls: [{ tool: fileTool, arguments: { path: name } }],
      answer: ([outcome]) => {
        if (outcome === undefined) return `${name} was not read: no result came back.`;
        if (outcome.failed) return describeFailure(outcome, name);
        const said = outcome.content.trimEnd();
        if (said.trim() === "") return `${name} is empty.`;
        if (said.length <= maxShown) return `${name} says:\n\n${said}`;
        const shown = truncateEnd(said, maxShown).trimEnd();
        return `${name} says, in its first ${shown.length} of ${said.length} characters:\n\n${shown} …`;
      },
    };
  },
};

function pathIn(text: string): string | undefined {
  const plain = text
    .trim()
    .replaceAll("’", "'")
    .replace(/\s+/g, " ")
    .replace(/[?!.]+$/, "");
  for (const request of requests) {
    const found = request.exec(plain)?.[1]?.replace(/^["'`]|["'`]$/g, "");
    if (found === undefined || !path.test(found)) continue;
    if (found.includes("/") || ending.test(found) || found.startsWith(".") || commonNames.test(found))
      return found;
  }
  return undefined;
}
