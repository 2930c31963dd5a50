import type { DoubleHttpError } from "./reply.js";

/** What Ollama's JSON decoding refuses in a chat request, with its status and wording; undefined when it is fine. */
export function checkOllamaChat(body: Record<string, unknown>): DoubleHttpError | undefined {
  const { model, messages, tools } = body;
  if (typeof model !== "string" || model === "") return refusal("model is required");
  if (messages !== undefined && !Array.isArray(messages))
    return mismatch(messages, "messages", "[]api.Message");
  for (const message of Array.isArray(messages) ? messages : []) {
    const problem = checkMessage(message as Record<string, unknown>);
    if (problem !== undefined) return problem;
  }
  if (tools !== undefined && tools !== null && !Array.isArray(tools))
    return mismatch(tools, "tools", "api.Tools");
  return undefined;
}

function checkMessage(message: Record<string, unknown>): DoubleHttpError | undefined {
  const { role, content, images, tool_calls: calls } = message;
  if (!["system", "user", "assistant", "tool"].includes(String(role))) {
    return refusal(`invalid role: ${String(role)}, must be one of [system, user, assistant, tool]`);
  }
  if (content !== undefined && content !== null && typeof content !== "string") {
    return mismatch(content, "messages.content", "string");
  }
  for (const image of Array.isArray(images) ? images : []) {
    if (typeof image !== "string" || !/^[A-Za-z0-9+/]*={0,2}$/.test(image) || image.length % 4 !== 0) {
      return refusal("illegal base64 data at input byte 0");
    }
  }
  for (const call of Array.isArray(calls) ? calls : []) {
    const args = (call as { function?: { arguments?: unknown } }).function?.arguments;
    if (args === undefined || args === null || (typeof args === "object" && !Array.isArray(args))) continue;
    return mismatch(args, "messages.tool_calls.function.arguments", "api.ToolCallFunctionArguments");
  }
  return undefined;
}

function refusal(error: string): DoubleHttpError {
  return { status: 400, body: { error } };
}

function mismatch(value: unknown, field: string, type: string): DoubleHttpError {
  const kind = Array.isArray(value) ? "array" : typeof value;
  return refusal(`json: cannot unmarshal ${kind} into Go struct field ChatRequest.${field} of type ${type}`);
}
