import {
  type CallOptions,
  type EngineHealth,
  failedHealth,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  isJarvisError,
  type Message,
  type ModelCapabilities,
  type ModelInfo,
  type PullOptions,
} from "@openjarvis/core";
import { type HttpCall, type HttpCallOptions, HttpTransport, vectorsOf } from "@openjarvis/model-server";
import type { ChatResponse, ListResponse } from "ollama";
import type { Ollama } from "ollama/browser";
import { chatRequest } from "./chat-request.js";
import { ending, wholeCall } from "./chunk-deltas.js";
import { LineGuard } from "./line-guard.js";
import { contextFor, factsOf, type ModelFacts } from "./model-facts.js";
import { type OllamaEngineOptions, type ResolvedOptions, resolveOptions } from "./options.js";
import { cutPromptWarning, estimateTokens } from "./prompt-estimate.js";
import { PullProgress } from "./pull-progress.js";
import { type Feature, refusedFeature, withoutFeature } from "./refused-feature.js";
import { ServerErrors } from "./server-errors.js";
import { featureWarning, modelWarnings } from "./warnings.js";

const embedBatch = 128;

/**
 * Models served by Ollama, over its HTTP API with the `ollama` client.
 *
 * - Every answer is streamed; an answer without Ollama's closing chunk is `OJ_ENGINE_PROTOCOL`, never a short success.
 * - Cancelling closes the connection, which makes the server stop the model.
 * - A model that refuses tools or thinking is asked once more without, with a warning.
 * - `num_ctx` is always sent: the server's own default cuts long prompts without a word. When it seems to have cut one
 *   all the same, there is a warning.
 *
 * Source of the protocol: https://github.com/ollama/ollama/blob/main/docs/api.md
 *
 * @example
 * const engine = new OllamaEngine({ numCtx: 8192 });
 * const answer = await engine.generate([{ role: "user", content: "Hello" }], { model: "llama3.2" });
 * await engine.close();
 */
export class OllamaEngine extends InferenceEngine {
  readonly engineId = "ollama";
  /** True for ollama.com itself; models of the cloud behind a local server are told by a warning. */
  override readonly hosted: boolean;
  readonly #options: ResolvedOptions;
  readonly #errors: ServerErrors;
  readonly #transport: HttpTransport;
  readonly #facts = new Map<string, ModelFacts>();
  #library: Promise<typeof import("./client-library.js")> | undefined;

  constructor(options: OllamaEngineOptions = {}) {
    super();
    this.#options = resolveOptions(options);
    this.#errors = new ServerErrors(this.#options.host);
    this.hosted = /(^|\.)ollama\.com$/.test(new URL(this.#options.host).hostname);
    const { server, unreachableHint } = this.#errors;
    this.#transport = new HttpTransport({
      server,
      unreachableHint,
      timeoutSeconds: this.#options.timeoutSeconds,
    });
  }

  /** The address of the server. */
  get host(): string {
    return this.#options.host;
  }

