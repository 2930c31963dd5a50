import {
  type CallOptions,
  type EngineHealth,
  errorText,
  failedHealth,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  type Message,
  type ModelCapabilities,
  type ModelInfo,
} from "@openjarvis/core";
import { type HttpCall, type HttpCallOptions, HttpTransport, vectorsOf } from "@openjarvis/model-server";
import type { OpenAI } from "openai";
import { type Adaptation, adaptationFor } from "./adaptations.js";
import { type ChatBody, chatBody } from "./chat-request.js";
import { DoneMarker } from "./done-marker.js";
import { contextLengthOf, type ListedModel } from "./listed-model.js";
import { type OpenAIEngineOptions, type ResolvedOptions, resolveOptions } from "./options.js";
import { requestHeaders } from "./request-headers.js";
import { retryWait, waitSeconds } from "./retry.js";
import { ServerErrors } from "./server-errors.js";
import { messageDeltas, usageOf, type WireChunk } from "./wire.js";

const embedBatch = 128;
// The client's own deadline is put out of reach: the engine's is the transport's silence.
const noDeadline = 0x7fffffff;

/**
 * Models behind an OpenAI-compatible API (Chat Completions), with the `openai` client: OpenAI itself, vLLM, SGLang, the
 * llama.cpp server, LM Studio, and any other by `baseUrl`.
 *
 * - Every answer is streamed; one that breaks off is `OJ_ENGINE_PROTOCOL`, never a short success.
 * - Cancelling closes the connection, which makes the server stop the model.
 * - A request that a server refuses for one of its parts (tools, temperature, the name of the token limit) is made again
 *   without that part, once for each, and the next ones for that model are right from the start. What is lost by it is a
 *   warning.
 * - The client never retries; the engine does as `maxRetries` says.
 *
 * Source of the protocol: https://platform.openai.com/docs/api-reference/chat
 *
 * @example
 * const engine = new OpenAIEngine({ engineId: "vllm" });
 * const answer = await engine.generate([{ role: "user", content: "Hello" }], { model: "Qwen/Qwen3-8B" });
 * await engine.close();
 */
export class OpenAIEngine extends InferenceEngine {
  readonly engineId: string;
  /** True for services of others; false on this machine and on private networks. */
  override readonly hosted: boolean;
  readonly #options: ResolvedOptions;
  readonly #errors: ServerErrors;
  readonly #transport: HttpTransport;
  readonly #adaptations = new Map<string, readonly Adaptation[]>();
  readonly #capabilities = new Map<string, ModelCapabilities>();
  #library: Promise<typeof import("./client-library.js")> | undefined;

