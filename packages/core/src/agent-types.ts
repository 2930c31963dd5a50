import type { InferenceEngine } from "./engine.js";
import type { EventBus } from "./event-bus.js";
import type { LoopGuardOptions } from "./loop-guard.js";
import type { Conversation, Message } from "./message.js";
import type { CodeSandbox } from "./sandbox.js";
import type { BaseTool } from "./tool.js";
import type { ConfirmCallback, ToolPolicy } from "./tool-permission.js";
import type { ToolResult } from "./tool-types.js";
import type { Usage } from "./usage.js";

/** Settings an agent class documents defaults for. */
export interface AgentDefaults {
  /** Sampling temperature. */
  temperature?: number;
  /** Most tokens of one answer. */
  maxTokens?: number;
  /** Most turns of the tool loop. */
  maxTurns?: number;
}

/** The one options object of all agents. An agent without tools takes the tool options and ignores them. */
export interface AgentOptions extends AgentDefaults {
  engine: InferenceEngine;
  /** The model's name, as the engine knows it. */
  model: string;
  bus?: EventBus | undefined;
  /** Put before the conversation as the system message. */
  systemPrompt?: string | undefined;
  /** What the user set in config; stands between an explicit option and the class's default. */
  configured?: AgentDefaults | undefined;
  tools?: readonly BaseTool[] | undefined;
  confirm?: ConfirmCallback | undefined;
  policy?: ToolPolicy | undefined;
  loopGuard?: LoopGuardOptions | undefined;
  /** Deadline in seconds of tools that state none. @default 30 */
  toolTimeoutSeconds?: number | undefined;
  /** Most characters of a tool result that go back to the model. @default 16000 */
  maxResultChars?: number | undefined;
  /** Most tool calls of one turn that run at once. @default 8 */
  concurrency?: number | undefined;
  /** The sandbox for a language, for agents that run code of their own. Its owner closes it. */
  sandbox?: ((language: string) => Promise<CodeSandbox>) | undefined;
}

/** What an agent is given beside the input. */
export interface AgentContext {
  /** The messages before the input. */
  conversation?: Conversation | readonly Message[] | undefined;
  /** Images that belong to the input, base64-encoded, without a `data:` prefix. */
  images?: readonly string[] | undefined;
  /** Names of the tools that may be used in this run. @default all the agent has */
  tools?: readonly string[] | undefined;
  /** Memory retrieved before the run. */
  memoryResults?: readonly unknown[] | undefined;
  metadata?: Record<string, unknown> | undefined;
}

/** Options of one run. */
export interface RunOptions {
  signal?: AbortSignal | undefined;
  /** The id events carry. @default a fresh one */
  runId?: string | undefined;
  /** The run that starts this one. */
  parentId?: string | undefined;
}

/** Why a run ended. */
export type StopReason = "final" | "max_turns" | "loop_guard" | "parse_error" | "aborted" | "empty";

/** Facts every agent reports about a run. */
export interface AgentMetadata {
  /** Tokens of all inference calls of the run. */
  usage: Usage;
  stopReason: StopReason;
  model: string;
  engine: string;
  /** Calls to the engine, continuations and the wrap-up included. */
  inferenceCalls: number;
  runId: string;
  /** Present and true when the loop ran out of turns. */
  maxTurnsExceeded?: boolean;
  /** Present and true when the answer was cut by the token limit. */
  truncated?: boolean;
  /** What a person should know about the run. */
  warnings?: string[];
  [key: string]: unknown;
}

/** The outcome of a run. */
export interface AgentResult {
  content: string;
  toolResults: ToolResult[];
  /** Turns of the agent's loop. */
  turns: number;
  metadata: AgentMetadata;
}
