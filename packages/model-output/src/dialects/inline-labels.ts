import { bracketEnd, skipSpace } from "../json-scan.js";
import type { Found, ReplyText } from "./found.js";
import type { LabelledForm } from "./labelled.js";

/**
 * A call whose labels stand in the middle of a line, for models that leave out line breaks. It counts only when it
 * names a tool and its input follows.
 */
export function readInlineCall(reply: ReplyText, form: LabelledForm): Found | undefined {
  const { text } = reply;
  const { action = "", params = "" } = form.labels;
  const input = `${form.labels.input}|${params}`;
  if (!new RegExp(`(?:${input})[*_\`]{0,3}[ \\t]{0,3}[:：]`, "i").test(text)) return undefined;
  const mark = "[*_`]{0,3}";
  const call = new RegExp(
    `(?<![\\p{L}\\p{N}])${mark}(?:${action})${mark}[ \\t]*[:：]${mark}[ \\t]*([^\\r\\n:：]{1,80}?)\\s{0,20}` +
      `${mark}(?:${input})${mark}[ \\t]*[:：]${mark}`,
    "giu",
  );
  for (let match = call.exec(text); match !== null; match = call.exec(text)) {
    const name = match[1]?.trim() ?? "";
    if (!reply.knows(name)) continue;
    const start = skipSpace(text, match.index + match[0].length);
    const close = "{[".includes(text[start] ?? " ") ? bracketEnd(text, start) : -1;
    const stop = /\bObservation[ \t]*:|\r|\n|$/g;
    stop.lastIndex = start;
    const end = close > 0 ? close : (stop.exec(text)?.index ?? text.length);
    const found = { name, input: text.slice(start, end).trim(), raw: text.slice(match.index, end) };
    const complete = close > 0 || end < text.length;
    const thought = withoutLabel(text.slice(0, match.index), form);
    return { kind: "calls", start: match.index, end, calls: [found], thought, complete };
  }
  return undefined;
}

/** An answer whose label begins a sentence in the middle of a line. */
export function readInlineAnswer({ text }: ReplyText, form: LabelledForm): Found | undefined {
  const answer = new RegExp(
    `(?<=[.!?…。][*_]{0,3}[ \\t]{1,4})[*_]{0,3}(?:${form.labels.final})[*_]{0,3}[ \\t]*[:：]`,
    "i",
  );
  const match = answer.exec(text);
  if (match === null) return undefined;
  const said = text.slice(match.index + match[0].length).trim();
  if (said === "") return undefined;
  const thought = withoutLabel(text.slice(0, match.index), form);
  return { kind: "final", start: match.index, end: text.length, text: said, thought };
}

function withoutLabel(text: string, form: LabelledForm): string {
  return text
    .replace(new RegExp(`^\\s*[*_]{0,3}(?:${form.labels.thought})[*_]{0,3}[ \\t]*[:：][*_]{0,3}`, "i"), "")
    .trim();
}
