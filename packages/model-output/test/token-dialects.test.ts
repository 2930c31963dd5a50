import { describe, expect, it } from "vitest";
import { tokenDialects } from "../src/replies.js";
import { calls, read } from "./tools.js";

const raw = String.raw;
const one = { expression: "1" };
const args = '{"expression":"1"}';
const call = `{"name":"calculator","arguments":${args}}`;

describe("parseReply with models' own marks", () => {
  it.each<[string, string]>([
    ["Hermes", `<tool_call>${call}</tool_call>`],
    ["Hermes on lines", `<tool_call>\n${call}\n</tool_call>`],
    ["a missing brace", `<tool_call>${call.slice(0, -1)}</tool_call>`],
    ["a surplus brace", `<tool_call>${call}}</tool_call>`],
    ["a missing closing tag", `<tool_call>${call}`],
    ["a Python dict", "<tool_call>{'name': 'calculator', 'arguments': {'expression': '1'}}</tool_call>"],
    ["a fence inside", `<tool_call>\n{"name": "calculator", "arguments": ${args},}\n</tool_call>`],
    ["function_call", `<function_call>${call}</function_call>`],
    ["a name and elements", "<tool_call>calculator\n<expression>1</expression></tool_call>"],
    ["an abbreviated name", "<tool_call>calc\n<expression>1</expression></tool_call>"],
    ["a name and dollar pairs", "<tool_call>calculator\n$expression=1</tool_call>"],
    ["a closing tag with the tool's name", "<tool_call>calculator\n$expression=1</calculator>"],
    ["a name and lines", '<tool_call>calculator\nexpression: "1"\n</tool_call>'],
    ["a name and an object", `<tool_call>calculator\n${args}</tool_call>`],
    ["a name and a call", '<tool_call>calculator(expression="1")</tool_call>'],
    ["a name and bare text", "<tool_call>calculator 1</tool_call>"],
    [
      "elements for name and arguments",
      `<tool_call><name>calculator</name><arguments>${args}</arguments></tool_call>`,
    ],
    ["GLM", "<tool_call>calculator\n<arg_key>expression</arg_key>\n<arg_value>1</arg_value>\n</tool_call>"],
    [
      "GLM on one line",
      "<tool_call>calculator<arg_key>expression</arg_key><arg_value>1</arg_value></tool_call>",
    ],
    [
      "Qwen3-Coder",
      "<tool_call>\n<function=calculator>\n<parameter=expression>\n1\n</parameter>\n</function>\n</tool_call>",
    ],
    ["function and parameter", "<function=calculator><parameter=expression>1</parameter></function>"],
    ["a parameter that is not closed", "<function=calculator><parameter=expression>1</function>"],
    [
      "Seed-OSS",
      "<seed:tool_call><function=calculator><parameter=expression>1</parameter></function></seed:tool_call>",
    ],
    ["Llama's function", `<function=calculator>${args}</function>`],
    [
      "invoke",
      '<function_calls>\n<invoke name="calculator">\n<parameter name="expression">1</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      "MiniMax",
      '<minimax:tool_call>\n<invoke name="calculator">\n<parameter name="expression">1</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    [
      "DeepSeek V3.2",
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="calculator">\n<｜DSML｜parameter name="expression" string="true">1</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    [
      "DeepSeek V3 and R1",
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>calculator\n\`\`\`json\n${args}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      "DeepSeek V3.1",
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>calculator<｜tool▁sep｜>${args}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ],
    [
      "Kimi K2",
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.calculator:0<|tool_call_argument_begin|>${args}<|tool_call_end|><|tool_calls_section_end|>`,
    ],
    ["Kimi K2 without marks", `functions.calculator:0${args}`],
    ["Mistral's list", `[TOOL_CALLS][${call}]`],
    ["Mistral's list with a space", `[TOOL_CALLS] [${call}]</s>`],
    ["Mistral's name", `[TOOL_CALLS]calculator${args}`],
    ["Mistral's marks", `[TOOL_CALLS]calculator[CALL_ID]abc123def[ARGS]${args}`],
    ["Llama 3.1", `<|python_tag|>{"name":"calculator","parameters":${args}}<|eom_id|>`],
    ["Granite", `<|tool_call|>[${call}]`],
    ["Phi-4-mini", `<|tool_call|>[${call}]<|/tool_call|>`],
    ["functools", `functools[${call}]`],
    [
      "Command R7B",
      `<|START_ACTION|>[{"tool_call_id":"0","tool_name":"calculator","parameters":${args}}]<|END_ACTION|>`,
    ],
    [
      "gpt-oss",
      `<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.calculator <|constrain|>json<|message|>${args}<|call|>`,
    ],
    [
      "gpt-oss, recipient first",
      `<|start|>assistant to=functions.calculator<|channel|>commentary json<|message|>${args}`,
    ],
    ["Llama 4's list", '[calculator(expression="1")]'],
    ["Gemma's tool_code", "```tool_code\nprint(calculator(expression='1'))\n```"],
    ["a call alone", "calculator(expression='1')"],
    ["a fence of its own", `\`\`\`xml\n<tool_call>${call}</tool_call>\n\`\`\``],
    ["tokens behind it", `<tool_call>${call}</tool_call><|im_end|>`],
  ])("reads %s", (_name, reply) => {
    for (const set of ["react", "structured", "codeact", "any"] as const) {
      expect(calls(read(reply, set))).toEqual([["calculator", one]]);
    }
  });

  it("reads several calls, with prose around them", () => {
    const reply = read(
      `First.\n<tool_call>${call}</tool_call>\n<tool_call>\nfile_read\n$path=a b\n$max_lines=3\n</tool_call>\nNow I wait.`,
    );
    expect(reply).toMatchObject({ kind: "calls", thought: "First.", discarded: "Now I wait." });
    expect(calls(reply)).toEqual([
      ["calculator", one],
      ["file_read", { path: "a b", max_lines: 3 }],
    ]);
    expect(calls(read(`[TOOL_CALLS]calculator${args}[TOOL_CALLS]file_read[ARGS]{"path":"x"}`))).toEqual([
      ["calculator", one],
      ["file_read", { path: "x" }],
    ]);
    expect(
      calls(
        read(
          `<|python_tag|>{"name":"calculator","parameters":${args}}; {"name":"file_read","parameters":{"path":"x"}}`,
        ),
      ),
    ).toHaveLength(2);
  });

  it("leaves the marks of a container out of the thought", () => {
    const inner = "<function=calculator>\n<parameter=expression>\n1\n</parameter>\n</function>";
    expect(read(`Hm.\n<tool_call>\n${inner}\n</tool_call>`)).toMatchObject({ thought: "Hm.", discarded: "" });
    expect(
      read(
        `<|tool_calls_section_begin|><|tool_call_begin|>functions.calculator:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>`,
      ),
    ).toMatchObject({ thought: "", discarded: "" });
  });

  it.each<[string, string, unknown]>([
    [
      "dollars in a dollar pair",
      "<tool_call>calculator\n$expression=$5+3</tool_call>",
      ["calculator", { expression: "$5+3" }],
    ],
    [
      "dollar pairs on one line",
      "<tool_call>file_read $path=a $max_lines=2</tool_call>",
      ["file_read", { path: "a", max_lines: 2 }],
    ],
    [
      "a dollar pair in a value",
      "<tool_call>shell_exec\n$command=echo $x=1</tool_call>",
      ["shell_exec", { command: "echo $x=1" }],
    ],
    [
      "lines in an element",
      "<function=shell_exec><parameter=command>\na\n\n b\n</parameter></function>",
      ["shell_exec", { command: "a\n\n b" }],
    ],
    [
      "tags in an element",
      "<function=shell_exec><parameter=command><b>&lt;</b></parameter></function>",
      ["shell_exec", { command: "<b>&lt;</b>" }],
    ],
    [
      "a number for text",
      "<tool_call>calculator<arg_key>expression</arg_key><arg_value>12</arg_value></tool_call>",
      ["calculator", { expression: "12" }],
    ],
    [
      "a number for a number",
      "<function=file_read><parameter=path>a</parameter><parameter=max_lines>\n12\n</parameter></function>",
      ["file_read", { path: "a", max_lines: 12 }],
    ],
    [
      "a closing tag in a string",
      raw`<tool_call>{"name":"shell_exec","arguments":{"command":"echo </tool_call> \"}\""}}</tool_call>`,
      ["shell_exec", { command: 'echo </tool_call> "}"' }],
    ],
    ["no arguments", "<tool_call>list_scheduled_tasks</tool_call>", ["list_scheduled_tasks", {}]],
    ["no parameters", "<function=list_scheduled_tasks></function>", ["list_scheduled_tasks", {}]],
  ])("keeps %s", (_name, reply, expected) => {
    expect(calls(read(reply))).toEqual([expected]);
  });

  it.each([
    "I can use <tool_call> tags.",
    'Write `<tool_call>{"name":"calculator","arguments":{}}</tool_call>` to call it.',
    'Models write\n```\nFor example: <tool_call>{"name":"x","arguments":{}}</tool_call>\n```',
    '```xml\n<tool_call>{"name":"nope","arguments":{}}</tool_call>\n```',
    "The [TOOL_CALLS] mark is Mistral's.",
    "See <function=name> in the docs.",
    "functions.nope:0{}",
    "[1] and (2)",
    "print(1)",
    "nope(expression='1')",
  ])("leaves text about marks as it is: %j", (reply) => {
    expect(read(reply)).toMatchObject({ kind: "final", text: reply });
  });

  it.each([
    ['<tool_call>{"name":"calculator","arguments":{"expression": x}}</tool_call>'],
    ['<tool_call>{"expression":"1"}</tool_call>'],
    ['[TOOL_CALLS]calculator{"expression": x}'],
    ["<|channel|>analysis<|message|>hm"],
  ])("asks again after a call that cannot be read: %j", (reply) => {
    expect(read(reply)).toMatchObject({ kind: "malformed", problem: "form" });
  });

  it.each([
    ['<tool_call>{"name":"calculator","arguments":{"expr'],
    ["<tool_call>calculator\n<expression>1"],
    ["<function=calculator><parameter=expression>1"],
    ['[TOOL_CALLS][{"name":"calculator"'],
    ['<|channel|>commentary to=functions.calculator<|message|>{"expr'],
  ])("makes no call that was cut off: %j", (reply) => {
    expect(read(reply, "react", { finishReason: "length" })).toMatchObject({
      kind: "malformed",
      problem: "cut",
    });
  });

  it("reads gpt-oss's channels", () => {
    const reply =
      "<|channel|>analysis<|message|>think<|end|><|start|>assistant<|channel|>final<|message|>Paris.<|return|>";
    expect(read(reply)).toMatchObject({ kind: "final", text: "Paris.", thought: "think" });
  });

  it("names an unknown tool", () => {
    expect(read('<tool_call>{"name":"nope","arguments":{"a":1}}</tool_call>')).toMatchObject({
      calls: [{ name: "nope", known: false, arguments: { a: 1 } }],
    });
  });

  it("names the models and the form of every mark", () => {
    for (const { models, form, opener } of tokenDialects) {
      expect(models).toMatch(/[A-Z]/);
      expect(form).toMatch(new RegExp(opener.replaceAll("NAME", "\\w+"), "u"));
    }
  });
});
