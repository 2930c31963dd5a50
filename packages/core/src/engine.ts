import { collect } from "./collect.js";
import type { ErrorCode } from "./error-codes.js";
import { errorText, isJarvisError } from "./errors.js";
import type { RunRef } from "./events.js";
import type { Message, ToolCall } from "./message.js";
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

/** A model an engine offers. */
export interface ModelInfo {
  id: string;
  /** Bytes on disk, where known. */
  sizeBytes?: number;
  /** Tokens, where known. */
  contextLength?: number;
}

/** What a model can do; a missing field means the engine does not know. */
export interface ModelCapabilities {
  tools?: boolean;
  vision?: boolean;
  /** Tokens of prompt and answer together that the engine really gives the model. */
  contextLength?: number;
}

/** Whether an engine can be used now. */
export interface EngineHealth {
  ok: boolean;
  /** Why not, or what answers. */
  detail: string;
  /** The address that was asked, for engines behind one. */
  address?: string;
  /** What kind of failure it is. @default "OJ_ENGINE_UNREACHABLE" */
  code?: ErrorCode;
  /** What to do about it. */
  hint?: string;
}

/** The health of an engine that cannot be used, from what a call to it threw. */
export function failedHealth(error: unknown, address?: string): EngineHealth {
  const facts = address === undefined ? {} : { address };
  if (!isJarvisError(error)) return { ok: false, detail: errorText(error), ...facts };
  return { ok: false, detail: error.message, code: error.code, hint: error.hint, ...facts };
}

/** Options that every engine method takes. */
export interface CallOptions {
  signal?: AbortSignal;
}

/**
 * Base class of all engines. An engine must write `stream`; the rest has defaults.
 *
 * - `stream` yields deltas until the answer is complete, and throws a `JarvisError` with an `OJ_ENGINE_…` code
 *   (or `OJ_ABORTED`) on failure. It stops when `options.signal` fires.
 * - It may yield raw shapes: missing call ids, arguments as objects, reasoning tags in the text and unknown finish
 *   reasons are made uniform in `generate`.
 * - It keeps no state between calls: many may run at once.
 */
export abstract class InferenceEngine {
  abstract readonly engineId: string;

  /** Whether prompts leave this machine or the user's own servers. A hosted engine is never chosen by itself. */
  readonly hosted: boolean = false;

  /** An answer as it arrives. */
  abstract stream(messages: readonly Message[], options: InferenceOptions): AsyncIterable<InferenceDelta>;

  /** The whole answer. */
  generate(messages: readonly Message[], options: InferenceOptions): Promise<InferenceResult> {
    return collect(this.stream(messages, options), options.model);
  }

  /** The models that can be used now. Throws like `stream` when the engine cannot be reached. */
  async listModels(_options: CallOptions = {}): Promise<ModelInfo[]> {
    return [];
  }

  /** Whether the engine can be used now. Never throws. */
  async health(_options: CallOptions = {}): Promise<EngineHealth> {
    return { ok: true, detail: "in process" };
  }

  /** What a model can do. */
  async capabilities(_model: string, _options: CallOptions = {}): Promise<ModelCapabilities> {
    return {};
  }

  /** Vectors for texts, one each, all of one length. Engines that cannot embed leave it out. */
  embed?(texts: readonly string[], options: { model: string; signal?: AbortSignal }): Promise<Float32Array[]>;

  /** Fetches a model, reporting progress. Engines that cannot leave it out. */
  pullModel?(model: string, options: PullOptions): Promise<void>;

  /** Frees what the engine holds; calling twice is fine. */
  async close(): Promise<void> {}
}

/** Options of {@link InferenceEngine.pullModel}. */
export interface PullOptions extends CallOptions {
  /** Bytes done and in all (0 while unknown), and what is being done. */
  onProgress?: (progress: { completed: number; total: number; status: string }) => void;
}
