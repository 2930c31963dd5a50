import { collect } from "./collect.js";
import type { ErrorCode } from "./error-codes.js";
import { errorText, isJarvisError } from "./errors.js";
import type { InferenceDelta, InferenceOptions, InferenceResult } from "./inference.js";
import type { Message } from "./message.js";

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
