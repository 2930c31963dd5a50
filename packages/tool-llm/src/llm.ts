import {
  BaseTool,
  errorText,
  type InferenceEngine,
  isJarvisError,
  JarvisError,
  type Message,
  type ToolContext,
  type ToolSpec,
} from "@openjarvis/core";

/** Options of an {@link LLMTool}. Other keys of the composition root are ignored. */
export interface LLMToolOptions {
  /** The engine that answers. Without one every call fails and says so. */
  engine?: InferenceEngine | undefined;
  /** The model's name, as the engine knows it. */
  model?: string | undefined;
}

const parameters = {
  type: "object",
  properties: {
    prompt: { type: "string", description: "The prompt to send to the model" },
    system: { type: "string", description: "Optional system message for context" },
  },
  required: ["prompt"],
} as const;

/** Seconds a call may take; a model on this machine may need minutes. */
const timeoutSeconds = 300;

/**
 * The tool `llm`: one question to a model, with no history and no tools, and its answer.
 *
 * The answer's tokens are in `usage`. An answer that the token limit cut is marked; an empty one is a failed result.
 *
 * @example
 * const llm = new LLMTool({ engine, model: "qwen3:8b" });
 * (await llm.execute({ prompt: "Summarize: …", system: "You are a concise summarizer." })).content;
 */
export class LLMTool extends BaseTool {
  readonly toolId = "llm";
  readonly #engine: InferenceEngine | undefined;
  readonly #model: string;
  override readonly isLocal: boolean;

  constructor({ engine, model = "" }: LLMToolOptions = {}) {
    super();
    this.#engine = engine;
    this.#model = model;
    this.isLocal = engine?.hosted !== true;
  }

  get spec(): ToolSpec {
    return {
      name: "llm",
      description:
        "Ask a language model a question of its own, for example to summarize a text or to answer a sub-question. It sees nothing but the prompt.",
      parameters,
      category: "inference",
      timeoutSeconds,
    };
  }

  protected override async run(
    { prompt, system = "" }: { prompt: string; system?: string },
    { signal, runId }: ToolContext,
  ): Promise<{ content: string; usage: Record<string, unknown>; metadata: Record<string, unknown> }> {
    const engine = this.#engine;
    if (engine === undefined) {
      throw new JarvisError("OJ_TOOL_FAILED", "No inference engine is available to the llm tool.", {
        hint: "Make the tool with `engine` and `model`, or let the SDK make it.",
      });
    }
    if (this.#model.trim() === "") {
      throw new JarvisError("OJ_MODEL_NOT_SET", "No model is set for the llm tool.", {
        hint: "Name one with --model, or make the tool with `model`.",
      });
    }
    if (prompt.trim() === "") throw new JarvisError("OJ_TOOL_ARGUMENTS", "The prompt is empty.");
    const messages: Message[] = [{ role: "user", content: prompt }];
    if (system.trim() !== "") messages.unshift({ role: "system", content: system });
    const run = runId === "" ? {} : { run: { runId, parentId: "" } };
    const options = { model: this.#model, signal, ...run };
    const answer = await engine.generate(messages, options).catch((error: unknown) => {
      throw signal.aborted ? error : asLLMError(error);
    });
    const { content, usage, model, finishReason } = answer;
    if (content.trim() === "") {
      throw new JarvisError("OJ_TOOL_FAILED", "LLM error: the model gave an empty answer.");
    }
    const metadata = { model, engine: engine.engineId, finish_reason: finishReason };
    if (finishReason !== "length") return { content, usage: { ...usage }, metadata };
    return {
      content: `${content}\n[The answer was cut by the token limit.]`,
      usage: { ...usage },
      metadata: { ...metadata, truncated: true },
    };
  }
}

/** The failure of the model as one of this tool, with its code kept. */
function asLLMError(error: unknown): JarvisError {
  const code = isJarvisError(error) ? error.code : "OJ_TOOL_FAILED";
  const facts = isJarvisError(error) ? { hint: error.hint, details: error.details } : {};
  return new JarvisError(code, `LLM error: ${errorText(error)}`, { ...facts, cause: error });
}
