import { describe, expect, it } from "vitest";
import { calls, read } from "./tools.js";

const codeact = (reply: string, options = {}) => read(reply, "codeact", options);
const codes = (reply: string, options = {}) => {
  const found = codeact(reply, options);
  return found.kind === "code" ? found.blocks.map(({ code }) => code) : found;
};

describe("parseReply with code", () => {
  it.each<[string, string, string[]]>([
    [
      "a block behind one without language",
      'Plan:\n```\nnot code at all\n```\nCode:\n```python\nprint("ok")\n```',
      ['print("ok")'],
    ],
    ["a code element", "<code>print(1)</code>", ["print(1)"]],
    ["tildes", "~~~python\nprint(3)\n~~~", ["print(3)"]],
    ["four backticks", "````python\nprint(3)\n````", ["print(3)"]],
    ["py", "```py\nprint(3)\n```", ["print(3)"]],
    ["capitals", "```Python\nprint(3)\n```", ["print(3)"]],
    ["two blocks", "```python\na\n```\nthen\n```python\nb\n```", ["a", "b"]],
    ["a thought before it", "Thought: compute\n```python\na\n```", ["a"]],
    ["a fence that the model forgot", "```python\nprint(1)", ["print(1)"]],
    ["Llama's tag", "<|python_tag|>print(1)<|eom_id|>", ["print(1)"]],
    ["a block of another language before it", "```json\n{}\n```\n```python\na\n```", ["a"]],
    ["a block behind a made-up result", "```python\na\n```\nOutput: 3\n```python\nb\n```", ["a"]],
    [
      "code with an action in it",
      '```python\nprint("""\nAction: calculator\nAction Input: 1\n""")\n```',
      ['print("""\nAction: calculator\nAction Input: 1\n""")'],
    ],
    [
      "code with marks in it",
      '```python\nx = "<tool_call>{}</tool_call>"\n```',
      ['x = "<tool_call>{}</tool_call>"'],
    ],
  ])("finds %s", (_name, reply, expected) => {
    expect(codes(reply)).toEqual(expected);
  });

  it("keeps the text before the code and discards the text behind it", () => {
    expect(codeact("Sure!\n```python\nprint(6*7)\n```\nThis prints 42.")).toMatchObject({
      kind: "code",
      thought: "Sure!",
      kept: "Sure!\n```python\nprint(6*7)\n```",
      discarded: "This prints 42.",
      blocks: [{ language: "python", closed: true }],
    });
  });

  it.each([
    "Here is the result: 4",
    "print(1)",
    "```json\n{}\n```",
    "```\nls\n```",
    "```python\n\n```",
    "Use `print(1)`.",
  ])("takes %j for an answer", (reply) => {
    expect(codeact(reply)).toMatchObject({ kind: "final", text: reply });
  });

  it("takes code for an answer when nothing can run it", () => {
    const reply = "Like so:\n```python\nprint(1)\n```";
    expect(codeact(reply, { codeLanguages: [] })).toMatchObject({ kind: "final", text: reply });
    expect(read(reply, "react")).toMatchObject({ kind: "final", text: reply });
    expect(read(reply, "any")).toMatchObject({ kind: "final", text: reply });
  });

  it("takes fences without a language when asked to, and only when no other is there", () => {
    const codeLanguages = ["javascript", "js", ""];
    expect(codes("```\nx\n```", { codeLanguages })).toEqual(["x"]);
    expect(codes("```\nx\n```\n```js\ny\n```", { codeLanguages })).toEqual(["y"]);
    expect(codes("```python\nx\n```", { codeLanguages })).toMatchObject({ kind: "final" });
  });

  it("does not read what a program calls", () => {
    expect(codes("```python\nFINAL(max(1, (2+3)))\n# FINAL(1)\n```")).toEqual([
      "FINAL(max(1, (2+3)))\n# FINAL(1)",
    ]);
  });

  it.each([
    ['```python\nprint("half'],
    ["Plan:\n```\nprint("],
    ["```python\nprint(1)\n```\n```python\nprint("],
  ])("runs nothing of code that was cut off: %j", (reply) => {
    expect(codeact(reply, { finishReason: "length" })).toMatchObject({ kind: "malformed", problem: "cut" });
  });

  it("lets an answer that was cut off be continued", () => {
    expect(codeact("The answer is", { finishReason: "length" })).toMatchObject({
      kind: "final",
      text: "The answer is",
    });
  });

  it("reads calls in all ways beside code, the earliest first", () => {
    const call = 'Action: calculator\nAction Input: {"expression":"6*7"}';
    const expected = [["calculator", { expression: "6*7" }]];
    expect(calls(codeact(call))).toEqual(expected);
    expect(calls(codeact("<tool_call>calculator\n$expression=6*7</calculator>"))).toEqual(expected);
    expect(calls(codeact(`${call}\n\n\`\`\`python\nprint(1)\n\`\`\``))).toEqual(expected);
    expect(codes(`\`\`\`python\nprint(1)\n\`\`\`\n${call}`)).toEqual(["print(1)"]);
    expect(codeact("Final Answer: run\n```python\nprint(1)\n```")).toMatchObject({ kind: "final" });
  });
});
