import { type InferenceEngine, JarvisError, type ModelInfo } from "@openjarvis/core";

/** The model of an engine for which none was named. */
export interface PickedModel {
  model: string;
  /** What the reason says of it; empty when there was no choice. */
  note: string;
}

/**
 * The only model of an engine, or the first it lists; models that only embed are left out.
 *
 * Throws `OJ_MODEL_NOT_SET` when there is none, and for a hosted engine with several: which one is paid for is the
 * user's choice.
 */
export function pickModel(name: string, engine: InferenceEngine, models: readonly ModelInfo[]): PickedModel {
  const all = models.map(({ id }) => id);
  const chat = all.filter((id) => !/embed|minilm|\bbge\b|rerank/i.test(id));
  const usable = chat.length > 0 ? chat : all;
  const [first, ...others] = usable;
  if (first === undefined) {
    const pull = engine.pullModel === undefined ? "" : " Fetch one with: jarvis model pull <name>";
    throw new JarvisError("OJ_MODEL_NOT_SET", `No model was named, and engine "${name}" has none.`, {
      hint: `Name one with --model, the option \`model\`, or intelligence.default_model.${pull}`,
    });
  }
  if (others.length === 0) return { model: first, note: "" };
  if (engine.hosted) {
    const some = usable.slice(0, 10).join(", ");
    throw new JarvisError("OJ_MODEL_NOT_SET", `No model was named for the hosted engine "${name}".`, {
      hint: `Name one of its ${usable.length}: ${some}${usable.length > 10 ? ", …" : ""}`,
      details: { models: usable },
    });
  }
  return { model: first, note: `; ${first} is the first of its ${usable.length} models` };
}
