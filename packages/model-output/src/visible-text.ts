import { findJsonObjects } from "./json-scan.js";
import { parseLooseJson } from "./loose-json.js";
import { type SplitText, splitReasoning } from "./reasoning.js";

const tag = /<\/?(?:think|thinking|thought|reasoning)\s{0,8}>|\[\/?THINK\]/gi;
const endTokens = [
  "<|im_end|>",
  "<|eot_id|>",
  "<|eom_id|>",
  "<|endoftext|>",
  "<|end_of_text|>",
  "<|end|>",
  "<｜end▁of▁sentence｜>",
  "</s>",
];

/**
 * Separates reasoning from what is meant to be read, and drops the tokens that end a turn. Reasoning tags inside a
 * string of a JSON object, as in the arguments of a call, are part of that string.
 */
export function splitVisible(text: string): SplitText {
  const { masked, mark } = maskTagsInJson(text);
  const split = splitReasoning(masked);
  const restore = (part: string) => (mark === undefined ? part : part.replaceAll(mark, ""));
  return { text: withoutEndTokens(restore(split.text).trim()), reasoning: restore(split.reasoning).trim() };
}

/** Breaks each tag in a JSON string with a character that the text does not hold. */
function maskTagsInJson(text: string): { masked: string; mark: string | undefined } {
  const same = { masked: text, mark: undefined };
  const tags = text.includes("{") ? [...text.matchAll(tag)] : [];
  if (tags.length === 0) return same;
  const mark = ["\ue000", "\ue001", "\ue002", "\uf8ff"].find((candidate) => !text.includes(candidate));
  if (mark === undefined) return same;
  const parts: string[] = [];
  let from = 0;
  let next = 0;
  for (const span of findJsonObjects(text)) {
    while ((tags[next]?.index ?? Number.POSITIVE_INFINITY) < span.start) next += 1;
    const inside: number[] = [];
    for (let at = tags[next]?.index; at !== undefined && at < span.end; at = tags[next]?.index) {
      inside.push(at);
      next += 1;
    }
    if (inside.length === 0 || !parseLooseJson(text.slice(span.start, span.end)).ok) continue;
    for (const at of inside) {
      parts.push(text.slice(from, at + 1), mark);
      from = at + 1;
    }
  }
  if (parts.length === 0) return same;
  parts.push(text.slice(from));
  return { masked: parts.join(""), mark };
}

function withoutEndTokens(text: string): string {
  let end = text.length;
  for (let found = true; found; ) {
    const token = endTokens.find((candidate) => text.endsWith(candidate, end));
    found = token !== undefined;
    end -= token?.length ?? 0;
    while (end > 0 && /\s/.test(text[end - 1] ?? "")) end -= 1;
  }
  return text.slice(0, end);
}
