import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DialectSet, parseReply, type Reply } from "../src/replies.js";
import { tools } from "./tools.js";

/** `FUZZ_RUNS=200000 npx vitest run packages/model-output/test/fuzz.test.ts` looks harder. */
const numRuns = Number(process.env.FUZZ_RUNS ?? 4000);

const piece = fc.oneof(
  fc.constantFrom(
    "Thought:",
    "Action:",
    "Action Input:",
    "Observation:",
    "Final Answer:",
    "TOOL:",
    "INPUT:",
    "FINAL_ANSWER:",
    "Answer:",
    "Input:",
    "**",
    "### ",
    "- ",
    "> ",
    "1. ",
    "`",
    "```",
    "```json\n",
    "```python\n",
    "~~~",
    "<code>",
    "</code>",
    "<think>",
    "</think>",
  ),
  fc.constantFrom(
    "<tool_call>",
    "</tool_call>",
    "<function=calculator>",
    "</function>",
    "<parameter=expression>",
    "</parameter>",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    '<invoke name="calculator">',
    "</invoke>",
    "[TOOL_CALLS]",
    "[ARGS]",
    "<|python_tag|>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>",
    "<|channel|>",
    "final",
    "<|message|>",
    "<|end|>",
    "$expression=",
    "functions.calculator:0",
  ),
  fc.constantFrom(
    '{"name":"calculator","arguments":{"expression":"1"}}',
    '{"thought":"t","action":"calculator","action_input":',
    '"final_answer":',
    '{"expression": "1+1"}',
    "{'path': 'a'}",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    '"',
    "'",
    "\\",
    ",",
    ":",
    ";",
    "=",
    "True",
    "1",
    "2+2",
  ),
  fc.constantFrom(
    "calculator",
    "file_read",
    "nope",
    "None",
    "calculator(1)",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "\t",
    "a",
    "é",
    "🙂",
    "\ud800",
    "\u2028",
  ),
  fc.string({ maxLength: 6 }),
);
const modelText = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
const sets: DialectSet[] = ["react", "structured", "codeact", "any"];

function check(reply: Reply, text: string): void {
  expect(reply.thought.length + reply.reasoning.length).toBeLessThanOrEqual(2 * text.length);
  if (reply.kind === "malformed") {
    expect(reply.reason).toMatch(/[.:]/);
    expect(reply.hint).toMatch(/^Write /);
    return;
  }
  // What is kept and what is discarded are parts of the text, in this order.
  expect(reply.kept.length + reply.discarded.length).toBeLessThanOrEqual(text.length);
  if (reply.kind === "final") expect(reply.text.trim()).not.toBe("");
  if (reply.kind === "code") {
    expect(reply.blocks.length).toBeGreaterThan(0);
    for (const { code } of reply.blocks) expect(code.trim()).not.toBe("");
  }
  if (reply.kind !== "calls") return;
  expect(reply.calls.length).toBeGreaterThan(0);
  for (const call of reply.calls) {
    expect(tools.some(({ name }) => name === call.name)).toBe(call.known);
    expect([...call.name].length).toBeLessThanOrEqual(65);
    if (call.known) expect(typeof call.arguments === "string").toBe(call.problem !== undefined);
    else expect(call.problem).toBeUndefined();
    expect(call.raw).not.toBe("");
  }
}

describe("any text", () => {
  it("is read without an exception into a reply that keeps its promises", { timeout: 600_000 }, () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(
        modelText,
        fc.constantFrom(...sets),
        fc.constantFrom("stop", "length", undefined),
        (text, dialects, finishReason) => {
          const reply = parseReply(text, { tools, dialects, finishReason });
          kinds.add(reply.kind);
          check(reply, text);
          expect(parseReply(text, { tools, dialects, finishReason })).toEqual(reply);
        },
      ),
      { numRuns },
    );
    expect([...kinds].sort()).toEqual(["calls", "code", "final", "malformed"]);
  });
});
