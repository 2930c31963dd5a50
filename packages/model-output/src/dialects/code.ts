import type { CodeBlock } from "../fences.js";
import type { Found, ReplyText } from "./found.js";

/** A made-up result behind a block. */
const result = /(?<![^\r\n])[ \t>*_#-]{0,8}(?:Observations?|Outputs?|Results?)[*_]{0,3}[ \t]{0,8}[:：]/gi;

/**
 * Reads blocks of code to run: those in one of the languages that can be run and `<code>` elements; fences without a
 * language only when that is allowed and no other block is there. Blocks behind a result that the model made up
 * are not run.
 */
export function readCode(reply: ReplyText): Found | undefined {
  const { text, codeLanguages } = reply;
  if (codeLanguages.length === 0) return undefined;
  const tagged = reply.blocks.filter(
    ({ kind, language }) => kind === "element" || (language !== "" && codeLanguages.includes(language)),
  );
  const untagged = codeLanguages.includes("")
    ? reply.blocks.filter(({ kind, language }) => kind === "fence" && language === "")
    : [];
  const found = (tagged.length > 0 ? tagged : untagged).filter(({ code }) => code.trim() !== "");
  const first = found[0] ?? pythonTag(reply);
  if (first === undefined) return undefined;
  const limit = firstResult(text, found, first.end);
  const blocks = found.length === 0 ? [first] : found.filter(({ start }) => start < limit);
  const last = blocks.at(-1) ?? first;
  const thought = text.slice(0, first.start).trim();
  return { kind: "code", start: first.start, end: last.end, blocks, thought, complete: last.closed };
}

/** Where the first result stands that no block holds. */
function firstResult(text: string, blocks: readonly CodeBlock[], from: number): number {
  const results = new RegExp(result);
  results.lastIndex = from;
  let next = 0;
  for (let match = results.exec(text); match !== null; match = results.exec(text)) {
    while ((blocks[next]?.end ?? Number.POSITIVE_INFINITY) <= match.index) next += 1;
    if ((blocks[next]?.start ?? Number.POSITIVE_INFINITY) > match.index) return match.index;
  }
  return text.length;
}

/** `<|python_tag|>` with a program behind it: the code interpreter of Llama 3.1. */
function pythonTag({ text, codeLanguages }: ReplyText): CodeBlock | undefined {
  const tag = "<|python_tag|>";
  const start = text.indexOf(tag);
  if (start < 0 || !codeLanguages.includes("python")) return undefined;
  const close = text.indexOf("<|eom_id|>", start);
  const code = text.slice(start + tag.length, close < 0 ? text.length : close).trim();
  if (code === "" || /^[{[]/.test(code)) return undefined;
  const end = close < 0 ? text.length : close + "<|eom_id|>".length;
  return { kind: "element", language: "python", info: "", code, closed: close >= 0, start, end };
}
