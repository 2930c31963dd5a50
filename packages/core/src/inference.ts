import type { RunRef } from "./events.js";
import type { ToolCall } from "./message.js";
import type { OpenAIFunction } from "./tool.js";
import type { Usage } from "./usage.js";

/** Why a model stopped. `other` stands for a reason the protocol does not define. */
export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter" | "other";

/** A piece of an answer as it arrives. */
export type InferenceDelta =
  | { type: "text"; text: string }
  | { type: "reasoning"; text: string }
  | {
      type: "tool_call";
      /** Position of the call in the answer, where the protocol gives it. */
      index?: number | undefined;
      id?: string | null | undefined;
      name?: string | null | undefined;
      /** A fragment of JSON text, or the whole arguments as an object. */
      arguments?: string | Record<string, unknown> | null | undefined;
    }
  | { type: "usage"; usage: Partial<Usage> }
  | { type: "finish"; reason: string | null | undefined }
  | { type: "model"; model: string }
  | { type: "warning"; message: string };

/** Options of one inference call. */
export interface InferenceOptions {
  model: string;
  /** Sampling temperature. @default the engine's */
  temperature?: number;
  /** Most tokens to generate. @default the engine's */
  maxTokens?: number;
  /** Tools the model may call. Never an empty list. */
  tools?: readonly OpenAIFunction[];
  /** Texts at which the model stops. */
  stop?: readonly string[];
  /** Ends the call. An engine has no other deadline than the one its options state. */
  signal?: AbortSignal;
  /** The run the call belongs to, for events. */
  run?: RunRef;
}

/** A whole answer, in one shape whatever the engine. */
export interface InferenceResult {
  /** The answer without reasoning; empty when the model gave none. */
  content: string;
  /** Reasoning the model gave apart from its answer, or between reasoning tags. */
  reasoning: string;
  toolCalls: ToolCall[];
  usage: Usage;
  finishReason: FinishReason;
  /** The model that answered, as the engine names it. */
  model: string;
  /** What a person should know about this answer. */
  warnings: string[];
}
