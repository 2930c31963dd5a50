import {
  checkOptionKeys,
  type EngineHealth,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  JarvisError,
  type Message,
  type ModelCapabilities,
  type ModelInfo,
  throwIfAborted,
} from "@openjarvis/core";
import { protocols } from "./protocols/index.js";
import type { Protocol } from "./protocols/protocol.js";
import { modelAdvice } from "./refusal.js";
import { decideReply, type Reading } from "./reply.js";
import { charactersOf, estimateTokens, limitText } from "./usage.js";

const engineId = "rules";
/** Nothing is dropped below this; there is no window, and a number lets callers plan. */
const contextLength = 1_000_000;

/**
 * The embedded default engine: rules that plan with the tools they are offered. It is not a language model, needs no
 * model file, network or download, and gives the same reply for the same messages.
 *
 * - Its one model is `rules`; any other is `OJ_ENGINE_MODEL_MISSING`.
 * - What no rule covers is `OJ_ENGINE_CANNOT_ANSWER`, with the command that helps as its hint.
 * - Once the tools have answered, the reply is the final answer; a failed tool is reported, never called again.
 * - Agents that read text get calls and answers in the form their system prompt teaches.
 * - Token counts are estimates: a quarter of the characters.
 *
 * @example
 * const engine = new RulesEngine();
 * const { content } = await engine.generate([{ role: "user", content: "Hello" }], { model: "rules" });
 */
export class RulesEngine extends InferenceEngine {
  readonly engineId = engineId;

  /** Takes no options; any is `OJ_OPTION`. */
  constructor(options: Readonly<Record<string, never>> = {}) {
    super();
    checkOptionKeys(`The engine "${engineId}"`, options, []);
  }

  async *stream(messages: readonly Message[], options: InferenceOptions): AsyncGenerator<InferenceDelta> {
    throwIfAborted(options.signal);
    checkModel(options.model);
    const { protocol, reading } = read(messages, options);
    const reply = decideReply(reading);
    const said = reply.kind === "answer" ? (protocol.plain?.(reply.text) ?? reply.text) : "";
    const { text, cut } = limitText(said, options);
    const deltas = protocol.write(reply.kind === "answer" ? { ...reply, text } : reply);
    for (const delta of deltas) {
      throwIfAborted(options.signal);
      yield delta;
    }
    const called = deltas.some((delta) => delta.type === "tool_call");
    const completion = reply.kind === "answer" ? text.length : JSON.stringify(reply.calls).length;
    yield {
      type: "usage",
      usage: {
        promptTokens: estimateTokens(charactersOf(messages)),
        completionTokens: estimateTokens(completion),
      },
    };
    yield { type: "finish", reason: called ? "tool_calls" : cut ? "length" : "stop" };
  }

  override async listModels(): Promise<ModelInfo[]> {
    return [{ id: engineId, contextLength }];
  }

  override async health(): Promise<EngineHealth> {
    return { ok: true, detail: "built in: needs no model, no network and no download" };
  }

  override async capabilities(): Promise<ModelCapabilities> {
    return { tools: true, vision: false, contextLength };
  }
}

function checkModel(model: string): void {
  if (model === engineId) return;
  throw new JarvisError(
    "OJ_ENGINE_MODEL_MISSING",
    `The built-in rules engine has no model "${model}"; its only one is "${engineId}".`,
    { hint: `Use --model ${engineId}. For a language model: ${modelAdvice}` },
  );
}

function read(
  messages: readonly Message[],
  options: InferenceOptions,
): { protocol: Protocol; reading: Reading } {
  for (const protocol of protocols) {
    const reading = protocol.read(messages, options);
    if (reading !== undefined) return { protocol, reading };
  }
  throw new JarvisError("OJ_INTERNAL", "No protocol of the rules engine reads this conversation.");
}
