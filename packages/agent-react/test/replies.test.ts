import { defineTool } from "@openjarvis/core";
import { spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { act, calculator, exchange, outcomes, setup, sum, think } from "./setup.js";

const command = spyTool("shell_exec");
const file = defineTool({
  name: "file_read",
  description: "Reads.",
  parameters: {
    type: "object",
    properties: { path: { type: "string" }, max_lines: { type: "integer" } },
    required: ["path"],
  } as const,
  run: ({ path, max_lines }) => `${path}:${max_lines ?? "all"}`,
});
const tools = [calculator, think, file, command.tool];

const calling: [string, string, string[]][] = [
  ["the form of the prompt", sum("2+2"), ["4"]],
  [
    "a call with an invented observation and answer",
    `${sum("2+2")}\nObservation: 99\nFinal Answer: 99`,
    ["4"],
  ],
  [
    "a thought about a final answer",
    `Thought: I will give a Final Answer: later\nAction: calculator\nAction Input: {"expression":"2+2"}`,
    ["4"],
  ],
  ["an answer within reasoning", `<think>Final Answer: no</think>\n${sum("2+2")}`, ["4"]],
  ["reasoning whose opener is in the template", `Final Answer: no\n</think>\n${sum("2+2")}`, ["4"]],
  [
    "prose instead of a thought",
    'Let me compute that.\n\nAction: calculator\nAction Input: {"expression":"9-4"}',
    ["5"],
  ],
  ["blank lines inside the object", act("calculator", '{\n\n  "expression":\n\n  "2+2"\n\n}'), ["4"]],
  [
    "an object on the lines below",
    'Action: calculator\nAction Input:\n{\n  "expression": "1 +\\n 2"\n}',
    ["3"],
  ],
  ["a fence around the input", act("calculator", '\n```json\n{"expression": "2+2"}\n```'), ["4"]],
  ["a fence around all", `\`\`\`\n${sum("2+2")}\n\`\`\``, ["4"]],
  ["a trailing comma", act("calculator", '{"expression": "2+2",}'), ["4"]],
  ["single quotes", act("file_read", "{'path': '/tmp/a.txt', 'max_lines': 2}"), ["/tmp/a.txt:2"]],
  ["curly quotes", act("calculator", "{“expression”: “2+2”}"), ["4"]],
  ["a bare value", act("calculator", "2+2"), ["4"]],
  ["a quoted value", act("calculator", '"2+2"'), ["4"]],
  ["doubly encoded arguments", act("calculator", JSON.stringify('{"expression":"4+4"}')), ["8"]],
  ["a number as text", act("file_read", '{"path": "a", "max_lines": "3"}'), ["a:3"]],
  ["a raw line break inside a string", act("think", '{"thought": "line1\nline2"}'), ["line1\nline2"]],
  ["a brace inside a string", act("think", '{"thought":"a,}"}'), ["a,}"]],
  ["markdown", '**Thought:** ok\n**Action:** `calculator`\n**Action Input:** {"expression":"3*3"}', ["9"]],
  ["a name in other letters", act("Calculator", "2+2"), ["4"]],
  ["a namespaced name", act("functions.calculator", "2+2"), ["4"]],
  ["a name in backticks", act("`calculator`", "2+2"), ["4"]],
  ["a call in code", 'Action: calculator("1+1")', ["2"]],
  ["a call with an object in brackets", 'Thought: go\nAction: calculator({"expression": "2+2"})', ["4"]],
  ["CRLF", sum("2+2").replaceAll("\n", "\r\n"), ["4"]],
  ["lower-case labels", sum("2+2").toLowerCase(), ["4"]],
  ["two calls", `${sum("1+1")}\n${sum("2+2")}`, ["2", "4"]],
  ["a JSON envelope", '{"thought":"x","action":"shell_exec","action_input":{"text":"ls"}}', ["ls"]],
  ["a fenced JSON envelope", '```json\n{"action":"shell_exec","action_input":{"text":"ls"}}\n```', ["ls"]],
  ["Hermes tokens", '<tool_call>{"name":"calculator","arguments":{"expression":"1+1"}}</tool_call>', ["2"]],
  ["element arguments", "<tool_call>calculator\n<expression>1+1</expression></tool_call>", ["2"]],
  ["Qwen coder tokens", "<function=calculator><parameter=expression>1+1</parameter></function>", ["2"]],
];

describe("a reply that calls", () => {
  it.each(calling)("with %s runs and is observed", async (_what, reply, expected) => {
    const { agent, engine, events } = setup([reply, "Thought: done\nFinal Answer: ok"], { tools });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual(expected);
    expect(result).toMatchObject({ content: "ok", turns: 2, metadata: { stopReason: "final" } });
    expect(engine.messagesOf(1).at(-1)).toEqual({
      role: "user",
      content: expected.map((text) => `Observation: ${text}`).join("\n"),
    });
    expect(exchange(engine.messagesOf(1)).join("\n")).not.toMatch(/Observation: 99|Final Answer: 99|<think>/);
    events.assertBalanced();
    engine.assertDone();
  });

  it("keeps nothing from an invented observation on, in the history or in the answer", async () => {
    const { agent, engine } = setup(
      [
        'Thought: use tool\nAction: calculator\nAction Input: {"expression":"12*12"}\nObservation: 150\nFinal Answer: 150',
        "Final Answer: 144",
      ],
      { tools },
    );
    const result = await agent.run("q");
    expect(result.content).toBe("144");
    expect(outcomes(result)).toEqual(["144"]);
    expect(exchange(engine.messagesOf(1))).toEqual([
      'Thought: use tool\nAction: calculator\nAction Input: {"expression":"12*12"}',
      "Observation: 144",
    ]);
  });
});

const answering: [string, string, string][] = [
  ["a labelled answer", "Thought: I know\nFinal Answer: Paris", "Paris"],
  ["an answer of several lines", "Final Answer: one\n\ntwo\n- three", "one\n\ntwo\n- three"],
  ["plain prose", "The largest prime below 65 is 61.", "The largest prime below 65 is 61."],
  ["prose that looks like a label", "My recommended Action: rest more", "My recommended Action: rest more"],
  [
    "an action that is none",
    "Thought: nothing to call\nAction: None\nAction Input: None\nThe capital is Paris.",
    "The capital is Paris.",
  ],
  ["an action n/a", "Thought: easy\nAction: N/A\nFinal Answer: Paris", "Paris"],
  ["only a closing tag", "first add, then check\n</think>\nThe answer is 5.", "The answer is 5."],
  ["an opener that never closes", "Hello. <think>private plan", "Hello."],
  ["the opener in capitals", "Hello. <Thinking>private plan", "Hello."],
  [
    "tags in code spans",
    "Use the tag like this: `<think>` and close with `</think>` in your template.",
    "Use the tag like this: `<think>` and close with `</think>` in your template.",
  ],
  [
    "JSON without any of the keys",
    '{"city": "Paris", "country": "France"}',
    '{"city": "Paris", "country": "France"}',
  ],
  ["a JSON envelope", '{"thought": "I know", "final_answer": "Paris"}', "Paris"],
  [
    "Python that nothing runs",
    "Here you are:\n\n```python\nprint(1)\n```",
    "Here you are:\n\n```python\nprint(1)\n```",
  ],
  ["a labelled answer with Python", "Final Answer:\n```python\nprint(1)\n```", "```python\nprint(1)\n```"],
];

describe("a reply that answers", () => {
  it.each(answering)("with %s ends the run", async (_what, reply, expected) => {
    const { agent, engine } = setup([reply], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({
      content: expected,
      turns: 1,
      toolResults: [],
      metadata: { stopReason: "final", inferenceCalls: 1 },
    });
    engine.assertDone();
  });
});

describe("a call that cannot be run", () => {
  it.each([
    act("nope", '{"text":"x"}'),
    act("nope", "hello"),
    act("nope", '{"text": "x", y'),
    "Thought: x\nAction: nope",
  ])("is answered with the names of the tools: %s", async (reply) => {
    const { agent, engine } = setup([reply, "Final Answer: ok"], { tools });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual(["!OJ_TOOL_NOT_FOUND"]);
    expect(result.content).toBe("ok");
    const told = engine.messagesOf(1).at(-1)?.content;
    expect(told).toMatch(/^Observation: Error: Unknown tool: nope\./);
    expect(told).toContain("calculator, think, file_read, shell_exec");
  });

  it("is answered with what to write when its arguments cannot be read", async () => {
    const { agent, engine } = setup([act("file_read", '{"path": "x", y'), "Final Answer: ok"], { tools });
    expect(outcomes(await agent.run("q"))).toEqual(["!OJ_TOOL_ARGUMENTS"]);
    const told = engine.messagesOf(1).at(-1)?.content;
    expect(told).toMatch(/^Observation: Error: .*not JSON/);
    expect(told).toMatch(/Write a JSON object: .*"path": string/);
  });

  it("is answered with the field when its arguments do not fit", async () => {
    const { agent, engine } = setup([act("file_read", '{"max_lines": 2}'), "Final Answer: ok"], { tools });
    expect(outcomes(await agent.run("q"))).toEqual(["!OJ_TOOL_ARGUMENTS"]);
    expect(engine.messagesOf(1).at(-1)?.content).toMatch(/path/);
  });

  it("never runs a guess at unescaped quotes", async () => {
    const reply = act("think", '{"thought":"ask the "boss", then wait"}');
    const { agent } = setup([reply, "Final Answer: ok"], { tools });
    const [outcome] = outcomes(await agent.run("q"));
    expect(['ask the "boss", then wait', "!OJ_TOOL_ARGUMENTS"]).toContain(outcome);
  });

  it("does not keep the others of its reply from running, in order", async () => {
    const { agent, engine } = setup([`${sum("1+1")}\n${act("nope", "{}")}\n${sum("2+2")}`, "ok"], { tools });
    expect(outcomes(await agent.run("q"))).toEqual(["2", "!OJ_TOOL_NOT_FOUND", "4"]);
    expect(engine.messagesOf(1).at(-1)?.content).toMatch(
      /^Observation: 2\nObservation: Error: Unknown tool: nope[^\n]*\nObservation: 4$/,
    );
  });
});

describe("native tool calls", () => {
  it.each<[string, object]>([
    ["flat", { name: "calculator", arguments: '{"expression":"5*5"}' }],
    ["with an object", { name: "calculator", arguments: { expression: "5*5" } }],
    ["without an id", { name: "calculator", arguments: '{"expression":"5*5"}', id: null }],
  ])("are run, %s", async (_what, call) => {
    const { agent, engine } = setup([{ text: null, toolCalls: [call] }, "Final Answer: 25"], { tools });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual(["25"]);
    expect(result).toMatchObject({ content: "25", turns: 2 });
    const [assistant, answer] = engine.messagesOf(1).slice(-2);
    expect(assistant?.toolCalls?.[0]?.id).toBe(answer?.toolCallId);
    expect(answer).toMatchObject({ role: "tool", content: "25", name: "calculator" });
  });

  it("go before a call in the text beside them, and count even when the server says stop", async () => {
    const call = { name: "calculator", arguments: { expression: "2*3" } };
    const script = [{ text: sum("1+1"), toolCalls: [call], finishReason: "stop" }, "Final Answer: 6"];
    const { agent } = setup(script, { tools });
    expect(outcomes(await agent.run("q"))).toEqual(["6"]);
  });

  it("that the token limit cut are not run, and prose beside them is no answer", async () => {
    const call = { name: "shell_exec", arguments: '{"text":"rm -rf /tm' };
    const { agent, engine } = setup(
      [{ text: "Let me check.", toolCalls: [call], finishReason: "length" }, "Final Answer: ok"],
      { tools },
    );
    const before = command.calls.length;
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "ok", turns: 2, toolResults: [] });
    expect(command.calls).toHaveLength(before);
    expect(engine.messagesOf(1).at(-1)?.content).toMatch(/cut off/);
    expect(engine.optionsOf(1).maxTokens).toBe(2048);
  });
});
