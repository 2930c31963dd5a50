import {
  type BaseTool,
  defineTool,
  type InferenceOptions,
  type Message,
  ToolExecutor,
} from "@openjarvis/core";
import { RulesEngine } from "../src/rules-engine.js";
import { evaluate } from "./evaluator.js";

export const calculator = defineTool({
  name: "calculator",
  description: "Evaluate a mathematical expression safely.",
  parameters: {
    type: "object",
    properties: { expression: { type: "string", description: "Math expression to evaluate" } },
    required: ["expression"],
  },
  run: ({ expression }) => evaluate(expression),
});

export const think = defineTool({
  name: "think",
  description: "Reasoning scratchpad.",
  parameters: { type: "object", properties: { thought: { type: "string" } }, required: ["thought"] },
  run: ({ thought }) => thought,
});

export const user = (content: string): Message => ({ role: "user", content });
export const assistant = (content: string): Message => ({ role: "assistant", content });

/** What a run did: the calls in order, the final answer, and how many inference calls it took. */
export interface Played {
  calls: { name: string; arguments: Record<string, unknown> }[];
  answer: string;
  turns: number;
}

export interface PlayOptions {
  tools?: readonly BaseTool[];
  history?: readonly Message[];
}

/** Plays the loop of a function-calling agent, until an answer without calls; more than five turns is an error. */
export async function play(
  question: string,
  { tools = [calculator], history = [] }: PlayOptions = {},
): Promise<Played> {
  const engine = new RulesEngine();
  const executor = new ToolExecutor({ tools });
  const messages = [...history, user(question)];
  const played: Played = { calls: [], answer: "", turns: 0 };
  const options: InferenceOptions = { model: "rules" };
  if (tools.length > 0) options.tools = executor.getOpenAITools();
  while (played.turns < 5) {
    played.turns += 1;
    const { content, toolCalls } = await engine.generate(messages, options);
    if (toolCalls.length === 0) return { ...played, answer: content };
    messages.push({ role: "assistant", content, toolCalls });
    const results = await executor.executeAll(toolCalls);
    for (const [index, call] of toolCalls.entries()) {
      played.calls.push({ name: call.name, arguments: JSON.parse(call.arguments) });
      const result = results[index];
      if (result !== undefined) messages.push(executor.toMessage(call, result));
    }
  }
  throw new Error(`No answer to "${question}" after ${played.turns} turns.`);
}

/** The expressions the calculator was given. */
export function expressionsOf(played: Played): unknown[] {
  return played.calls.map((call) => call.arguments.expression);
}
