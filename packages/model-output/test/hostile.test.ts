import { describe, expect, it } from "vitest";
import {
  coerceArguments,
  extractCodeBlocks,
  findJsonObjects,
  parseLooseJson,
  parseReply,
} from "../src/replies.js";
import { tools } from "./tools.js";

const megabyte = 1_000_000;
const fill = (unit: string, size: number) => unit.repeat(Math.ceil(size / unit.length));

/** Reads a text in every dialect. */
function readAll(text: string): void {
  const codeLanguages = ["python", ""];
  const reply = parseReply(text, { tools, dialects: "any", codeLanguages, finishReason: "length" });
  expect(["final", "calls", "code", "malformed"]).toContain(reply.kind);
}

// The bounds are some twenty times what linear work takes here; quadratic work would take hours.
describe("10 MB of one thing", () => {
  const units: [string, string][] = [
    ["markers", "Action: calculator\nAction Input: {\n"],
    ["markers on one line", "Action: calculator Action Input: { "],
    ["thoughts", "Thought: a\n"],
    ["opening braces", "{"],
    ["objects that do not end", '{"a":'],
    ["quotes", '"'],
    ["apostrophes", "' "],
    ["backslashes", "\\"],
    ["fences", "```\n"],
    ["fences that only a line's end closes", "```a\nx```\n"],
    ["opening tags", "<tool_call>"],
    ["tags with open objects", '<tool_call>{"a":"'],
    ["spaces", " x".padEnd(2000)],
  ];

  it.each(units)("of %s is read in time linear in its length", { timeout: 120_000 }, (_name, unit) => {
    readAll(fill(unit, 10 * megabyte));
  });

  it.each(units)(
    "of %s in arguments is read in time linear in its length",
    { timeout: 60_000 },
    (_name, unit) => {
      const text = fill(unit, megabyte);
      const parameters = tools[1]?.parameters;
      for (const raw of [
        text,
        `{"path": "${text}`,
        `{'path': '${text}'}`,
        `{"path": "${text}"}`,
        `path=${text}`,
      ]) {
        expect(coerceArguments(raw, parameters)).toHaveProperty("ok");
        expect(parseLooseJson(raw, { closeBrackets: true })).toHaveProperty("ok");
      }
      expect(extractCodeBlocks(text).length + findJsonObjects(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});

describe("a long run of one thing behind another", () => {
  const units = [
    "[",
    "(",
    "}",
    "`",
    "~",
    "\n",
    "\r\n",
    "\t",
    "<",
    "#",
    "**",
    "- ",
    "1. ",
    "//",
    "/*",
    "“",
    "：",
    "\u2028",
    "\ud83d",
    "```a\nx```\n",
    "````\n```\n",
    "```json\n{\n",
    "<code>\n",
    "<code>a</code>\n",
    "<tool_call>{</tool_call>",
    "<tool_call>calculator $a=1 ",
    "<function=a>",
    "<function=calculator><parameter=a>",
    '<invoke name="a"><parameter name="b">',
    "<tool_call>calculator<arg_key>a</arg_key><arg_value>",
    "<a>",
    "$a=",
    "a: b\n",
    "[TOOL_CALLS]a{",
    "[TOOL_CALLS]a[ARGS]{}",
    "<|python_tag|>{",
    '<|python_tag|>{"name":"a","arguments":{}}{',
    "functools[{",
    "<｜tool▁call▁begin｜>a<｜tool▁sep｜>{",
    "functions.calculator:0{\n",
    "<|channel|>final<|message|>",
    "<|channel|>to=a<|message|>a<|end|>",
    "Action:\n",
    "Action: x\n",
    "Action: calculator(\n",
    "Action: calculator\nAction Input: ```\n",
    "Action: None\n",
    "Observation: \n",
    "Final Answer:\n",
    "Thought: a\nFinal Answer:\n",
    "Input:\n",
    "TOOL: calculator\nINPUT: {\n",
    ". Final Answer:",
    " Action: a Action Input:",
    '{"name":"calculator","arguments":{}}',
    '{"action":',
    '{"a":"<think>"}',
    "[1,],",
    "{//",
    "{'a':",
    '{"a" \n',
    "calculator(a=",
    "calculator(1),",
    "<think>",
    "</think>",
    "</s>",
    "```python\nx\n```\nOutput: a\n",
  ];
  const heads = [
    "",
    "Thought: x\nAction: calculator\nAction Input: ",
    "<tool_call>calculator\n",
    '{"action":"',
    "```python\n",
  ];

  it.each(heads)("is read in time linear in its length behind %j", { timeout: 120_000 }, (head) => {
    for (const unit of units) readAll(head + fill(unit, megabyte / 10));
  });
});
