import { describe, expect, it } from "vitest";
import { calls, read } from "./tools.js";

const structured = (reply: string) => read(reply, "structured");

describe("parseReply with the structured mode's lines", () => {
  it.each<[string, string, unknown]>([
    ["JSON", 'THOUGHT: a\nTOOL: calculator\nINPUT: {"expression":"2+2"}', { expression: "2+2" }],
    ["bare text", "TOOL: calculator\nINPUT: 2+2", { expression: "2+2" }],
    ["a JSON string", 'TOOL: calculator\nINPUT: "2+2"', { expression: "2+2" }],
    ["an annotated name", "TOOL: calculator (best)\nINPUT: 2+2", { expression: "2+2" }],
    ["bold labels", '**TOOL:** calculator\n**INPUT:** {"expression":"2+2"}', { expression: "2+2" }],
    ["lower case", 'thought: a\ntool: calculator\ninput: {"expression":"2+2"}', { expression: "2+2" }],
    ["labels without line breaks", "THOUGHT: I compute TOOL: calculator INPUT: 2+2", { expression: "2+2" }],
    ["a stray fence behind", "TOOL: calculator\nINPUT: 2+2\n```", { expression: "2+2" }],
    ["a fence around the input", "TOOL: calculator\nINPUT:\n```\n2+2\n```", { expression: "2+2" }],
    [
      "an answer's label in the input",
      "TOOL: calculator\nINPUT: say FINAL_ANSWER: 3",
      { expression: "say FINAL_ANSWER: 3" },
    ],
    [
      "a line that begins like an answer",
      "TOOL: calculator\nINPUT: a\nFINALLY b",
      { expression: "a\nFINALLY b" },
    ],
    [
      "a thought about a tool",
      "THOUGHT: TOOL: x may help\nTOOL: calculator\nINPUT: 2+2",
      { expression: "2+2" },
    ],
    [
      "an answer behind it",
      'TOOL: calculator\nINPUT: {"expression":"2+2"}\nFINAL_ANSWER: 5',
      { expression: "2+2" },
    ],
    ["a JSON object", '{"thought": "a", "tool": "calculator", "input": "2+2"}', { expression: "2+2" }],
    [
      "a model's own marks",
      '<tool_call>{"name":"calculator","arguments":{"expression":"2+2"}}</tool_call>',
      { expression: "2+2" },
    ],
  ])("reads a call with %s", (_name, reply, args) => {
    expect(calls(structured(reply))).toEqual([["calculator", args]]);
  });

  it.each([
    ["THOUGHT: a\nFINAL_ANSWER: Paris"],
    ["THOUGHT: a\nFINAL ANSWER: Paris"],
    ["FINALANSWER: Paris"],
    ["**FINAL_ANSWER:** Paris"],
    ['{"thought": "a", "final_answer": "Paris"}'],
    ["FINAL_ANSWER: Paris\nTHOUGHT: now\nTOOL: calculator\nINPUT: 2"],
  ])("reads an answer from %j", (reply) => {
    expect(structured(reply)).toMatchObject({ kind: "final", text: "Paris" });
  });

  it("hands code on as it is", () => {
    for (const code of ["{'code': value}", '{"code": object()}', "print('''\n\nFINAL_ANSWER''')"]) {
      expect(calls(structured(`TOOL: code_interpreter\nINPUT: ${code}`))).toEqual([
        ["code_interpreter", { code }],
      ]);
    }
  });

  it("says what is missing", () => {
    expect(structured("TOOL:\nINPUT: x")).toMatchObject({
      kind: "malformed",
      reason: "TOOL: names no tool.",
      hint: expect.stringContaining("FINAL_ANSWER: the answer"),
    });
    expect(structured("THOUGHT: hm")).toMatchObject({ kind: "malformed", problem: "form", remainder: "hm" });
    expect(structured("Hello!")).toMatchObject({ kind: "final", text: "Hello!" });
  });

  it.each(["For example:\nInput: 5\nOutput: 25", "Tool: a hammer\nUse it well."])(
    "leaves prose untouched: %j",
    (reply) => {
      expect(structured(reply)).toMatchObject({ kind: "final", text: reply });
      expect(read(reply, "any")).toMatchObject({ kind: "final", text: reply });
    },
  );

  it("reads the lines of the other text mode as prose", () => {
    expect(structured("Action: x\nAction Input: y")).toMatchObject({ kind: "final" });
  });
});
