import assert from "node:assert/strict";
import {
  type AgentClass,
  type AgentOptions,
  type AgentResult,
  type BaseAgent,
  EventBus,
  type InferenceEngine,
  InstrumentedEngine,
} from "@openjarvis/core";
import { settled } from "./check.js";
import { type EventRecorder, recordEvents } from "./event-recorder.js";
import { ScriptedEngine } from "./scripted-engine.js";
import type { ScriptedReply, ScriptedResponder, ScriptedStep } from "./scripted-step.js";

/** Makes the agent under test from the options of all agents; options of its own are added there. */
export type MakeAgent = (options: AgentOptions) => BaseAgent;

/** How an agent's model says things. The default is native function calling. */
export interface AgentProtocol {
  /** The model calls a tool. */
  readonly call: (name: string, params: Record<string, unknown>) => string | ScriptedReply;
  /** The model gives its final answer. */
  readonly final: (text: string) => string | ScriptedReply;
  /** The model calls a tool with arguments that cannot be read. Left out: the protocol has no such thing. */
  readonly badCall?: (name: string) => string | ScriptedReply;
}

/** The protocol of models with native tool calls. */
export const functionCalling: AgentProtocol = {
  call: (name, params) => ({
    toolCalls: [{ name, arguments: JSON.stringify(params) }],
    finishReason: "tool_calls",
  }),
  final: (text) => text,
  badCall: (name) => ({ toolCalls: [{ name, arguments: "{bad" }], finishReason: "tool_calls" }),
};

export const testModel = "scripted-model";

/** An agent with everything around it that a check looks at. */
export interface AgentSubject {
  readonly agent: BaseAgent;
  readonly engine: ScriptedEngine;
  readonly events: EventRecorder;
  /** The agent's run; rejects when it takes so long that it must hang. */
  run(...args: Parameters<BaseAgent["run"]>): Promise<AgentResult>;
}

/** Makes a subject with a script, and with options beside those it sets itself. */
export type MakeSubject = (
  script: readonly ScriptedStep[] | ScriptedResponder,
  options?: Partial<AgentOptions>,
) => AgentSubject;

/**
 * Makes subjects with a bus and a recorder. Inference calls are on the bus as in a whole system.
 *
 * @param runSeconds after which a run counts as one that hangs
 */
export function subjectMaker(makeAgent: MakeAgent, runSeconds: number): MakeSubject {
  return (script, options = {}) => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const engine = new ScriptedEngine(script);
    const agent = makeAgent({
      engine: new InstrumentedEngine(engine, bus),
      model: testModel,
      bus,
      ...options,
    });
    return { agent, engine, events, run: (...args) => settled(agent.run(...args), runSeconds, "The run") };
  };
}

/** Whether the agents of a class take tools. */
export function acceptsTools(makeAgent: MakeAgent): boolean {
  const engine: InferenceEngine = new ScriptedEngine([]);
  return (makeAgent({ engine, model: testModel }).constructor as unknown as AgentClass).acceptsTools;
}

/** Fails unless the result has what every agent reports and the events of its run are balanced. */
export function assertRun(subject: AgentSubject, result: AgentResult): void {
  const { agent, events } = subject;
  assert.equal(typeof result.content, "string");
  assert.ok(Array.isArray(result.toolResults), "toolResults must be a list");
  assert.ok(Number.isInteger(result.turns) && result.turns >= 0, `turns is ${result.turns}`);
  const { usage, stopReason, model, engine, inferenceCalls, runId } = result.metadata;
  assert.ok(stopReasons.includes(stopReason), `stopReason is ${stopReason}`);
  assert.equal(typeof model, "string");
  assert.equal(engine, agent.engine.engineId);
  for (const value of [usage.promptTokens, usage.completionTokens, usage.totalTokens, inferenceCalls]) {
    assert.ok(Number.isInteger(value) && value >= 0, "usage and inferenceCalls must be whole numbers");
  }
  events.assertBalanced();
  const mine = events.ofRun(runId);
  const ends = mine.filter((event) => event.type === "AGENT_TURN_END");
  assert.equal(ends.length, 1, "a run has one AGENT_TURN_END");
  const [end] = ends;
  assert.equal(end?.data.agent, agent.agentId);
  assert.equal(end.data.turns, result.turns);
  assert.equal(end.data.contentLength, result.content.length);
  assert.equal(end.data.stopReason, stopReason);
}

const stopReasons: readonly string[] = [
  "final",
  "max_turns",
  "loop_guard",
  "parse_error",
  "aborted",
  "empty",
];
