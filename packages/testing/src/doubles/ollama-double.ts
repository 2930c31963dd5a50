import type { ServerResponse } from "node:http";
import {
  bodyObject,
  DoubleServer,
  type RecordedRequest,
  sendError,
  sendJson,
  vectorOf,
} from "./double-server.js";
import { checkOllamaChat } from "./ollama-check.js";
import { ollamaDocument, ollamaError, ollamaFrames } from "./ollama-frames.js";
import type { DoubleReply } from "./reply.js";
import { sendFrames } from "./wire.js";

/** A model an Ollama double has. */
export interface OllamaDoubleModel {
  name: string;
  /** What `/api/show` says; `null` stands for a server that is too old to say. @default ["completion", "tools"] */
  capabilities?: readonly string[] | null;
  /** Tokens the model was trained with. @default 8192 */
  contextLength?: number;
  /** The PARAMETER lines of its Modelfile ("num_ctx 4096"). */
  parameters?: string;
  /** Bytes. @default 1_000_000 */
  size?: number;
  /** Where the model really runs, for models of the cloud. */
  remoteHost?: string;
}

/** Options of {@link startOllamaDouble}. */
export interface OllamaDoubleOptions {
  /** @default one model, "test-model" */
  models?: readonly (string | OllamaDoubleModel)[];
  /** One for each request to `/api/chat` that the server accepts. @default [] */
  replies?: readonly DoubleReply[];
  /** Names that `/api/pull` can fetch. @default [] */
  library?: readonly string[];
  /** @default "0.12.0" */
  version?: string;
  /** Length of the vectors of `/api/embed`. @default 8 */
  dimensions?: number;
  /** Replies that a path other than `/api/chat` always gives in place of its own. */
  endpoints?: Readonly<Record<string, DoubleReply>>;
}

/**
 * A double of the Ollama HTTP API on 127.0.0.1: `/api/chat` (stream and document), `/api/tags`, `/api/show`,
 * `/api/pull`, `/api/embed`, `/api/version`. It refuses what Ollama refuses: unknown models, arguments that are text,
 * content that is no text, tools for a model that has none.
 *
 * Source of the protocol: https://github.com/ollama/ollama/blob/main/docs/api.md
 *
 * @example
 * const ollama = await startOllamaDouble({ replies: [{ text: ["Hel", "lo"] }] });
 * // … point a client at ollama.url …
 * ollama.requests[0]?.body; // what it was sent
 * await ollama.close(); // throws when a reply was not used
 */
export function startOllamaDouble(options: OllamaDoubleOptions = {}): Promise<DoubleServer> {
  const api = new OllamaApi(options);
  return DoubleServer.start("Ollama", options.replies ?? [], (server) => (request, response) => {
    return api.handle(server, request, response);
  });
}

class OllamaApi {
  readonly #options: OllamaDoubleOptions;
  readonly #models = new Map<string, OllamaDoubleModel>();

  constructor(options: OllamaDoubleOptions) {
    this.#options = options;
    for (const model of options.models ?? ["test-model"]) {
      const entry = typeof model === "string" ? { name: model } : model;
      this.#models.set(entry.name, entry);
    }
  }

