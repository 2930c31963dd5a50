import { parseLooseJson } from "../loose-json.js";
import { type Found, type FoundCall, maxCalls, type ReplyText } from "./found.js";

const header = /(?:<\|start\|>([^<]*))?<\|channel\|>([^<]*)(?:<\|constrain\|>[^<]*)?<\|message\|>/g;
const bodyEnd = /<\|(end|call|return|start|channel)\|>/g;

/**
 * The harmony format of gpt-oss: messages with a channel. `analysis` is thought, `final` the answer, and a message
 * `to=functions.NAME` a call. Undefined when the text has no channels.
 */
export function readHarmony({ text }: ReplyText): Found | undefined {
  if (!text.includes("<|channel|>")) return undefined;
  const thoughts: string[] = [];
  const calls: FoundCall[] = [];
  let start: number | undefined;
  let end = 0;
  let complete = true;
  const headers = new RegExp(header);
  for (
    let match = headers.exec(text);
    match !== null && calls.length < maxCalls;
    match = headers.exec(text)
  ) {
    const from = match.index + match[0].length;
    start ??= match.index;
    const stop = new RegExp(bodyEnd);
    stop.lastIndex = from;
    const close = stop.exec(text);
    const body = text.slice(from, close?.index).trim();
    headers.lastIndex = close?.index ?? text.length;
    const to = /\bto=([^\s<]+)/.exec(`${match[1] ?? ""} ${match[2] ?? ""}`)?.[1];
    const channel = /^\s*(\w*)/.exec(match[2] ?? "")?.[1] ?? "";
    // What a tool said stands in a message of its own; the model can only have made it up.
    if (match[1] !== undefined && !/^\s*(?:assistant\b|$)/.test(match[1])) break;
    if (to !== undefined) {
      end =
        close === null || close[1] === "start" || close[1] === "channel"
          ? from + body.length
          : stop.lastIndex;
      calls.push({ name: to, input: body, raw: text.slice(match.index, end) });
      complete = close !== null || parseLooseJson(body).ok;
    } else if (channel === "final") {
      if (calls.length > 0) break;
      const thought = thoughts.join("\n");
      if (body !== "")
        return { kind: "final", start, end: stop.lastIndex || text.length, text: body, thought };
    } else if (calls.length === 0 && body !== "") thoughts.push(body);
  }
  if (start === undefined) return undefined;
  const thought = thoughts.join("\n");
  if (calls.length > 0) return { kind: "calls", start, end, calls, thought, complete };
  const reason = "The reply has neither a call nor a message on the final channel.";
  return { kind: "malformed", start, reason, remainder: thought, thought, complete: false };
}
