import { type AgentProtocol, functionCalling } from "@openjarvis/testing";
import { testAgent, testPlugin } from "@openjarvis/testing/vitest";
import { describe } from "vitest";
import { NativeReActAgent } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

const labelled: AgentProtocol = {
  call: (name, params) => `Thought: try it\nAction: ${name}\nAction Input: ${JSON.stringify(params)}`,
  final: (text) => `Thought: I know\nFinal Answer: ${text}`,
  badCall: (name) => `Action: ${name}\nAction Input: {"text": `,
};

const json: AgentProtocol = {
  call: (action, input) => JSON.stringify({ thought: "try it", action, action_input: input }),
  final: (text) => JSON.stringify({ thought: "I know", final_answer: text }),
};

const tokens: AgentProtocol = {
  call: (name, params) => `<tool_call>\n${JSON.stringify({ name, arguments: params })}\n</tool_call>`,
  final: (text) => `<think>I know</think>\n${text}`,
};

const protocols = { labelled, json, tokens, native: functionCalling };

describe.each(Object.entries(protocols))("a model that speaks %s", (_name, protocol) => {
  testAgent((options) => new NativeReActAgent(options), { protocol });
});
