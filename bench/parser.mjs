// Throughput of the reply parser, and its worst case, beside JSON.parse over the same bytes.
import { parseReply } from "../packages/model-output/dist/replies.js";
import { report, spread } from "./lib/measure.mjs";

const tools = [
  {
    name: "calculator",
    parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
  },
  {
    name: "think",
    parameters: { type: "object", properties: { thought: { type: "string" } }, required: ["thought"] },
  },
];
const prose = "The quick brown fox jumps over the lazy dog, and nobody minds. ".repeat(60);
const replies = {
  "a ReAct call after 4 KB of thought": [
    "react",
    `Thought: ${prose}\nAction: calculator\nAction Input: {"expression": "12 * 12"}`,
  ],
  "a final answer of 4 KB": ["react", `Thought: done\nFinal Answer: ${prose}`],
  "a tagged JSON call": [
    "any",
    `${prose}\n<tool_call>{"name":"calculator","arguments":{"expression":"12 * 12"}}</tool_call>`,
  ],
  "a fenced program": ["codeact", `${prose}\n\`\`\`python\n${"x = 1\n".repeat(200)}\`\`\``],
};
const hostile = {
  markers: "Action: ",
  "open braces": "{",
  quotes: '"',
  fences: "```\n",
  "tool tags": "<tool_call>",
  backslashes: "\\",
};

function megabytesPerSecond(text, dialects) {
  const options = { tools, dialects };
  for (let index = 0; index < 200; index += 1) parseReply(text, options);
  const started = performance.now();
  let runs = 0;
  while (performance.now() - started < 300) {
    parseReply(text, options);
    runs += 1;
  }
  return (runs * text.length) / (performance.now() - started) / 1000;
}

const throughput = {};
for (const [name, [dialects, text]] of Object.entries(replies)) {
  throughput[name] = spread(
    [1, 2, 3].map(() => megabytesPerSecond(text, dialects)),
    1,
  );
}
const worst = {};
for (const [name, unit] of Object.entries(hostile)) {
  const text = unit.repeat(Math.ceil(10_000_000 / unit.length));
  const started = performance.now();
  const { kind } = parseReply(text, { tools, dialects: "any" });
  worst[name] = { millisecondsFor10MB: Math.round(performance.now() - started), kind };
}
const json = JSON.stringify({ text: prose.repeat(100) });
const begun = performance.now();
for (let index = 0; index < 100; index += 1) JSON.parse(json);
const floor = (100 * json.length) / (performance.now() - begun) / 1000;
report("parser", { megabytesPerSecond: throughput, worst, "JSON.parse, MB/s": Math.round(floor) });
