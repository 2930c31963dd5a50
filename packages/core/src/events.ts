import type { ToolCall } from "./message.js";
import type { Usage } from "./usage.js";

/** What each event carries. Content of prompts is here for local observers; nothing leaves the machine by itself. */
export interface EventMap {
  /** A run of an agent begins. */
  AGENT_TURN_START: { agent: string; input: string; model: string };
  /** A run of an agent has ended, on every path. `error` is the text of what it failed with. */
  AGENT_TURN_END: {
    agent: string;
    turns: number;
    contentLength: number;
    stopReason?: string;
    maxTurnsExceeded?: boolean;
    error?: string;
  };
  /** A tool call begins. `arguments` is the parsed object, or the model's text when it could not be parsed. */
  TOOL_CALL_START: { tool: string; arguments: unknown; agent: string; callId: string };
  /** A tool call has ended, whatever happened. `result` holds at most 10,240 characters. */
  TOOL_CALL_END: {
    tool: string;
    agent: string;
    callId: string;
    success: boolean;
    /** Seconds. */
    latency: number;
    result: string;
    /** The error code of a failed call. */
    code?: string;
    metadata: Record<string, unknown>;
  };
  /** A tool ran out of time. `timeout` is in seconds. */
  TOOL_TIMEOUT: { tool: string; timeout: number; callId: string };
  /** What a tool says while it works. */
  TOOL_PROGRESS: { tool: string; callId: string; message: string };
  /** One call to an engine begins. */
  INFERENCE_START: { model: string; engine: string; messageCount: number };
  /** A piece of an answer as it arrives; published only while somebody listens. */
  INFERENCE_DELTA: { kind: "text" | "reasoning"; text: string };
  /** One call to an engine has ended, on every path. */
  INFERENCE_END: {
    model: string;
    engine: string;
    /** Seconds from the call to the end. */
    latency: number;
    /** Seconds to the first piece, when the answer was streamed. */
    timeToFirstToken?: number;
    usage: Usage;
    content: string;
    reasoning: string;
    toolCalls: readonly ToolCall[];
    finishReason: string;
    error?: string;
    code?: string;
  };
  /** Something a person should know although the run goes on (a cut prompt, a model without tools). */
  WARNING: { message: string; source: string };
  /** The loop guard warned about or blocked a call. */
  LOOP_GUARD_TRIGGERED: {
    tool: string;
    reasonType: "identical_call" | "ping_pong" | "poll_budget";
    blocked: boolean;
  };
}

/** The name of an event. */
export type EventType = keyof EventMap;

/** One published event. */
export interface JarvisEvent<T extends EventType = EventType> {
  type: T;
  /** Milliseconds since the epoch. */
  timestamp: number;
  /** Counts up by one for each event of a bus; events of concurrent runs can be put in order by it. */
  seq: number;
  /** The run that published it; empty outside a run. */
  runId: string;
  /** The run that started that run; empty for a root run. */
  parentId: string;
  data: EventMap[T];
}

/** Any event, discriminated by `type`. */
export type AnyEvent = { [T in EventType]: JarvisEvent<T> }[EventType];

/** Which run an event or an inference call belongs to. */
export interface RunRef {
  runId: string;
  parentId: string;
}

/** What receives events. It may be asynchronous; what it throws is reported and never reaches the publisher. */
export type Subscriber<T extends EventType = EventType> = (event: JarvisEvent<T>) => unknown;
