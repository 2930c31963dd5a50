import { type AnyEvent, type EventBus, type EventType, truncateMiddle } from "@openjarvis/core";
import { withVisibleControls } from "./control-characters.js";
import type { Terminal } from "./terminal.js";

const logged: readonly EventType[] = [
  "AGENT_TURN_START",
  "AGENT_TURN_END",
  "TOOL_CALL_START",
  "TOOL_CALL_END",
  "TOOL_TIMEOUT",
  "TOOL_PROGRESS",
  "INFERENCE_START",
  "INFERENCE_END",
  "LOOP_GUARD_TRIGGERED",
];

const maxTextLength = 500;

/** Writes what happens to standard error: one line an event, and what the model wrote below its line. Returns what ends it. */
export function logEvents(bus: EventBus, terminal: Terminal): () => void {
  const log = (event: AnyEvent) => terminal.note(describeEvent(event), "dim");
  for (const type of logged) bus.subscribe(type, log as (event: unknown) => void);
  return () => {
    for (const type of logged) bus.unsubscribe(type, log as (event: unknown) => void);
  };
}

/** An event as one line, or a few for what a model wrote. */
export function describeEvent(event: AnyEvent): string {
  switch (event.type) {
    case "AGENT_TURN_START":
      return `agent  ${event.data.agent} starts with model ${event.data.model}`;
    case "AGENT_TURN_END": {
      const { agent, turns, stopReason, error } = event.data;
      const outcome = error === undefined ? (stopReason ?? "done") : `failed: ${brief(error)}`;
      return `agent  ${agent} ends after ${turns} ${turns === 1 ? "turn" : "turns"}: ${outcome}`;
    }
    case "INFERENCE_START":
      return `model  ${event.data.engine} ${event.data.model} gets ${event.data.messageCount} ${event.data.messageCount === 1 ? "message" : "messages"}`;
    case "INFERENCE_END": {
      const { engine, model, latency, timeToFirstToken, usage, toolCalls, finishReason, error } = event.data;
      if (error !== undefined)
        return `model  ${engine} ${model} failed after ${seconds(latency)}: ${brief(error)}`;
      const first = timeToFirstToken === undefined ? "" : `, first piece after ${seconds(timeToFirstToken)}`;
      const calls = toolCalls.length === 0 ? "" : `, calls ${toolCalls.map(({ name }) => name).join(", ")}`;
      const tokens = `${usage.promptTokens} + ${usage.completionTokens} tokens`;
      const line = `model  ${engine} ${model} ${seconds(latency)}${first}, ${tokens}, ${finishReason}${calls}`;
      return line + quoted(event.data.content);
    }
    case "TOOL_CALL_START":
      return `tool   ${event.data.tool} ${brief(event.data.arguments)}`;
    case "TOOL_CALL_END": {
      const { tool, success, latency, result, code } = event.data;
      const outcome = success ? "ok" : `failed${code === undefined ? "" : ` (${code})`}`;
      return `tool   ${tool} ${outcome} ${seconds(latency)}, Observation: ${brief(result)}`;
    }
    case "TOOL_PROGRESS":
      return `tool   ${event.data.tool}: ${brief(event.data.message)}`;
    case "TOOL_TIMEOUT":
      return `tool   ${event.data.tool} ran out of its ${event.data.timeout} s`;
    case "LOOP_GUARD_TRIGGERED": {
      const { tool, reasonType, blocked } = event.data;
      return `guard  ${tool} ${blocked ? "blocked" : "warned about"}: ${reasonType}`;
    }
    case "WARNING":
      return `warning  ${event.data.message}`;
    case "INFERENCE_DELTA":
      return `model  ${event.data.kind}: ${brief(event.data.text)}`;
  }
}

/** A value on one line, bounded, with nothing in it that a terminal acts on. */
function brief(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return withVisibleControls(truncateMiddle(text, maxTextLength).replaceAll("\n", "⏎"));
}

/** A text below a line, indented, bounded, with nothing in it that a terminal acts on. */
function quoted(text: string): string {
  if (text.trim() === "") return "";
  const lines = truncateMiddle(text.trim(), 4 * maxTextLength).split("\n");
  return lines.map((line) => `\n       | ${withVisibleControls(line)}`).join("");
}

function seconds(value: number): string {
  return value < 1 ? `${(value * 1000).toFixed(value < 0.01 ? 1 : 0)} ms` : `${value.toFixed(1)} s`;
}
