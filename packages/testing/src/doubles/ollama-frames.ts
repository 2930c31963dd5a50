import { type DoubleFailure, type DoubleHttpError, type DoubleReply, piecesOf, usageOf } from "./reply.js";

const createdAt = "2026-01-01T00:00:00.000000001Z";

/** The JSON values a reply becomes in Ollama's stream; all but the last have `done: false`. */
export function ollamaFrames(reply: DoubleReply, model: string): object[] {
  const name = reply.model ?? model;
  const part = (message: object): object => ({
    model: name,
    created_at: createdAt,
    message: { role: "assistant", ...message },
    done: false,
  });
  const frames = [
    ...piecesOf(reply.reasoning).map((thinking) => part({ content: "", thinking })),
    ...piecesOf(reply.text).map((content) => part({ content })),
    ...toolCalls(reply).map((call) => part({ content: "", tool_calls: [call] })),
  ];
  if (reply.streamError !== undefined) {
    frames.push(typeof reply.streamError === "string" ? { error: reply.streamError } : reply.streamError);
    return frames;
  }
  frames.push({ ...part({ content: "" }), done: true, ...ending(reply) });
  return frames;
}

/** The one JSON document a reply becomes without a stream. */
export function ollamaDocument(reply: DoubleReply, model: string): object {
  const message: Record<string, unknown> = { role: "assistant", content: piecesOf(reply.text).join("") };
  const reasoning = piecesOf(reply.reasoning).join("");
  if (reasoning !== "") message.thinking = reasoning;
  const calls = toolCalls(reply);
  if (calls.length > 0) message.tool_calls = calls;
  return { model: reply.model ?? model, created_at: createdAt, message, done: true, ...ending(reply) };
}

function toolCalls(reply: DoubleReply): object[] {
  return (reply.toolCalls ?? []).map((call, position) => {
    const omit = new Set<string>(call.omit);
    const inner: Record<string, unknown> = {};
    if (!omit.has("index")) inner.index = call.index ?? position;
    inner.name = call.name;
    if (!omit.has("arguments")) inner.arguments = call.arguments ?? {};
    const id = call.id === undefined ? `call_${position + 1}` : call.id;
    return omit.has("id") ? { function: inner } : { id, function: inner };
  });
}

function ending(reply: DoubleReply): Record<string, unknown> {
  const end: Record<string, unknown> = {};
  if (reply.finishReason !== null) end.done_reason = reply.finishReason ?? "stop";
  end.total_duration = 3_000_000;
  end.load_duration = 1_000_000;
  const usage = usageOf(reply);
  if (usage === undefined) return end;
  end.prompt_eval_count = usage.promptTokens;
  end.prompt_eval_duration = 1_000_000;
  end.eval_count = usage.completionTokens;
  end.eval_duration = 1_000_000;
  return end;
}

/** A failure as Ollama sends it. */
export function ollamaError(failure: DoubleFailure | DoubleHttpError, model: string): DoubleHttpError {
  if (typeof failure === "object") return failure;
  const [status, error] = failures(model)[failure];
  return failure === "rate_limited"
    ? { status, body: { error }, headers: { "retry-after": "7" } }
    : { status, body: { error } };
}

function failures(model: string): Record<DoubleFailure, [number, string]> {
  return {
    bad_request: [400, "invalid options: temperature"],
    context_length: [400, "the input length exceeds the context length"],
    forbidden: [403, "forbidden"],
    model_missing: [404, `model '${model}' not found`],
    overloaded: [503, "server busy, please try again.  maximum pending requests exceeded"],
    rate_limited: [429, "you have reached your usage limit"],
    server_error: [500, "llama runner process has terminated: signal: killed"],
    tools_unsupported: [400, `registry.ollama.ai/library/${model} does not support tools`],
    unauthorized: [401, "unauthorized"],
  };
}
