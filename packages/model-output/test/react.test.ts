import { describe, expect, it } from "vitest";
import { calls, read } from "./tools.js";

const one = { expression: "1" };
const input = 'Action Input: {"expression":"1"}';

describe("parseReply with ReAct lines", () => {
  it.each<[string, string, unknown]>([
    ["an action and its input", `Action: calculator\n${input}`, one],
    ["prose before the action", `Let me compute that.\n\nAction: calculator\n${input}`, one],
    [
      "a thought that speaks of a final answer",
      `Thought: I will give a Final Answer: later\nAction: calculator\n${input}`,
      one,
    ],
    ["a final answer in reasoning", `<think>Final Answer: no</think>\nAction: calculator\n${input}`, one],
    ["lower case", `thought: a\naction: calculator\naction input: {"expression":"1"}`, one],
    ["bold labels", '**Thought:** ok\n**Action:** `calculator`\n**Action Input:** {"expression":"1"}', one],
    [
      "bold labels, colons outside",
      '**Thought**: ok\n**Action**: calculator\n**Action Input**: {"expression":"1"}',
      one,
    ],
    ["bold lines", '**Action: calculator**\n**Action Input: {"expression":"1"}**', one],
    ["headings", '### Thought\nok\n### Action: calculator\n### Action Input\n{"expression":"1"}', one],
    ["bullets", '- Thought: ok\n- Action: calculator\n- Action Input: {"expression":"1"}', one],
    ["quotes", '> Action: calculator\n> Action Input: {"expression":"1"}', one],
    ["numbered steps", 'Thought 1: ok\nAction 1: calculator\nAction Input 1: {"expression":"1"}', one],
    ["a numbered list", '1. Thought: ok\n2. Action: calculator\n3. Action Input: {"expression":"1"}', one],
    ["joined labels", 'Action: calculator\nAction_Input: {"expression":"1"}', one],
    ["a full-width colon", 'Action：calculator\nAction Input：{"expression":"1"}', one],
    ["a short label for the input", 'Action: calculator\nInput: {"expression":"1"}', one],
    ["CRLF", 'Thought: a\r\nAction: calculator\r\nAction Input: {"expression":"1"}\r\n', one],
    ["a fence around the whole reply", `\`\`\`\nThought: a\nAction: calculator\n${input}\n\`\`\``, one],
    ["an abbreviated name", `**Action:** calc\n${input}`, one],
    ["a name in code", `Action: \`calculator\`\n${input}`, one],
    ["another case", `Action: Calculator\n${input}`, one],
    ["a prefix", `Action: functions.calculator\n${input}`, one],
    ["an annotation", `Action: calculator (best)\n${input}`, one],
    ["a name on the next line", `Action:\ncalculator\n${input}`, one],
    ["a call with a string", 'Action: calculator("1")', one],
    ["a call with an object", 'Thought: go\nAction: calculator({"expression": "1"})', one],
    ["a call with a keyword", "Action: calculator(expression='1')", one],
    ["a call with bare text", "Action: calculator(1)", one],
    ["the paper's brackets", "Action: calculator[1]", one],
    ["a call and an empty input", "Action: calculator(1)\nAction Input:\nObservation: 1", one],
    ["pretty-printed input", 'Action: calculator\nAction Input:\n{\n  "expression": "1"\n}', one],
    [
      "blank lines in the input",
      'Action: calculator\nAction Input:\n\n{\n\n  "expression": "1 +\\n\\n2"\n\n}\n',
      { expression: "1 +\n\n2" },
    ],
    ["braces in strings", 'Action: calculator\nAction Input: {"expression": "}{"}', { expression: "}{" }],
    [
      "fenced input",
      'Action: calculator\nAction Input:\n```json\n{"expression": "1"}\n```\nObservation: 1',
      one,
    ],
    [
      "a fence on the label's line",
      'Action: calculator\nAction Input: ```json\n{"expression": "1"}\n```',
      one,
    ],
    [
      "a fence that is never closed",
      'Action: calculator\nAction Input: ```json\n{"expression": "1"}\nObservation: 1',
      one,
    ],
    ["input in a code span", 'Action: calculator\nAction Input: `{"expression": "1"}`', one],
    ["a trailing comma", 'Action: calculator\nAction Input: {"expression": "1",}', one],
    ["single quotes", "Action: calculator\nAction Input: {'expression': '1'}", one],
    ["bare text", "Action: calculator\nAction Input: 2+2", { expression: "2+2" }],
    ["a quoted string", 'Action: calculator\nAction Input: "2+2"', { expression: "2+2" }],
    ["prose behind the input", `Action: calculator\n${input}\n\nI will wait for the result.`, one],
    [
      "labels in a string",
      'Action: calculator\nAction Input: {"expression": "a\nFinal Answer: b\nAction: c"}',
      { expression: "a\nFinal Answer: b\nAction: c" },
    ],
    [
      "reasoning tags in a string",
      'Action: calculator\nAction Input: {"expression": "<think>[THINK]</think>"}',
      { expression: "<think>[THINK]</think>" },
    ],
    [
      "an object in place of a name",
      'Action:\n```json\n{"action": "calculator", "action_input": "1"}\n```',
      one,
    ],
    [
      "a list in place of a name",
      'Action: [{"tool_name": "calculator", "parameters": {"expression": "1"}}]',
      one,
    ],
    ["an object below the name", 'Action: calculator\n{"expression": "1"}', one],
    ["an object behind the name", 'Action: calculator {"expression": "1"}', one],
    ["a colon behind the name", "Thought: x\nAction: calculator: 1\n", one],
    [
      "a brace missing before the next label",
      'Action: calculator\nAction Input: {"expression": "1"\nObservation: 1',
      one,
    ],
    ["a surplus brace", 'Action: calculator\nAction Input: {"expression": "1"}}\nObservation: 1', one],
    [
      "labels without line breaks",
      'Thought: go. Action: calculator Action Input: {"expression":"1"} Observation: 2',
      one,
    ],
    [
      "an observation that is repeated first",
      `Observation: 3\nThought: go on\nAction: calculator\n${input}`,
      one,
    ],
  ])("reads a call from %s", (_name, reply, args) => {
    expect(calls(read(reply))).toEqual([["calculator", args]]);
  });

  it("throws away what follows an observation that the model made up", () => {
    const call = 'Thought: use tool\nAction: calculator\nAction Input: {"expression":"12*12"}';
    const made = "Observation: 150\nFinal Answer: 150";
    expect(read(`${call}\n${made}`)).toEqual({
      kind: "calls",
      calls: [
        {
          name: "calculator",
          known: true,
          arguments: { expression: "12*12" },
          raw: 'Action: calculator\nAction Input: {"expression":"12*12"}',
        },
      ],
      thought: "use tool",
      reasoning: "",
      kept: call,
      discarded: made,
    });
  });

  it("reads both of two pairs and merges neither", () => {
    const reply = `Thought: a\nAction: calculator\n${input}\nThought: b\nAction: file_read\nAction Input: x.md`;
    expect(calls(read(reply))).toEqual([
      ["calculator", one],
      ["file_read", { path: "x.md" }],
    ]);
  });

  it("passes every argument of a Python dict", () => {
    const reply = "Action: file_read\nAction Input: {'path': '/tmp/a.txt', 'max_lines': 2}";
    expect(calls(read(reply))).toEqual([["file_read", { path: "/tmp/a.txt", max_lines: 2 }]]);
  });

  it("passes code with blank lines and labels in its strings", () => {
    const code = 'import x\n\nprint("""\nFinal Answer: 3\n""")';
    const reply = `Action: code_interpreter\nAction Input:\n\`\`\`python\n${code}\n\`\`\`\nObservation: 3`;
    expect(calls(read(reply))).toEqual([["code_interpreter", { code }]]);
    expect(calls(read(`Action: code_interpreter\nAction Input: import x\n\nprint(1)`))).toEqual([
      ["code_interpreter", { code: "import x\n\nprint(1)" }],
    ]);
  });

  it("adds a missing brace at the end only when the model is known to have ended there", () => {
    const reply = 'Action: calculator\nAction Input: {"expression": "1"';
    expect(calls(read(reply, "react", { finishReason: "stop" }))).toEqual([["calculator", one]]);
    expect(read(reply)).toMatchObject({ calls: [{ problem: expect.stringContaining("not closed") }] });
    expect(read(reply, "react", { finishReason: "length" })).toMatchObject({ problem: "cut" });
  });

  it("reads the slips of JSON that holds code", () => {
    for (const [written, code] of [
      ['{"code": "print("hello")"}', 'print("hello")'],
      ['{"code": "for i in x:\n    print(i)\n\nprint(1)"}', "for i in x:\n    print(i)\n\nprint(1)"],
    ] as const) {
      expect(calls(read(`Action: code_interpreter\nAction Input: ${written}`))).toEqual([
        ["code_interpreter", { code }],
      ]);
    }
  });

  it("calls a tool without input", () => {
    expect(calls(read("Action: list_scheduled_tasks"))).toEqual([["list_scheduled_tasks", {}]]);
    expect(calls(read("Action: list_scheduled_tasks\nAction Input: None"))).toEqual([
      ["list_scheduled_tasks", {}],
    ]);
  });

  it("names a tool that does not exist as it was written", () => {
    expect(read("Thought: a\nAction: `nope`\nAction Input: {}")).toMatchObject({
      kind: "calls",
      calls: [{ name: "nope", known: false, arguments: {} }],
    });
  });

  it("leaves the arguments of a tool that does not exist as they were written", () => {
    expect(read("Thought: a\nAction: nope\nAction Input: 5 apples")).toMatchObject({
      calls: [{ name: "nope", known: false, arguments: "5 apples" }],
    });
  });

  it("says why arguments cannot be read", () => {
    const reply = read('Action: file_read\nAction Input: {"path": "a" "b"}');
    expect(reply).toMatchObject({
      calls: [
        {
          arguments: '{"path": "a" "b"}',
          problem: expect.stringContaining('"max_lines": integer, optional'),
        },
      ],
    });
  });

  it.each<[string, string, string]>([
    ["a final answer", "Thought: I know.\nFinal Answer: 42", "42"],
    [
      "several lines",
      "Final Answer: one\n\ntwo\n- Observation of birds\n",
      "one\n\ntwo\n- Observation of birds",
    ],
    ["a bold label", "**Final Answer:** **42** is it", "**42** is it"],
    ["a bold line", "**Final Answer: 42**", "42"],
    ["a heading", "## Final Answer\n\n42", "42"],
    ["LlamaIndex's label", "Thought: I can answer.\nAnswer: 42", "42"],
    ["an action that is the answer", "Thought: d\nAction: Final Answer\nAction Input: 42", "42"],
    ["the paper's way to finish", "Thought 2: d\nAction 2: Finish[42]", "42"],
    ["an answer in the thought's line", "Thought: I know it now. Final Answer: 42", "42"],
    [
      "another round behind it",
      "Final Answer: 42\n\nThought: more?\nAction: calculator\nAction Input: 1",
      "42",
    ],
    ["a fence in the answer", "Final Answer: run\n```python\nprint(1)\n```", "run\n```python\nprint(1)\n```"],
    ["tags in code", "Final Answer: write `<think>`", "write `<think>`"],
    [
      "no action",
      "Thought: nothing to call\nAction: None\nAction Input: None\nThe capital is Paris.",
      "The capital is Paris.",
    ],
    ["N/A", "Thought: x\nAction: N/A\n\nParis.", "Paris."],
    ["no need", "Thought: x\nAction: none needed\nFinal Answer: Paris", "Paris"],
    [
      "prose that gives up calling",
      "Thought: x\nAction: I can answer this myself\nFinal Answer: Paris",
      "Paris",
    ],
  ])("reads an answer from %s", (_name, reply, text) => {
    expect(read(reply)).toMatchObject({ kind: "final", text });
  });

  it.each([
    "The largest prime below 65 is 61.",
    "My recommended Action: rest more",
    "Action: rest more\nDrink water.",
    "Plan\nAction: rest more\nAction: sleep",
    "Seen today.\nObservation: the cat sleeps.\nIt is fine.",
    "The inputs:\nInput: 3\nAnswer: none",
    "My analysis follows.\n\nThoughts: it is fine.",
    "```python\nprint(1)\n```",
    "Write\n```\nKey: value\n```",
  ])("leaves prose untouched: %j", (reply) => {
    expect(read(reply)).toEqual({
      kind: "final",
      text: reply,
      thought: "",
      reasoning: "",
      kept: reply,
      discarded: "",
    });
  });

  it.each<[string, string, string, RegExp]>([
    ["an action without a name", "Thought: hmm\nAction:", "form", /Action: names no tool/],
    ["an action without a name, with input", "Action:\nAction Input: 1", "form", /names no tool/],
    ["a thought alone", "Thought: The capital may be Paris.", "form", /neither Action: .* nor Final Answer:/],
    ["input alone", "Action Input: 1", "form", /without Action:/],
    ["an answer without text", "Thought: a\nFinal Answer:", "form", /Nothing stands after Final Answer:/],
    ["no action and nothing else", "Action: None", "form", /names no tool/],
    [
      "an observation without an action",
      "Thought: compute\nObservation: 150\nFinal Answer: 150",
      "form",
      /Observation yourself/,
    ],
    ["nothing", "", "empty", /empty/],
    ["white space", " \n\t", "empty", /empty/],
    ["tokens that end a turn", "<|im_end|>", "empty", /empty/],
    ["reasoning that never ends", "<think>unclosed", "reasoning", /nothing but reasoning/],
    ["reasoning alone", "<think>a</think>", "reasoning", /nothing but reasoning/],
  ])("asks again after %s", (_name, reply, problem, reason) => {
    expect(read(reply)).toMatchObject({
      kind: "malformed",
      problem,
      reason: expect.stringMatching(reason),
      hint: expect.stringMatching(
        /^Write either\nThought:[\s\S]*Action Input: a JSON object[\s\S]*Final Answer:/,
      ),
    });
  });

  it("keeps what can be shown when asking again does not help", () => {
    expect(read("Thought: The capital is Paris.")).toMatchObject({ remainder: "The capital is Paris." });
    expect(read("<think>secret")).toMatchObject({ remainder: "", reasoning: "secret" });
  });

  it.each([
    ["an unclosed object", 'Thought: a\nAction: calculator\nAction Input: {"expression": "1'],
    ["bare text, which may go on", "Action: calculator\nAction Input: 12"],
    ["an action's name", "Thought: a\nAction: calc"],
    ["a thought", "Thought: let me"],
    ["reasoning", "<think>let me"],
    ["an unclosed fence", "Action: code_interpreter\nAction Input:\n```python\nprint(1"],
  ])("runs nothing of a reply that was cut off in %s", (_name, reply) => {
    expect(read(reply, "react", { finishReason: "length" })).toMatchObject({
      kind: "malformed",
      problem: "cut",
      hint: expect.stringMatching(/^Write less at a time\./),
    });
  });

  it("makes a call that was complete before the reply was cut off", () => {
    const reply = `Action: calculator\n${input}\nObservation: it is`;
    expect(calls(read(reply, "react", { finishReason: "length" }))).toEqual([["calculator", one]]);
    expect(read("Final Answer: it is", "react", { finishReason: "length" })).toMatchObject({
      kind: "final",
      text: "it is",
    });
  });
});
