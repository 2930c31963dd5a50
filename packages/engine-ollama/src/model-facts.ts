/** What `/api/show` tells of a model; a missing field means the server does not say. */
export interface ModelFacts {
  tools?: boolean;
  vision?: boolean;
  /** Tokens the model was trained with. */
  trainedContext?: number;
  /** `num_ctx` of the model's Modelfile. */
  ownContext?: number;
  /** The host that runs the model, when it is not this server. */
  remoteHost?: string;
}

// 16,384 tokens of an 8B model are about 2 GB of cache beside its weights; Ollama's own default of 2,048 to 4,096 cuts
// the system prompt and the tools off an agent's conversation.
const maxDefaultContext = 16_384;

/** Reads the answer of `/api/show`. */
export function factsOf(shown: unknown): ModelFacts {
  const facts: ModelFacts = {};
  const { capabilities, model_info: info, parameters, remote_host: remoteHost } = asObject(shown);
  if (Array.isArray(capabilities)) {
    facts.tools = capabilities.includes("tools");
    facts.vision = capabilities.includes("vision");
  }
  const trained = Object.entries(asObject(info)).find(([key]) => key.endsWith(".context_length"))?.[1];
  if (typeof trained === "number" && trained > 0) facts.trainedContext = trained;
  const own = typeof parameters === "string" ? /^\s*num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
  if (own !== undefined) facts.ownContext = Number(own);
  if (typeof remoteHost === "string" && remoteHost !== "") facts.remoteHost = remoteHost;
  return facts;
}

/** The `num_ctx` to send; never more than the model was trained with, because the server would not give more either. */
export function contextFor(facts: ModelFacts, numCtx: number | undefined): number {
  const wanted = numCtx ?? facts.ownContext ?? maxDefaultContext;
  return Math.min(wanted, facts.trainedContext ?? wanted);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
