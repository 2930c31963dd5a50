import { errorText, isJarvisError, JarvisError } from "@openjarvis/core";
import {
  addressOf,
  type HttpReply,
  type RefusalContext,
  readRefusal,
  refusalError,
  refusalOf,
} from "@openjarvis/model-server";

/** The typed errors of one Ollama server. */
export class ServerErrors {
  readonly server = "Ollama";
  readonly unreachableHint = "Start it with `ollama serve`, or choose another engine with --engine.";
  readonly address: string;

  constructor(host: string) {
    this.address = addressOf(new URL(host));
  }

  /** Throws for a reply that is no success. */
  async check(reply: HttpReply, model: string | undefined): Promise<void> {
    if (!reply.ok) throw refusalError(await readRefusal(reply), this.#context(model));
  }

  /**
   * For what the client throws while it reads a stream: the text of an error line, or its complaint that the closing
   * chunk is missing.
   */
  ofStream(error: unknown, model: string | undefined): unknown {
    if (isJarvisError(error)) return error;
    const text = errorText(error);
    if (!/^Did not receive done/.test(text)) {
      return refusalError(refusalOf({ error: text }), { ...this.#context(model), cause: error });
    }
    const message = `Ollama at ${this.address} ended its answer before it was complete.`;
    return new JarvisError("OJ_ENGINE_PROTOCOL", message, {
      hint: "Its log says why; asking again may work.",
      cause: error,
    });
  }

  /** The library says of a name it does not know that a file is missing. */
  ofPull(failure: unknown, model: string): unknown {
    if (!isJarvisError(failure, "OJ_ENGINE_SERVER", "OJ_ENGINE_MODEL_MISSING")) return failure;
    const said = String(failure.details.serverMessage);
    if (!/file does not exist|not found/.test(said)) return failure;
    return new JarvisError("OJ_ENGINE_MODEL_MISSING", `There is no model "${model}" to fetch: ${said}.`, {
      hint: "https://ollama.com/library lists the models that can be fetched.",
      cause: failure,
      details: failure.details,
    });
  }

  unreadableLine(): JarvisError {
    return new JarvisError(
      "OJ_ENGINE_PROTOCOL",
      `Ollama at ${this.address} sent a line that is not valid JSON.`,
    );
  }

  notOllama(path: string): JarvisError {
    return new JarvisError(
      "OJ_ENGINE_PROTOCOL",
      `What answers at ${this.address} does not answer ${path} as Ollama does.`,
    );
  }

  #context(model: string | undefined): RefusalContext {
    const context: RefusalContext = {
      server: this.server,
      address: this.address,
      authHint:
        "Sign in with `ollama signin`, set OLLAMA_API_KEY for ollama.com, or `headers` for a server behind a proxy.",
    };
    if (model === undefined) return context;
    return {
      ...context,
      model,
      modelHint: `Fetch it with \`jarvis model pull ${model}\` or \`ollama pull ${model}\`.`,
    };
  }
}
