import { ReasoningSplitter } from "@openjarvis/model-output";
import { instrumentedBrand } from "./brand.js";
import { DeltaCollector } from "./collect.js";
import {
  type CallOptions,
  type EngineHealth,
  InferenceEngine,
  type ModelCapabilities,
  type ModelInfo,
  type PullOptions,
} from "./engine.js";
import { errorText, isJarvisError } from "./errors.js";
import type { EventBus } from "./event-bus.js";
import type { EventMap, RunRef } from "./events.js";
import type { InferenceDelta, InferenceOptions, InferenceResult } from "./inference.js";
import type { Message } from "./message.js";
import { emptyUsage } from "./usage.js";

/**
 * Wraps an engine so that every call is seen: it alone publishes INFERENCE_START, INFERENCE_DELTA and INFERENCE_END,
 * exactly one start and one end for each call, also when the call fails, is cancelled, or its stream is left early.
 */
export class InstrumentedEngine extends InferenceEngine {
  readonly engineId: string;
  override readonly hosted: boolean;
  readonly [instrumentedBrand] = true;
  readonly #inner: InferenceEngine;
  readonly #bus: EventBus;

  constructor(inner: InferenceEngine, bus: EventBus) {
    super();
    this.engineId = inner.engineId;
    this.hosted = inner.hosted;
    this.#inner = inner;
    this.#bus = bus;
    if (inner.embed !== undefined) this.embed = (texts, options) => this.#embed(texts, options);
    if (inner.pullModel !== undefined) this.pullModel = (model, options) => this.#pull(model, options);
  }

  /** Streams when somebody listens to the pieces, so that a run is shown live without being asked twice. */
  override async generate(messages: readonly Message[], options: InferenceOptions): Promise<InferenceResult> {
    if (this.#bus.hasSubscribers("INFERENCE_DELTA")) {
      // The events and the caller get what one collector made, or made-up call ids would differ between them.
      const collector = new DeltaCollector(options.model);
      const deltas = this.#observe(messages, options, collector);
      while (!(await deltas.next()).done);
      return collector.finish();
    }
    const call = this.#begin(messages, options);
    try {
      const result = await this.#inner.generate(messages, options);
      call.end(result);
      return result;
    } catch (error) {
      call.fail(error);
      throw error;
    }
  }

  stream(messages: readonly Message[], options: InferenceOptions): AsyncGenerator<InferenceDelta> {
    return this.#observe(messages, options, new DeltaCollector(options.model));
  }

  async *#observe(
    messages: readonly Message[],
    options: InferenceOptions,
    collector: DeltaCollector,
  ): AsyncGenerator<InferenceDelta> {
    const call = this.#begin(messages, options);
    const live = this.#bus.hasSubscribers("INFERENCE_DELTA")
      ? new LiveDeltas(this.#bus, options.run)
      : undefined;
    try {
      for await (const delta of this.#inner.stream(messages, options)) {
        call.sawDelta(delta);
        collector.add(delta);
        live?.publish(delta);
        yield delta;
      }
      live?.end();
    } catch (error) {
      call.fail(error, collector.finish());
      throw error;
    } finally {
      // Reached without an end when the consumer left the loop early.
      call.end(collector.finish());
    }
  }

  override listModels(options?: CallOptions): Promise<ModelInfo[]> {
    return this.#inner.listModels(options);
  }

  override health(options?: CallOptions): Promise<EngineHealth> {
    return this.#inner.health(options);
  }

  override capabilities(model: string, options?: CallOptions): Promise<ModelCapabilities> {
    return this.#inner.capabilities(model, options);
  }

  override close(): Promise<void> {
    return this.#inner.close();
  }

  #embed(
    texts: readonly string[],
    options: { model: string; signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    return this.#inner.embed?.(texts, options) ?? Promise.resolve([]);
  }

  #pull(model: string, options: PullOptions): Promise<void> {
    return this.#inner.pullModel?.(model, options) ?? Promise.resolve();
  }

  #begin(messages: readonly Message[], options: InferenceOptions): ObservedCall {
    return new ObservedCall(this.#bus, this.engineId, options, messages.length);
  }
}

/** Whether an engine already publishes its own inference events. */
export function isInstrumented(engine: InferenceEngine): boolean {
  return instrumentedBrand in engine;
}

class ObservedCall {
  readonly #bus: EventBus;
  readonly #engine: string;
  readonly #options: InferenceOptions;
  readonly #started = performance.now();
  #firstDelta: number | undefined;
  #ended = false;

  constructor(bus: EventBus, engine: string, options: InferenceOptions, messageCount: number) {
    this.#bus = bus;
    this.#engine = engine;
    this.#options = options;
    bus.publish("INFERENCE_START", { model: options.model, engine, messageCount }, options.run);
  }

  sawDelta(delta: InferenceDelta): void {
    if (delta.type === "text" || delta.type === "reasoning" || delta.type === "tool_call") {
      this.#firstDelta ??= performance.now();
    }
  }

  end(result: InferenceResult): void {
    for (const message of this.#ended ? [] : result.warnings) {
      this.#bus.publish("WARNING", { message, source: this.#engine }, this.#options.run);
    }
    this.#publish(result, {});
  }

  fail(error: unknown, partial?: InferenceResult): void {
    const failure = isJarvisError(error)
      ? { error: error.message, code: error.code }
      : { error: errorText(error) };
    this.#publish(partial, failure);
  }

  #publish(result: InferenceResult | undefined, failure: { error?: string; code?: string }): void {
    if (this.#ended) return;
    this.#ended = true;
    const data: EventMap["INFERENCE_END"] = {
      model: result?.model ?? this.#options.model,
      engine: this.#engine,
      latency: (performance.now() - this.#started) / 1000,
      usage: result?.usage ?? emptyUsage(),
      content: result?.content ?? "",
      reasoning: result?.reasoning ?? "",
      toolCalls: result?.toolCalls ?? [],
      finishReason: failure.error === undefined ? (result?.finishReason ?? "stop") : "error",
      ...failure,
    };
    if (this.#firstDelta !== undefined) data.timeToFirstToken = (this.#firstDelta - this.#started) / 1000;
    this.#bus.publish("INFERENCE_END", data, this.#options.run);
  }
}

/** Publishes what arrives, with reasoning between tags told apart from the answer. */
class LiveDeltas {
  readonly #splitter = new ReasoningSplitter();
  readonly #bus: EventBus;
  readonly #run: RunRef | undefined;

  constructor(bus: EventBus, run: RunRef | undefined) {
    this.#bus = bus;
    this.#run = run;
  }

  publish(delta: InferenceDelta): void {
    if (delta.type === "reasoning") this.#send("reasoning", delta.text);
    if (delta.type === "text") for (const piece of this.#splitter.push(delta.text)) this.#piece(piece);
  }

  end(): void {
    for (const piece of this.#splitter.end()) this.#piece(piece);
  }

  #piece(piece: ReturnType<ReasoningSplitter["push"]>[number]): void {
    if (piece.kind === "text" || piece.kind === "reasoning") this.#send(piece.kind, piece.text);
  }

  #send(kind: "text" | "reasoning", text: string): void {
    if (text !== "") this.#bus.publish("INFERENCE_DELTA", { kind, text }, this.#run);
  }
}