  constructor(options: OpenAIEngineOptions = {}) {
    super();
    this.#options = resolveOptions(options);
    this.#errors = new ServerErrors(this.#options);
    this.engineId = this.#options.engineId;
    this.hosted = this.#options.hosted;
    const { server, unreachableHint } = this.#errors;
    this.#transport = new HttpTransport({
      server,
      unreachableHint,
      timeoutSeconds: this.#options.timeoutSeconds,
    });
  }

  /** The address of the API. */
  get baseUrl(): string {
    return this.#options.baseUrl;
  }

  async *stream(messages: readonly Message[], options: InferenceOptions): AsyncGenerator<InferenceDelta> {
    const { model, signal } = options;
    let adaptations = this.#adaptations.get(model) ?? [];
    let body = this.#body(messages, options, adaptations);
    for (const warning of warningsOf(adaptations, model)) yield warning;
    for (let retries = 0; ; ) {
      const marker = new DoneMarker();
      const call = this.#call(model, { signal, inspect: marker.inspect });
      let started = false;
      let complete = false;
      try {
        const chunks = await this.#open(call, body);
        this.#remember(model, adaptations);
        let reason: string | null | undefined;
        let usage: WireChunk["usage"];
        for await (const chunk of chunks) {
          if (chunk.object === "error") throw this.#errors.inAnswer(chunk, model);
          if (!started && chunk.model && chunk.model !== model) yield { type: "model", model: chunk.model };
          started = true;
          const choice = chunk.choices?.[0];
          const message = choice?.delta ?? choice?.message;
          if (message) for (const delta of messageDeltas(message)) yield delta;
          reason = choice?.finish_reason ?? reason;
          usage = chunk.usage ?? usage;
        }
        if (!reason && !marker.seen) throw this.#errors.incomplete();
        complete = true;
        if (usage) yield { type: "usage", usage: usageOf(usage) };
        yield { type: "finish", reason };
        return;
      } catch (error) {
        call.abort();
        const failure = call.failure ?? this.#errors.ofStream(error, model);
        if (started) throw failure;
        const adaptation = adaptationFor(failure, body, adaptations);
        const wait = retries < this.#options.maxRetries ? retryWait(failure, retries) : undefined;
        if (adaptation !== undefined) {
          adaptations = [...adaptations, adaptation];
          body = adaptation.apply(body);
          for (const warning of warningsOf([adaptation], model)) yield warning;
        } else if (wait !== undefined) {
          retries += 1;
          yield { type: "warning", message: `${errorText(failure)} Asked again after ${wait.toFixed(1)} s.` };
          await waitSeconds(wait, signal);
        } else {
          throw failure;
        }
      } finally {
        if (complete) call.release();
        else call.abort();
      }
    }
  }

  override async listModels({ signal }: CallOptions = {}): Promise<ModelInfo[]> {
    const models = await this.#models(signal);
    return models.map((model) => {
      const contextLength = contextLengthOf(model);
      return contextLength === undefined ? { id: model.id } : { id: model.id, contextLength };
    });
  }

  override async health({ signal }: CallOptions = {}): Promise<EngineHealth> {
    const { address, server } = this.#errors;
    const { healthTimeoutSeconds } = this.#options;
    const deadline = AbortSignal.timeout(healthTimeoutSeconds * 1000);
    try {
      const models = await this.#models(
        signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
      );
      return { ok: true, detail: `${server}, ${models.length} models`, address };
    } catch (error) {
      const late = `${server} at ${address} did not answer within ${healthTimeoutSeconds} s.`;
      if (deadline.aborted && signal?.aborted !== true) {
        return { ok: false, detail: late, address, code: "OJ_ENGINE_TIMEOUT" };
      }
      return failedHealth(error, address);
    }
  }

  /** What `/models` tells; vLLM and SGLang give the window they really serve, most others nothing. */
  override async capabilities(model: string, { signal }: CallOptions = {}): Promise<ModelCapabilities> {
    const remembered = this.#capabilities.get(model);
    if (remembered !== undefined) return { ...remembered };
    const listed = (await this.#models(signal)).find(({ id }) => id === model);
    if (listed === undefined) return {};
    const contextLength = contextLengthOf(listed);
    const capabilities: ModelCapabilities = contextLength === undefined ? {} : { contextLength };
    this.#capabilities.set(model, capabilities);
    return { ...capabilities };
  }

  override async embed(
    texts: readonly string[],
    { model, signal }: { model: string; signal?: AbortSignal },
  ): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += embedBatch) {
      const input = texts.slice(start, start + embedBatch);
      const answer = await this.#ask(model, signal, (client) =>
        client.embeddings.create({ model, input, encoding_format: "float" }),
      );
      const { data } = answer as { data?: { index?: number; embedding?: unknown }[] };
      const ordered = Array.isArray(data) ? data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : [];
      const batch = vectorsOf(
        ordered.map(({ embedding }) => embedding),
        input.length,
      );
      if (batch === undefined) throw this.#errors.wrongServer("/embeddings");
      vectors.push(...batch);
    }
    return vectors;
  }

  override async close(): Promise<void> {
    await this.#transport.close();
  }

  #body(
    messages: readonly Message[],
    options: InferenceOptions,
    adaptations: readonly Adaptation[],
  ): ChatBody {
    const newLimit = /(^|\.)openai\.(azure\.)?com$/.test(new URL(this.#options.baseUrl).hostname);
    const body = chatBody(messages, options, { modelOptions: this.#options.modelOptions, newLimit });
    return adaptations.reduce((adapted, adaptation) => adaptation.apply(adapted), body);
  }

  /** The chunks of an answer; a server that does not stream gives the whole answer as the only one. */
  async #open(call: HttpCall, body: ChatBody): Promise<AsyncIterable<WireChunk>> {
    const client = await this.#client(call);
    const { data, response } = await client.chat.completions.create(body).withResponse();
    const type = response.headers.get("content-type") ?? "";
    if (type.includes("text/html")) throw this.#errors.wrongServer("/chat/completions");
    if (!type.includes("application/json")) return data as AsyncIterable<unknown> as AsyncIterable<WireChunk>;
    const document = (await response.json()) as WireChunk & { error?: unknown };
    if (document.error) throw this.#errors.inAnswer(document, body.model);
    return oneByOne(document);
  }

  async #models(signal: AbortSignal | undefined): Promise<ListedModel[]> {
    const { data } = (await this.#ask(undefined, signal, (client) => client.get("/models"))) as {
      data?: unknown;
    };
    const isModel = (entry: unknown): entry is ListedModel =>
      typeof (entry as ListedModel | null)?.id === "string";
    if (!Array.isArray(data) || !data.every(isModel)) throw this.#errors.wrongServer("/models");
    return data;
  }

  /** One request that is answered with one document. */
  async #ask(
    model: string | undefined,
    signal: AbortSignal | undefined,
    send: (client: OpenAI) => PromiseLike<unknown>,
  ): Promise<object> {
    const call = this.#call(model, { signal });
    try {
      const answer = await send(await this.#client(call));
      if (typeof answer !== "object" || answer === null) throw this.#errors.wrongServer("the API");
      return answer;
    } catch (error) {
      call.abort();
      throw call.failure ?? this.#errors.ofStream(error, model);
    }
  }

  #call(model: string | undefined, options: HttpCallOptions): HttpCall {
    return this.#transport.call({
      ...options,
      ...(model === undefined ? {} : { waitingFor: `model ${model}` }),
      checkReply: (reply) => this.#errors.check(reply, model),
    });
  }

  /** A client for one call, whose `fetch` carries that call's signal and errors. */
  async #client(call: HttpCall): Promise<OpenAI> {
    if (this.hosted && this.#options.apiKey === undefined) throw this.#errors.keyMissing();
    this.#library ??= import("./client-library.js");
    const { OpenAI } = await this.#library;
    return new OpenAI({
      baseURL: this.#options.baseUrl,
      // The client will not do without a key or an environment variable; requestHeaders takes it out again.
      apiKey: this.#options.apiKey ?? "none",
      fetch: (url, init) =>
        call.fetch(url, { ...init, headers: requestHeaders(init?.headers, this.#options) }),
      maxRetries: 0,
      timeout: noDeadline,
      logLevel: "off",
    });
  }

  /** Keeps what a model has been found to need. */
  #remember(model: string, adaptations: readonly Adaptation[]): void {
    if (adaptations.length > 0) this.#adaptations.set(model, adaptations);
  }
}

function warningsOf(adaptations: readonly Adaptation[], model: string): InferenceDelta[] {
  return adaptations.flatMap((adaptation): InferenceDelta[] => {
    const message = adaptation.warning?.(model);
    return message === undefined ? [] : [{ type: "warning", message }];
  });
}

async function* oneByOne<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}
