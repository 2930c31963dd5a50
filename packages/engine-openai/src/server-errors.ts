import { errorText, isJarvisError, JarvisError } from "@openjarvis/core";
import {
  addressOf,
  type HttpReply,
  type RefusalContext,
  readRefusal,
  refusalError,
  refusalOf,
} from "@openjarvis/model-server";
import type { ResolvedOptions } from "./options.js";

/** The typed errors of one server. */
export class ServerErrors {
  readonly server: string;
  readonly unreachableHint: string;
  readonly address: string;
  readonly #options: ResolvedOptions;

  constructor(options: ResolvedOptions) {
    this.#options = options;
    this.server = options.preset.name;
    this.unreachableHint = options.preset.startHint;
    this.address = addressOf(new URL(options.baseUrl));
  }

  /** Throws for a reply that is no success. */
  async check(reply: HttpReply, model: string | undefined): Promise<void> {
    if (!reply.ok) throw refusalError(await readRefusal(reply), this.#context(model));
  }

  /** For an error object inside an answer with status 200. */
  inAnswer(body: unknown, model: string | undefined, cause?: unknown): JarvisError {
    return refusalError(refusalOf(body), { ...this.#context(model), cause });
  }

  /** For what the client throws while it reads an answer. */
  ofStream(error: unknown, model: string | undefined): unknown {
    if (isJarvisError(error)) return error;
    if (typeof error === "object" && error !== null && "error" in error)
      return this.inAnswer(error, model, error);
    const message = `${this.server} at ${this.address} sent an answer that cannot be read: ${errorText(error)}`;
    return new JarvisError("OJ_ENGINE_PROTOCOL", message, { cause: error });
  }

  incomplete(): JarvisError {
    const message = `${this.server} at ${this.address} ended its answer before it was complete.`;
    return new JarvisError("OJ_ENGINE_PROTOCOL", message, {
      hint: "Its log says why; asking again may work.",
    });
  }

  wrongServer(path: string): JarvisError {
    const message = `What answers at ${this.address} does not answer ${path} as the OpenAI API does.`;
    return new JarvisError("OJ_ENGINE_PROTOCOL", message);
  }

  keyMissing(): JarvisError {
    return new JarvisError(
      "OJ_ENGINE_AUTH",
      `${this.server} at ${this.address} needs an API key, and none is set.`,
      {
        hint: this.#authHint,
      },
    );
  }

  get #authHint(): string {
    return `Set ${this.#options.keyVariable}, or \`apiKey\` of the engine.`;
  }

  #context(model: string | undefined): RefusalContext {
    const { engineId, apiKey } = this.#options;
    const context: RefusalContext = {
      server: this.server,
      address: this.address,
      authHint: this.#authHint,
      secret: apiKey,
      modelHint: `\`jarvis model list --engine ${engineId}\` shows the models it has.`,
    };
    if (model !== undefined) context.model = model;
    return context;
  }
}
