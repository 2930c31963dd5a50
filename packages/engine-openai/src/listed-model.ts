/** An entry of `/models`. */
export interface ListedModel extends Record<string, unknown> {
  id: string;
}

// vLLM and SGLang; OpenRouter and others; Mistral; Groq.
const fields = ["max_model_len", "context_length", "max_context_length", "context_window"];

/** The context window an entry of `/models` tells, in tokens. */
export function contextLengthOf(model: ListedModel): number | undefined {
  const value = fields
    .map((field) => model[field])
    .find((length) => typeof length === "number" && length > 0);
  return typeof value === "number" ? value : undefined;
}
