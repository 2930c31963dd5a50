import type { CodeBlock } from "../fences.js";
import { type Found, type FoundCall, maxCalls, type ReplyText } from "./found.js";
import { readHarmony } from "./harmony.js";
import { TextSearch } from "./text-search.js";
import { tokenDialects } from "./token-dialects.js";
import type { TokenContext, TokenReading } from "./token-reading.js";

/** Marks around calls that hold nothing themselves. */
const containers =
  /<\/?(?:[｜|]DSML[｜|])?(?:antml:)?(?:function_calls|tool_calls)>|<\|tool_calls_section_(?:begin|end)\|>|<[｜|]tool[▁_]calls[▁_](?:begin|end)[｜|]>|<\|(?:eom_id|eot_id|im_end)\|>/;

const openers = new RegExp(
  [
    ...tokenDialects.map(({ opener }, index) => `(?<d${index}>${opener})`),
    `(?<container>${containers.source})`,
  ].join("|"),
  "gu",
);
const trailing = new RegExp(`\\s*(?:${containers.source})`, "yu");

/**
 * Reads the marks that models are trained to put around calls, see {@link tokenDialects}. A mark right behind a
 * backtick, or in a code fence that holds something else, is text about calls; in a fence of its own a call counts
 * when it names a tool.
 */
export function readTokens(reply: ReplyText): Found | undefined {
  const { text } = reply;
  const harmony = readHarmony(reply);
  if (harmony !== undefined) return harmony;
  const context: TokenContext = { reply, text, search: new TextSearch(text) };
  const fences = new Fences(reply);
  const calls: FoundCall[] = [];
  let start: number | undefined;
  let end = 0;
  let complete = true;
  const marks = new RegExp(openers);
  for (let match = marks.exec(text); match !== null && calls.length < maxCalls; match = marks.exec(text)) {
    if (match.groups?.container !== undefined) {
      start ??= match[0].startsWith("</") ? undefined : match.index;
      continue;
    }
    const inFence = fences.around(match.index);
    if (text[match.index - 1] === "`" || inFence === "other") continue;
    const reading = read(context, match, inFence === "own");
    if (reading === undefined) continue;
    start ??= match.index;
    if (reading.kind === "container") continue;
    if (reading.kind === "malformed") {
      const thought = text.slice(0, start).trim();
      return { ...reading, start, remainder: thought, thought };
    }
    calls.push(...reading.calls.slice(0, maxCalls - calls.length));
    ({ end, complete } = reading);
    marks.lastIndex = Math.max(end, match.index + match[0].length);
  }
  if (calls.length === 0 || start === undefined) return undefined;
  return {
    kind: "calls",
    start,
    end: pastContainers(text, end),
    calls,
    thought: text.slice(0, start).trim(),
    complete,
  };
}

function read(context: TokenContext, match: RegExpExecArray, mustBeKnown: boolean): TokenReading | undefined {
  const index = tokenDialects.findIndex((_, number) => match.groups?.[`d${number}`] !== undefined);
  const reading = tokenDialects[index]?.read(context, match);
  if (!mustBeKnown || reading?.kind !== "calls") return reading;
  return reading.calls.every((call) => context.reply.knows(call.name)) ? reading : undefined;
}

function pastContainers(text: string, from: number): number {
  const mark = new RegExp(trailing);
  let end = from;
  for (mark.lastIndex = end; mark.exec(text) !== null; mark.lastIndex = end) end = mark.lastIndex;
  return end;
}

/** Tells whether an index is in a code block that holds nothing but calls, or in one that holds something else. */
class Fences {
  readonly #reply: ReplyText;
  #next = 0;

  constructor(reply: ReplyText) {
    this.#reply = reply;
  }

  /** Indexes must rise from call to call. */
  around(index: number): "none" | "own" | "other" {
    let block: CodeBlock | undefined = this.#reply.blocks[this.#next];
    while (block !== undefined && block.end <= index) {
      this.#next += 1;
      block = this.#reply.blocks[this.#next];
    }
    if (block === undefined || block.start > index) return "none";
    return /^\s*[<[]/.test(block.code.slice(0, 200)) ? "own" : "other";
  }
}
