import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReply, type ReplyTool } from "../src/replies.js";
import { pythonRepr } from "./python-repr.js";

const name = "do_it";
const properties = {
  text: { type: "string" },
  more: { type: "string" },
  count: { type: "integer" },
  ratio: { type: "number" },
  flag: { type: "boolean" },
  list: { type: "array" },
  data: { type: "object" },
};
const tools: readonly ReplyTool[] = [{ name: "other" }, { name, parameters: { type: "object", properties } }];

type Arguments = Record<string, unknown>;

const pieces = [
  '"',
  "'",
  "\\",
  "\n",
  "\t",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  ",",
  ":",
  "=",
  " ",
  "a",
  "é",
  "🙂",
  "`",
  "```",
  "~~~",
  "$x",
  "<",
  ">",
  "//",
  "#",
  "<think>",
  "</think>",
  "<tool_call>",
  "</tool_call>",
  "</parameter>",
  "\nAction: other",
  "\nFinal Answer: no",
  "\nObservation: x",
  "True",
  "None",
  "“",
  "’",
  "\r\n",
  "\u2028",
];
const anyText = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join(""));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    anyText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 3 }),
  ),
}));

function argumentsOf(text: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>): fc.Arbitrary<Arguments> {
  return fc.record(
    {
      text,
      more: text,
      count: fc.integer(),
      ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => (number === 0 ? 0 : number)),
      flag: fc.boolean(),
      list: fc.array(value, { maxLength: 3 }),
      data: fc.dictionary(fc.string({ unit: "grapheme" }), value, { maxKeys: 3 }),
    },
    { requiredKeys: [] },
  );
}

const all = argumentsOf(anyText, json.value);
/** A call that is no JSON object is separated from reasoning by the tags alone. */
const withoutTags = argumentsOf(
  anyText.map((text) => text.replaceAll("think", "")),
  fc.oneof(fc.integer(), fc.constantFrom("x", "it's", true, null, [1, "é"])),
);
/** A value between tags: anything that does not hold the tags themselves. */
const tagged = argumentsOf(
  anyText.map((text) => text.replace(/<[^>]*>?|`/g, "<b>")),
  fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom("x", "é 🙂", 'a "b"')),
);
const plain = argumentsOf(
  fc
    .string({ unit: fc.constantFrom("a", "b", "1", ".", "/", "é", "🙂", "-", "'") })
    .map((text) => `v${text}v`),
  fc.integer(),
);

const written = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const entries = (args: Arguments, write: (key: string, value: string) => string) =>
  Object.entries(args)
    .map(([key, value]) => write(key, written(value)))
    .join("\n");
const object = (args: Arguments) => JSON.stringify({ name, arguments: args });
const pretty = (args: Arguments) => JSON.stringify({ name, arguments: args }, undefined, 2);

const dialects: [string, fc.Arbitrary<Arguments>, (args: Arguments) => string][] = [
  ["JSON", all, object],
  ["pretty JSON", all, pretty],
  ["JSON in a fence", all, (args) => `\`\`\`json\n${pretty(args)}\n\`\`\``],
  ["arguments as text", all, (args) => JSON.stringify({ name, arguments: JSON.stringify(args) })],
  [
    "OpenAI's nesting",
    all,
    (args) => `[{"type":"function","function":${JSON.stringify({ name, arguments: JSON.stringify(args) })}}]`,
  ],
  ["a ReAct object", all, (args) => JSON.stringify({ thought: "t", action: name, action_input: args })],
  [
    "ReAct lines",
    all,
    (args) => `Thought: t\nAction: ${name}\nAction Input: ${JSON.stringify(args)}\nObservation: x`,
  ],
  [
    "ReAct lines, pretty",
    all,
    (args) => `Action: ${name}\nAction Input:\n${JSON.stringify(args, undefined, 2)}\n`,
  ],
  [
    "ReAct lines, fenced",
    all,
    (args) => `Action: ${name}\nAction Input:\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\``,
  ],
  ["a ReAct call", all, (args) => `Thought: t\nAction: ${name}(${JSON.stringify(args)})`],
  ["structured lines", all, (args) => `THOUGHT: t\nTOOL: ${name}\nINPUT: ${JSON.stringify(args)}`],
  ["Hermes", all, (args) => `<tool_call>\n${object(args)}\n</tool_call>`],
  ["Hermes without an end", all, (args) => `<tool_call>${object(args)}`],
  ["Llama's function", all, (args) => `<function=${name}>${JSON.stringify(args)}</function>`],
  [
    "Llama's python_tag",
    all,
    (args) => `<|python_tag|>${JSON.stringify({ name, parameters: args })}<|eom_id|>`,
  ],
  ["Mistral's list", all, (args) => `[TOOL_CALLS][${object(args)}]`],
  ["Mistral's name", all, (args) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`],
  [
    "DeepSeek",
    all,
    (args) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  ],
  [
    "DeepSeek R1",
    all,
    (args) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜>`,
  ],
  [
    "Kimi K2",
    all,
    (args) =>
      `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|>`,
  ],
  ["Granite", all, (args) => `<|tool_call|>[${object(args)}]`],
  [
    "Command R7B",
    all,
    (args) => `<|START_ACTION|>[${JSON.stringify({ tool_name: name, parameters: args })}]<|END_ACTION|>`,
  ],
  [
    "gpt-oss",
    all,
    (args) =>
      `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
  ],
  [
    "Python's call",
    withoutTags,
    (args) =>
      `[${name}(${Object.entries(args)
        .map(([key, value]) => `${key}=${pythonRepr(value)}`)
        .join(", ")})]`,
  ],
  ["Python's dict", all, (args) => `Action: ${name}\nAction Input: ${pythonRepr(args)}`],
  [
    "Qwen3-Coder",
    tagged,
    (args) =>
      `<tool_call>\n<function=${name}>\n${entries(args, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>\n</tool_call>`,
  ],
  [
    "invoke",
    tagged,
    (args) =>
      `<invoke name="${name}">\n${entries(args, (key, value) => `<parameter name="${key}">\n${value}\n</parameter>`)}\n</invoke>`,
  ],
  [
    "GLM",
    tagged,
    (args) =>
      `<tool_call>${name}\n${entries(args, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
  ],
  [
    "elements",
    tagged,
    (args) =>
      `<tool_call>${name}\n${entries(args, (key, value) => `<${key}>\n${value}\n</${key}>`)}\n</tool_call>`,
  ],
  [
    "dollar pairs",
    plain,
    (args) => `<tool_call>${name}\n${entries(args, (key, value) => `$${key}=${value}`)}\n</tool_call>`,
  ],
  [
    "lines",
    plain,
    (args) => `<tool_call>${name}\n${entries(args, (key, value) => `${key}: ${value}`)}\n</tool_call>`,
  ],
];

describe("a random call", () => {
  it.each(dialects)("comes back exactly from %s", (_dialect, generator, write) => {
    fc.assert(
      fc.property(generator, (args) => {
        const reply = parseReply(write(args), {
          tools,
          dialects: _dialect === "structured lines" ? "structured" : "react",
        });
        expect(reply).toMatchObject({ kind: "calls", calls: [{ name, known: true }] });
        const [call] = reply.kind === "calls" ? reply.calls : [];
        // The one thing that is refused rather than guessed: a path with a drive between Python's quotes.
        if (call?.problem === undefined) expect(call?.arguments).toEqual(args);
        else expect(write(args)).toMatch(/['"][A-Za-z]:\\/);
      }),
      { numRuns: 300 },
    );
  });
});