  async handle(server: DoubleServer, request: RecordedRequest, response: ServerResponse): Promise<void> {
    const body = bodyObject(request);
    const override = this.#options.endpoints?.[request.path];
    if (override !== undefined) return sendReply(response, override, body);
    switch (`${request.method} ${request.path}`) {
      case "GET /api/version":
        return sendJson(response, 200, { version: this.#options.version ?? "0.12.0" });
      case "GET /api/tags":
        return sendJson(response, 200, { models: [...this.#models.values()].map(tagOf) });
      case "POST /api/show":
        return this.#show(response, body);
      case "POST /api/embed":
        return this.#embed(response, body);
      case "POST /api/pull":
        return this.#pull(response, body);
      case "POST /api/chat":
        return this.#chat(server, request, response);
      default:
        return sendError(response, { status: 404, body: "404 page not found" });
    }
  }

  async #chat(server: DoubleServer, request: RecordedRequest, response: ServerResponse): Promise<void> {
    const body = bodyObject(request);
    const problem = checkOllamaChat(body) ?? this.#checkModel(body);
    if (problem !== undefined) return sendError(response, problem);
    const reply = server.takeReply(request);
    if (reply !== undefined) return sendReply(response, reply, body);
    const error = `the double has no reply left for ${request.method} ${request.path}`;
    sendJson(response, 500, { error });
  }

  #checkModel(body: Record<string, unknown>): ReturnType<typeof checkOllamaChat> {
    const name = String(body.model);
    const model = this.#find(name);
    if (model === undefined) return ollamaError("model_missing", name);
    const wantsTools = Array.isArray(body.tools) && body.tools.length > 0;
    if (wantsTools && model.capabilities !== null && !capabilitiesOf(model).includes("tools")) {
      return ollamaError("tools_unsupported", name);
    }
    return undefined;
  }

  /** A name without a tag stands for the tag `latest`. */
  #find(name: string): OllamaDoubleModel | undefined {
    return (
      this.#models.get(name) ??
      this.#models.get(`${name}:latest`) ??
      this.#models.get(name.replace(/:latest$/, ""))
    );
  }

  #show(response: ServerResponse, body: Record<string, unknown>): void {
    const name = String(body.model ?? body.name);
    const model = this.#find(name);
    if (model === undefined) {
      sendError(response, ollamaError("model_missing", name));
      return;
    }
    const document: Record<string, unknown> = {
      modelfile: `FROM ${model.name}`,
      parameters: model.parameters ?? "",
      template: "{{ .Prompt }}",
      details: detailsOf(),
      model_info: { "general.architecture": "test", "test.context_length": model.contextLength ?? 8192 },
      modified_at: "2026-01-01T00:00:00Z",
    };
    if (model.capabilities !== null) document.capabilities = capabilitiesOf(model);
    if (model.remoteHost !== undefined) {
      document.remote_host = model.remoteHost;
      document.remote_model = model.name;
    }
    sendJson(response, 200, document);
  }

  #embed(response: ServerResponse, body: Record<string, unknown>): void {
    const name = String(body.model);
    if (this.#find(name) === undefined) {
      sendError(response, ollamaError("model_missing", name));
      return;
    }
    const input = Array.isArray(body.input) ? body.input : [body.input];
    const embeddings = input.map((text) => vectorOf(String(text), this.#options.dimensions ?? 8));
    sendJson(response, 200, {
      model: name,
      embeddings,
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: 3,
    });
  }

  #pull(response: ServerResponse, body: Record<string, unknown>): Promise<void> {
    const name = String(body.model ?? body.name);
    const known = this.#options.library?.includes(name) === true;
    const frames = known
      ? pullFrames()
      : [{ status: "pulling manifest" }, { error: "pull model manifest: file does not exist" }];
    if (known) this.#models.set(name, { name });
    return sendReply(response, { frames }, { ...body, stream: true });
  }
}

function pullFrames(): object[] {
  const layer = (digest: string, total: number, completed?: number): object => ({
    status: `pulling ${digest}`,
    digest: `sha256:${digest}`,
    total,
    ...(completed === undefined ? {} : { completed }),
  });
  return [
    { status: "pulling manifest" },
    layer("aaaa", 1000),
    layer("aaaa", 1000, 400),
    layer("aaaa", 1000, 1000),
    layer("bbbb", 50, 50),
    { status: "verifying sha256 digest" },
    { status: "writing manifest" },
    { status: "success" },
  ];
}

async function sendReply(
  response: ServerResponse,
  reply: DoubleReply,
  body: Record<string, unknown>,
): Promise<void> {
  const model = String(body.model ?? "");
  if (reply.error !== undefined) return sendError(response, ollamaError(reply.error, model));
  const streamed = body.stream !== false && reply.unstreamed !== true;
  const contentType =
    reply.contentType ?? (streamed ? "application/x-ndjson" : "application/json; charset=utf-8");
  await sendFrames(response, framesOf(reply, model, streamed), reply.faults ?? {}, {
    status: 200,
    headers: { "content-type": contentType },
  });
}

function framesOf(reply: DoubleReply, model: string, streamed: boolean): string[] {
  if (reply.body !== undefined) return [reply.body];
  if (!streamed) return [JSON.stringify(ollamaDocument(reply, model))];
  return (reply.frames ?? ollamaFrames(reply, model)).map((frame) => `${JSON.stringify(frame)}\n`);
}

function capabilitiesOf(model: OllamaDoubleModel): readonly string[] {
  return model.capabilities ?? ["completion", "tools"];
}

function tagOf(model: OllamaDoubleModel): object {
  return {
    name: model.name,
    model: model.name,
    modified_at: "2026-01-01T00:00:00Z",
    size: model.size ?? 1_000_000,
    digest: "0000000000000000000000000000000000000000000000000000000000000000",
    details: detailsOf(),
    ...(model.remoteHost === undefined ? {} : { remote_host: model.remoteHost, remote_model: model.name }),
  };
}

function detailsOf(): object {
  return {
    parent_model: "",
    format: "gguf",
    family: "test",
    families: ["test"],
    parameter_size: "1B",
    quantization_level: "Q4_K_M",
  };
}
