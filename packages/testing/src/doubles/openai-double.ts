import type { ServerResponse } from "node:http";
import {
  bodyObject,
  DoubleServer,
  type RecordedRequest,
  sendError,
  sendJson,
  vectorOf,
} from "./double-server.js";
import { checkChatCompletion } from "./openai-check.js";
import { openaiDocument, openaiError, openaiFrames } from "./openai-frames.js";
import type { DoubleFaults, DoubleReply } from "./reply.js";
import { sendFrames } from "./wire.js";

/** Options of {@link startOpenAIDouble}. */
export interface OpenAIDoubleOptions {
  /** Ids, or entries of `/v1/models` with more fields (`max_model_len`). @default ["test-model"] */
  models?: readonly (string | ({ id: string } & Record<string, unknown>))[];
  /** One for each request to `/v1/chat/completions` that the server accepts. @default [] */
  replies?: readonly DoubleReply[];
  /** The key clients must send; others are refused with 401. @default no key is asked for */
  apiKey?: string;
  /** Length of the vectors of `/v1/embeddings`. @default 8 */
  dimensions?: number;
  /** Replies that a path other than `/v1/chat/completions` always gives in place of its own. */
  endpoints?: Readonly<Record<string, DoubleReply>>;
}

/**
 * A double of an OpenAI-compatible API on 127.0.0.1: `/v1/chat/completions` (server-sent events and document),
 * `/v1/models`, `/v1/embeddings`. It refuses what OpenAI refuses: arguments that are no text, tool calls without an
 * answer, empty tool lists, unknown models, a wrong key.
 *
 * Source of the protocol: https://platform.openai.com/docs/api-reference/chat
 *
 * @example
 * const openai = await startOpenAIDouble({ replies: [{ toolCalls: [{ name: "calculator", arguments: { expression: "1" } }] }] });
 * // … point a client at `${openai.url}/v1` …
 * await openai.close(); // throws when a reply was not used
 */
export function startOpenAIDouble(options: OpenAIDoubleOptions = {}): Promise<DoubleServer> {
  const api = new OpenAIApi(options);
  return DoubleServer.start("OpenAI", options.replies ?? [], (server) => (request, response) => {
    return api.handle(server, request, response);
  });
}

class OpenAIApi {
  readonly #options: OpenAIDoubleOptions;
  readonly #models: ({ id: string } & Record<string, unknown>)[];

  constructor(options: OpenAIDoubleOptions) {
    this.#options = options;
    this.#models = (options.models ?? ["test-model"]).map((model) =>
      typeof model === "string" ? { id: model } : model,
    );
  }

  async handle(server: DoubleServer, request: RecordedRequest, response: ServerResponse): Promise<void> {
    const body = bodyObject(request);
    const override = this.#options.endpoints?.[request.path];
    if (override !== undefined) return sendReply(response, override, body);
    const key = this.#options.apiKey;
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      return sendError(response, openaiError("unauthorized", ""));
    }
    switch (`${request.method} ${request.path}`) {
      case "GET /v1/models":
        return sendJson(response, 200, { object: "list", data: this.#models.map(modelEntry) });
      case "POST /v1/embeddings":
        return this.#embed(response, body);
      case "POST /v1/chat/completions":
        return this.#chat(server, request, response);
      default:
        return sendError(response, { status: 404, body: { detail: "Not Found" } });
    }
  }

  async #chat(server: DoubleServer, request: RecordedRequest, response: ServerResponse): Promise<void> {
    const body = bodyObject(request);
    const problem = checkChatCompletion(body) ?? this.#checkModel(body);
    if (problem !== undefined) return sendError(response, problem);
    const reply = server.takeReply(request);
    if (reply !== undefined) return sendReply(response, reply, body);
    const message = `the double has no reply left for ${request.method} ${request.path}`;
    sendJson(response, 500, { error: { message, type: "server_error", param: null, code: null } });
  }

  #checkModel(body: Record<string, unknown>): ReturnType<typeof checkChatCompletion> {
    const model = String(body.model);
    return this.#models.some(({ id }) => id === model) ? undefined : openaiError("model_missing", model);
  }

  #embed(response: ServerResponse, body: Record<string, unknown>): void {
    const problem = this.#checkModel(body);
    if (problem !== undefined) {
      sendError(response, problem);
      return;
    }
    const input = Array.isArray(body.input) ? body.input : [body.input];
    const data = input.map((text, index) => {
      const vector = vectorOf(String(text), this.#options.dimensions ?? 8);
      const embedding = body.encoding_format === "base64" ? base64Of(vector) : vector;
      return { object: "embedding", index, embedding };
    });
    sendJson(response, 200, {
      object: "list",
      data,
      model: body.model,
      usage: { prompt_tokens: 3, total_tokens: 3 },
    });
  }
}

async function sendReply(
  response: ServerResponse,
  reply: DoubleReply,
  body: Record<string, unknown>,
): Promise<void> {
  const model = String(body.model ?? "");
  if (reply.error !== undefined) return sendError(response, openaiError(reply.error, model));
  const streamed = body.stream === true && reply.unstreamed !== true;
  const contentType =
    reply.contentType ?? (streamed ? "text/event-stream; charset=utf-8" : "application/json");
  const made = streamed && reply.body === undefined && reply.frames === undefined;
  const faults = reply.faults ?? {};
  await sendFrames(response, framesOf(reply, model, streamed, body), made ? behindOpening(faults) : faults, {
    status: 200,
    headers: { "content-type": contentType },
  });
}

function framesOf(
  reply: DoubleReply,
  model: string,
  streamed: boolean,
  body: Record<string, unknown>,
): string[] {
  if (reply.body !== undefined) return [reply.body];
  if (!streamed) return [JSON.stringify(openaiDocument(reply, model))];
  const includeUsage =
    (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true;
  const values = reply.frames ?? openaiFrames(reply, model, { includeUsage });
  const frames = values.map((frame) => `data: ${JSON.stringify(frame)}\n\n`);
  if (reply.doneMarker !== false && reply.streamError === undefined) frames.push("data: [DONE]\n\n");
  return frames;
}

/** The chunk that only opens the answer is not counted, so that the same numbers fit both protocols. */
function behindOpening({ stall, closeAfter, endAfter, waitBefore, ...faults }: DoubleFaults): DoubleFaults {
  const shifted: DoubleFaults = faults;
  if (stall !== undefined) shifted.stall = typeof stall === "number" && stall > 0 ? stall + 1 : stall;
  if (closeAfter !== undefined) shifted.closeAfter = closeAfter > 0 ? closeAfter + 1 : closeAfter;
  if (endAfter !== undefined) shifted.endAfter = endAfter > 0 ? endAfter + 1 : endAfter;
  if (waitBefore !== undefined)
    shifted.waitBefore = (frame) => (frame > 0 ? waitBefore(frame - 1) : undefined);
  return shifted;
}

function modelEntry(model: { id: string }): object {
  return { object: "model", created: 1_767_225_600, owned_by: "test", ...model };
}

function base64Of(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString("base64");
}
