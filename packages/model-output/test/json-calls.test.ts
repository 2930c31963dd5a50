import { describe, expect, it } from "vitest";
import { calls, read } from "./tools.js";

const one = { expression: "1" };
const args = '{"expression":"1"}';

describe("parseReply with JSON objects", () => {
  it.each<[string, string]>([
    ["name and arguments", `{"name":"calculator","arguments":${args}}`],
    ["name and parameters", `{"name":"calculator","parameters":${args}}`],
    ["tool and input", `{"tool":"calculator","input":${args}}`],
    ["action and action_input", `{"action":"calculator","action_input":${args}}`],
    ["function and args", `{"function":"calculator","args":${args}}`],
    ["tool_name and tool_input", `{"tool_name":"calculator","tool_input":${args}}`],
    ["arguments as text", JSON.stringify({ name: "calculator", arguments: args })],
    ["bare text", '{"action":"calculator","action_input":"1"}'],
    [
      "OpenAI's nesting",
      `{"id":"x","type":"function","function":{"name":"calculator","arguments":${JSON.stringify(args)}}}`,
    ],
    ["a list", `[{"name":"calculator","arguments":${args}}]`],
    ["tool_calls", `{"tool_calls":[{"function":{"name":"calculator","arguments":${args}}}]}`],
    ["tool_call", `{"tool_call":{"name":"calculator","arguments":${args}}}`],
    ["tool_uses", `{"tool_uses":[{"recipient_name":"functions.calculator","parameters":${args}}]}`],
    ["the tool's name as key", `{"calculator":${args}}`],
    ["arguments beside the name", '{"tool":"calculator","expression":"1"}'],
    ["a ReAct object", `{"thought":"t","action":"calculator","action_input":${args}}`],
    [
      "a ReAct object in a fence",
      `\`\`\`json\n{"thought":"t","action":"calculator","action_input":${args}}\n\`\`\``,
    ],
    [
      "a ReAct object in title case",
      `{"Thought":"t","Action":"Calculator","Action Input":${JSON.stringify(args)}}`,
    ],
    ["camel case", `{"thought":"t","action":"calculator","actionInput":${args}}`],
    ["a fence behind prose", `I compute.\n\`\`\`json\n{"name":"calculator","arguments":${args}}\n\`\`\``],
    ["a fence without language", `\`\`\`\n{"name":"calculator","arguments":${args}}\n\`\`\``],
    ["prose before it", `I compute. {"name":"calculator","arguments":${args}}`],
    ["a Python dict", "{'name': 'calculator', 'arguments': {'expression': '1'},}"],
    [
      "a made-up observation behind it",
      `{"action":"calculator","action_input":${args}}\nObservation: 1\n{"final_answer": 1}`,
    ],
    ["a fence in a string", '{"name":"calculator","arguments":{"expression":"1"},}\n```'],
  ])("reads a call from %s", (_name, reply) => {
    expect(calls(read(reply))).toEqual([["calculator", one]]);
    expect(calls(read(reply, "any"))).toEqual([["calculator", one]]);
  });

  it("reads several calls", () => {
    const call = (name: string) => `{"name":"${name}","arguments":{}}`;
    const expected = [
      ["list_scheduled_tasks", {}],
      ["calculator", {}],
    ];
    const [first, second] = [call("list_scheduled_tasks"), call("calculator")];
    for (const reply of [
      `[${first},${second}]`,
      `${first}\n${second}`,
      `${first}; ${second}`,
      `\`\`\`json\n${first}\n${second}\n\`\`\``,
    ]) {
      expect(calls(read(reply))).toEqual(expected);
    }
  });

  it("keeps the thought", () => {
    expect(read(`{"thought":"t","action":"shell_exec","action_input":{"command":"ls"}}`)).toMatchObject({
      kind: "calls",
      thought: "t",
      calls: [{ name: "shell_exec", known: true, arguments: { command: "ls" } }],
    });
    expect(read(`Hm.\n{"thought":"t","action":"shell_exec","action_input":{}}`)).toMatchObject({
      thought: "Hm.\nt",
    });
  });

  it.each<[string, string]>([
    ['{"final_answer":"42"}', "42"],
    ['```json\n{"Thought": "t", "Final Answer": "42"}\n```', "42"],
    ['{"thought":"t","action":"None","action_input":null,"final_answer":42}', "42"],
    ['{"action":"Final Answer","action_input":"42"}', "42"],
    ['{"final_answer":{"a":[1]}}', '{"a":[1]}'],
    ['{"final_answer":0}', "0"],
  ])("reads an answer from %s", (reply, text) => {
    expect(read(reply)).toMatchObject({ kind: "final", text });
  });

  it.each([
    '{"city":"Paris","population":2000000}',
    '[{"a":1},{"b":2}]',
    '{"name":"Alice","age":30}',
    '{"name":"Alice","parameters":{"age":30}}',
    '{"action":"buy","confidence":0.9}',
    '{"thought":"x","answer":"y"}',
    '{"name":"get_weather","description":"d","parameters":{"type":"object","properties":{}}}',
    '{"type":"function","function":{"name":"calculator","description":"d","parameters":{"type":"object","properties":{}}}}',
    'Use {"name":"nope","arguments":{}} for that.',
    '```json\n{\n  "a": 1\n}\n```\nThat is all.',
    "The set {1, 2} is small.",
    '{"a": broken',
  ])("leaves a JSON answer as it is: %s", (reply) => {
    expect(read(reply)).toMatchObject({ kind: "final", text: reply });
    expect(read(reply, "any")).toMatchObject({ kind: "final", text: reply });
  });

  it.each<[string, string, RegExp]>([
    [
      "prose behind a ReAct object",
      '{"thought":"t","action":"shell_exec","action_input":{"command":"ls"}}\nThat lists files.',
      /must end the reply/,
    ],
    [
      "prose behind a fence",
      `\`\`\`json\n{"action":"calculator","action_input":${args}}\n\`\`\`\nDone.`,
      /must end the reply/,
    ],
    ["an action and an answer", '{"action":"calculator","action_input":"1","final_answer":"2"}', /both/],
    [
      "a call and an answer",
      '{"action":"calculator","action_input":"1"}{"final_answer":"2"}',
      /more than one/,
    ],
    ["two answers", '{"final_answer":"1"}\n{"final_answer":"2"}', /more than one/],
    ["a thought alone", '{"thought":"t"}', /neither/],
    ["an empty answer", '{"thought":"t","final_answer":""}', /neither/],
    [
      "an object that cannot be read",
      '{"action":"calculator","action_input":{"expression": x}}',
      /cannot be read/,
    ],
    [
      "an object that is not closed",
      '{"action":"calculator","action_input":{"expression":"1"}',
      /cannot be read/,
    ],
    [
      "an object in a fence that cannot be read",
      'Sure:\n```json\n{"name":"calculator","arguments":{"expression": x}}\n```',
      /cannot be read/,
    ],
  ])("asks again after %s", (_name, reply, reason) => {
    expect(read(reply)).toMatchObject({
      kind: "malformed",
      problem: "form",
      reason: expect.stringMatching(reason),
    });
  });

  it.each([
    '{"action":"calculator","action_input":{"expr',
    '```json\n{"a": 1, "b',
    '[{"name":"calculator","arguments":{}},',
    '{"any": "thing',
  ])("knows an object that was cut off: %j", (reply) => {
    expect(read(reply, "react", { finishReason: "length" })).toMatchObject({
      kind: "malformed",
      problem: "cut",
    });
  });

  it("returns a call to an unknown tool when it can be nothing else", () => {
    for (const reply of [
      '{"name":"nope","arguments":{"a":1}}',
      '{"thought":"t","action":"nope","action_input":{"a":1}}',
    ]) {
      expect(read(reply)).toMatchObject({ calls: [{ name: "nope", known: false, arguments: { a: 1 } }] });
    }
  });

  it("makes no prototype out of a key", () => {
    const reply = read('{"tool":"calculator","arguments":{"__proto__":{"polluted":1}}}');
    expect(calls(reply)).toHaveLength(1);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
