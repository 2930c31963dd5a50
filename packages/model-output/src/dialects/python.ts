import { readCall, readCallArguments } from "../call-syntax.js";
import { skipSpace } from "../json-scan.js";
import { type Found, type FoundCall, maxCalls, type ReplyText } from "./found.js";

const fenceLanguages = new Set(["", "tool_code", "tool_call", "tool_calls"]);

/**
 * Reads a reply that is nothing but calls of tools as Python writes them, alone or as a list: Llama 3.2 and 4
 * (`[get_weather(city="Paris")]`), Gemma 3 (in a fence `tool_code`, also inside `print(…)`). Every name must be a
 * tool's; anything else is left to others.
 */
export function readPython(reply: ReplyText): Found | undefined {
  const trimmed = reply.text.trim();
  const [block] = reply.blocks;
  const isBlock = block !== undefined && reply.text.slice(block.start, block.end).trim() === trimmed;
  if (isBlock && !fenceLanguages.has(block.language)) return undefined;
  const code = (isBlock ? block.code : trimmed).trim();
  const isList = code.startsWith("[") && code.endsWith("]");
  const calls = readCalls(reply, isList ? code.slice(1, -1) : code);
  if (calls === undefined) return undefined;
  return { kind: "calls", start: 0, end: reply.text.length, calls, thought: "", complete: true };
}

function readCalls(reply: ReplyText, code: string): FoundCall[] | undefined {
  const calls: FoundCall[] = [];
  let at = skipSpace(code, 0);
  while (at < code.length) {
    let call = readCall(code, at);
    if (call === undefined || calls.length >= maxCalls) return undefined;
    const raw = code.slice(at, call.end);
    at = call.end;
    if (call.name === "print" && !reply.knows("print")) {
      const inner = readCall(call.inside, 0);
      if (inner === undefined || inner.end < call.inside.length) return undefined;
      call = inner;
    }
    if (!reply.knows(call.name)) return undefined;
    const read = readCallArguments(call.inside, reply.parameters(call.name));
    const { name, inside } = call;
    calls.push(
      read.ok ? { name, input: read.arguments, raw } : { name, input: inside, problem: read.reason, raw },
    );
    at = skipSpace(code, at);
    if (code[at] === "," || code[at] === ";") at = skipSpace(code, at + 1);
  }
  return calls.length === 0 ? undefined : calls;
}
