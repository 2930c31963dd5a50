import {
  type DoubleFailure,
  type DoubleHttpError,
  type DoubleReply,
  type DoubleToolCall,
  piecesOf,
  usageOf,
} from "./reply.js";

const created = 1_767_225_600;

/** The JSON values a reply becomes in a stream of chat completion chunks, without the `[DONE]` behind them. */
export function openaiFrames(
  reply: DoubleReply,
  model: string,
  options: { includeUsage: boolean },
): object[] {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created, model: reply.model ?? model };
  const usage = options.includeUsage ? { usage: null } : {};
  const part = (delta: object, finish: string | null = null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    ...usage,
  });
  const frames = [
    part({ role: "assistant", content: "" }),
    ...piecesOf(reply.reasoning).map((reasoning) => part({ reasoning_content: reasoning })),
    ...piecesOf(reply.text).map((content) => part({ content })),
    ...(reply.toolCalls ?? []).flatMap(callDeltas).map((call) => part({ tool_calls: [call] })),
  ];
  if (reply.streamError !== undefined) {
    const error = { message: reply.streamError, type: "server_error", param: null, code: null };
    frames.push(typeof reply.streamError === "string" ? { error } : reply.streamError);
    return frames;
  }
  const reason = finishReasonOf(reply);
  if (reason !== null) frames.push(part({}, reason));
  const counted = usageJson(reply);
  if (options.includeUsage && counted !== undefined) frames.push({ ...head, choices: [], usage: counted });
  return frames;
}

/** The one JSON document a reply becomes without a stream. */
export function openaiDocument(reply: DoubleReply, model: string): object {
  const text = piecesOf(reply.text).join("");
  const reasoning = piecesOf(reply.reasoning).join("");
  const calls = (reply.toolCalls ?? []).map((call, position) => wholeCall(call, position));
  const message: Record<string, unknown> = {
    role: "assistant",
    content: text === "" && calls.length > 0 ? null : text,
  };
  if (reasoning !== "") message.reasoning_content = reasoning;
  if (calls.length > 0) message.tool_calls = calls;
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created,
    model: reply.model ?? model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReasonOf(reply) }],
    ...(usageOf(reply) === undefined ? {} : { usage: usageJson(reply) }),
  };
}

function finishReasonOf(reply: DoubleReply): string | null {
  if (reply.finishReason !== undefined) return reply.finishReason;
  return (reply.toolCalls?.length ?? 0) > 0 ? "tool_calls" : "stop";
}

function usageJson(reply: DoubleReply): object | undefined {
  const usage = usageOf(reply);
  if (usage === undefined) return undefined;
  const { promptTokens, completionTokens } = usage;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  };
}

function argumentsText(call: DoubleToolCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments ?? {});
}

function wholeCall(call: DoubleToolCall, position: number): Record<string, unknown> {
  const omit = new Set<string>(call.omit);
  const whole: Record<string, unknown> = {};
  if (!omit.has("id")) whole.id = call.id === undefined ? `call_${position + 1}` : call.id;
  if (!omit.has("type")) whole.type = "function";
  whole.function = omit.has("arguments")
    ? { name: call.name }
    : { name: call.name, arguments: argumentsText(call) };
  return whole;
}

/** The first delta of a call names it; the arguments follow in fragments. */
function callDeltas(call: DoubleToolCall, position: number): object[] {
  const index = call.omit?.includes("index") ? {} : { index: call.index ?? position };
  const fragments = call.omit?.includes("arguments") ? 1 : (call.fragments ?? 2);
  const whole = { ...index, ...wholeCall(call, position) };
  if (fragments <= 1) return [whole];
  const text = argumentsText(call);
  const size = Math.max(1, Math.ceil(text.length / (fragments - 1)));
  const rest: object[] = [];
  for (let start = 0; start < text.length; start += size) {
    rest.push({ ...index, function: { arguments: text.slice(start, start + size) } });
  }
  return [{ ...whole, function: { name: call.name, arguments: "" } }, ...rest];
}

/** A failure as the OpenAI API sends it. */
export function openaiError(failure: DoubleFailure | DoubleHttpError, model: string): DoubleHttpError {
  if (typeof failure === "object") return failure;
  const [status, type, code, message] = failures(model)[failure];
  const body = { error: { message, type, param: null, code } };
  return failure === "rate_limited" ? { status, body, headers: { "retry-after": "7" } } : { status, body };
}

function failures(model: string): Record<DoubleFailure, [number, string, string | null, string]> {
  const invalid = "invalid_request_error";
  const tooLong =
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.";
  return {
    bad_request: [400, invalid, null, "Invalid value for 'temperature'."],
    context_length: [400, invalid, "context_length_exceeded", tooLong],
    forbidden: [403, invalid, null, "You are not allowed to use this model."],
    model_missing: [
      404,
      invalid,
      "model_not_found",
      `The model \`${model}\` does not exist or you do not have access to it.`,
    ],
    overloaded: [503, "server_error", null, "The engine is currently overloaded, please try again later."],
    rate_limited: [429, "requests", "rate_limit_exceeded", `Rate limit reached for ${model}.`],
    server_error: [500, "server_error", null, "The server had an error while processing your request."],
    tools_unsupported: [400, invalid, null, `${model} does not support tools.`],
    unauthorized: [401, invalid, "invalid_api_key", "Incorrect API key provided."],
  };
}
