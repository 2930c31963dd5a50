import {
  type AgentOptions,
  type AgentResult,
  type BaseTool,
  defineTool,
  EventBus,
  InstrumentedEngine,
  type Message,
} from "@openjarvis/core";
import {
  type EventRecorder,
  recordEvents,
  ScriptedEngine,
  type ScriptedEngineOptions,
  type ScriptedReply,
  type ScriptedResponder,
  type ScriptedStep,
  type ScriptedToolCall,
} from "@openjarvis/testing";
import { NativeReActAgent } from "../src/index.js";

export const model = "qwen3:8b";

/** Sums, differences and products of two whole numbers. */
export const calculator: BaseTool = defineTool({
  name: "calculator",
  description: "Calculates.",
  parameters: {
    type: "object",
    properties: { expression: { type: "string", description: "Two whole numbers and +, - or *" } },
    required: ["expression"],
  } as const,
  run({ expression }) {
    const [, left, operator, right] = /^\s*(\d+)\s*([-+*])\s*(\d+)\s*$/.exec(expression) ?? [];
    if (left === undefined) throw new Error(`cannot calculate ${JSON.stringify(expression)}`);
    const [a, b] = [Number(left), Number(right)];
    return String(operator === "+" ? a + b : operator === "-" ? a - b : a * b);
  },
});

/** Gives a thought back. */
export const think: BaseTool = defineTool({
  name: "think",
  description: "Notes a thought.",
  parameters: {
    type: "object",
    properties: { thought: { type: "string", description: "The thought" } },
    required: ["thought"],
  } as const,
  run: ({ thought }) => thought,
});

export interface Setup {
  agent: NativeReActAgent;
  engine: ScriptedEngine;
  events: EventRecorder;
}

/** A ReAct agent with a script, on a bus that is recorded. */
export function setup(
  script: readonly ScriptedStep[] | ScriptedResponder,
  options: Partial<AgentOptions> = {},
  engineOptions: ScriptedEngineOptions = {},
): Setup {
  const bus = options.bus ?? new EventBus();
  const events = recordEvents(bus);
  const engine = new ScriptedEngine(script, engineOptions);
  const agent = new NativeReActAgent({
    engine: new InstrumentedEngine(engine, bus),
    model,
    bus,
    ...options,
  });
  return { agent, engine, events };
}

/** A reply that calls tools. */
export function calls(...toolCalls: ScriptedToolCall[]): ScriptedReply {
  return { toolCalls };
}

/** A call of the calculator. */
export function calc(expression: string, id?: string): ScriptedToolCall {
  return {
    name: "calculator",
    arguments: JSON.stringify({ expression }),
    ...(id === undefined ? {} : { id }),
  };
}

/** What the tools of a run brought, as `text` or `!code`. */
export function outcomes(result: AgentResult): string[] {
  return result.toolResults.map(({ success, content, metadata }) =>
    success ? content : `!${String(metadata.code)}`,
  );
}

/** The tool messages among messages. */
export function toolMessages(messages: readonly Message[]): Message[] {
  return messages.filter(({ role }) => role === "tool");
}

/** A reply in the form the prompt asks for. */
export function act(name: string, input: string): string {
  return `Thought: a tool helps\nAction: ${name}\nAction Input: ${input}`;
}

/** A call of the calculator as text. */
export function sum(expression: string): string {
  return act("calculator", JSON.stringify({ expression }));
}

/** The contents of the last call's messages after the question. */
export function exchange(messages: readonly Message[], question = "q"): (string | null)[] {
  const start = messages.findLastIndex(({ content }) => content === question);
  return messages.slice(start + 1).map(({ content }) => content);
}