  async *stream(messages: readonly Message[], options: InferenceOptions): AsyncGenerator<InferenceDelta> {
    const { model, signal } = options;
    const facts = await this.#modelFacts(model, signal);
    const numCtx = contextFor(facts, this.#options.numCtx);
    let request = chatRequest(messages, options, this.#options, numCtx);
    for (const message of modelWarnings(model, facts, messages)) yield { type: "warning", message };
    let feature: Feature | undefined =
      facts.tools === false && request.tools !== undefined ? "tools" : undefined;
    for (;;) {
      if (feature !== undefined) {
        request = withoutFeature(request, feature);
        yield { type: "warning", message: featureWarning(model, feature) };
      }
      const guard = new LineGuard(this.#errors.server);
      const call = this.#call(model, { signal, inspect: guard.inspect });
      let received = 0;
      let done: ChatResponse | undefined;
      try {
        for await (const chunk of await (await this.#client(call)).chat(request)) {
          received += 1;
          const { message } = chunk;
          if (message?.thinking) yield { type: "reasoning", text: message.thinking };
          if (message?.content) yield { type: "text", text: message.content };
          for (const toolCall of message?.tool_calls ?? []) yield wholeCall(toolCall);
          if (chunk.done) done = chunk;
        }
        if (guard.lines > received) throw this.#errors.unreadableLine();
      } catch (error) {
        feature = received === 0 ? refusedFeature(call.failure, request) : undefined;
        if (feature === undefined) throw this.#failed(call, error, model);
        if (feature === "tools") this.#facts.set(model, { ...facts, tools: false });
      } finally {
        if (done === undefined) call.abort();
        else call.release();
      }
      if (done === undefined) continue;
      yield* ending(done, model);
      const warning = cutPromptWarning(
        estimateTokens(messages, options.tools),
        done.prompt_eval_count,
        numCtx,
      );
      if (warning !== undefined) yield { type: "warning", message: warning };
      return;
    }
  }

  /** Models of this machine first, then those the server runs elsewhere. */
  override async listModels(options: CallOptions = {}): Promise<ModelInfo[]> {
    const { models } = await this.#ask<ListResponse>({ signal: options.signal }, (client) => client.list());
    if (!Array.isArray(models)) throw this.#errors.notOllama("/api/tags");
    const isRemote = (model: object): number => ("remote_host" in model ? 1 : 0);
    return models
      .toSorted((a, b) => isRemote(a) - isRemote(b))
      .map(({ name, size }) => ({ id: name, ...(typeof size === "number" ? { sizeBytes: size } : {}) }));
  }

  override async health({ signal }: CallOptions = {}): Promise<EngineHealth> {
    const address = this.#errors.address;
    const deadline = AbortSignal.timeout(this.#options.healthTimeoutSeconds * 1000);
    try {
      const { version } = await this.#ask<{ version?: unknown }>(
        { signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]) },
        (client) => client.version(),
      );
      if (typeof version !== "string") throw this.#errors.notOllama("/api/version");
      return { ok: true, detail: `Ollama ${version}`, address };
    } catch (error) {
      const late = `Ollama at ${address} did not answer within ${this.#options.healthTimeoutSeconds} s.`;
      if (deadline.aborted && signal?.aborted !== true) {
        return { ok: false, detail: late, address, code: "OJ_ENGINE_TIMEOUT" };
      }
      return failedHealth(error, address);
    }
  }

  /** `contextLength` is the window a call really gets: the `num_ctx` the engine sends. */
  override async capabilities(model: string, { signal }: CallOptions = {}): Promise<ModelCapabilities> {
    const facts = await this.#modelFacts(model, signal);
    const capabilities: ModelCapabilities = { contextLength: contextFor(facts, this.#options.numCtx) };
    if (facts.tools !== undefined) capabilities.tools = facts.tools;
    if (facts.vision !== undefined) capabilities.vision = facts.vision;
    return capabilities;
  }

  override async embed(
    texts: readonly string[],
    { model, signal }: { model: string; signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += embedBatch) {
      const input = texts.slice(start, start + embedBatch);
      const { embeddings } = await this.#ask<{ embeddings?: unknown }>({ signal, model }, (client) =>
        client.embed({ model, input }),
      );
      const batch = vectorsOf(embeddings, input.length);
      if (batch === undefined) throw this.#errors.notOllama("/api/embed");
      vectors.push(...batch);
    }
    return vectors;
  }

  override async pullModel(model: string, { signal, onProgress }: PullOptions = {}): Promise<void> {
    const guard = new LineGuard(this.#errors.server);
    const call = this.#call(model, { signal, inspect: guard.inspect });
    const progress = new PullProgress();
    const report = (state: ReturnType<PullProgress["add"]>): void => {
      try {
        onProgress?.(state);
      } catch (error) {
        // Recorded as it is, so that it is not taken for an error of the server.
        call.fail(error);
        throw error;
      }
    };
    try {
      for await (const step of await (await this.#client(call)).pull({ model, stream: true })) {
        report(progress.add(step));
      }
    } catch (error) {
      throw this.#errors.ofPull(this.#failed(call, error, model), model);
    }
    this.#facts.delete(model);
    call.release();
  }

  override async close(): Promise<void> {
    await this.#transport.close();
  }

  /** What the server says of a model, remembered; nothing when it cannot say. */
  async #modelFacts(model: string, signal: AbortSignal | undefined): Promise<ModelFacts> {
    const remembered = this.#facts.get(model);
    if (remembered !== undefined) return remembered;
    try {
      const facts = factsOf(await this.#ask<unknown>({ signal, model }, (client) => client.show({ model })));
      this.#facts.set(model, facts);
      return facts;
    } catch (error) {
      // A server too old or too guarded for /api/show may still answer /api/chat.
      if (isJarvisError(error, "OJ_ENGINE_PROTOCOL", "OJ_ENGINE_BAD_REQUEST", "OJ_ENGINE_SERVER")) return {};
      throw error;
    }
  }

  /** One request that is answered with one document. */
  async #ask<T>(
    { model, signal }: { model?: string; signal?: AbortSignal | undefined },
    send: (client: Ollama) => Promise<unknown>,
  ): Promise<T> {
    const call = this.#call(model, { signal });
    try {
      const answer = await send(await this.#client(call));
      if (typeof answer !== "object" || answer === null) throw this.#errors.notOllama("the API");
      return answer as T;
    } catch (error) {
      throw this.#failed(call, error, model);
    }
  }

  #call(model: string | undefined, options: HttpCallOptions): HttpCall {
    return this.#transport.call({
      ...options,
      ...(model === undefined ? {} : { waitingFor: `model ${model}` }),
      checkReply: (reply) => this.#errors.check(reply, model),
    });
  }

  /** A client for one call: the client has no signal of its own to give to a request. */
  async #client(call: HttpCall): Promise<Ollama> {
    this.#library ??= import("./client-library.js");
    const { Ollama } = await this.#library;
    return new Ollama({ host: this.#options.host, headers: { ...this.#options.headers }, fetch: call.fetch });
  }

  /** Ends a call that failed, and says why. */
  #failed(call: HttpCall, error: unknown, model: string | undefined): unknown {
    call.abort();
    const failure = call.failure ?? this.#errors.ofStream(error, model);
    if (model !== undefined && isJarvisError(failure, "OJ_ENGINE_MODEL_MISSING")) this.#facts.delete(model);
    return failure;
  }
}
