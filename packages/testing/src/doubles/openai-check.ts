import type { DoubleHttpError } from "./reply.js";

type Json = Record<string, unknown>;

/** What the OpenAI API refuses in a chat completion request; undefined when it is fine. */
export function checkChatCompletion(body: Json): DoubleHttpError | undefined {
  const { model, messages, tools, stream } = body;
  if (typeof model !== "string" || model === "") return invalid("you must provide a model parameter", null);
  if (!Array.isArray(messages)) return invalid("Missing required parameter: 'messages'.", "messages");
  if (messages.length === 0) return invalid("[] is too short - 'messages'", "messages");
  if (tools === null || (Array.isArray(tools) && tools.length === 0))
    return invalid("[] is too short - 'tools'", "tools");
  if (tools === undefined && body.tool_choice !== undefined) {
    return invalid("'tool_choice' is only allowed when 'tools' are specified.", "tool_choice");
  }
  if (body.stream_options !== undefined && stream !== true) {
    return invalid(
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      "stream_options",
    );
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    return invalid(
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      "max_tokens",
    );
  }
  return checkMessages(messages as Json[]);
}

/** Every tool call is answered, right behind it, by a message with its id. */
function checkMessages(messages: readonly Json[]): DoubleHttpError | undefined {
  let open: string[] = [];
  for (const [position, message] of messages.entries()) {
    const at = `messages.[${position}]`;
    if (message.role !== "tool" && open.length > 0) return unanswered(open);
    const problem = checkContent(message, at) ?? checkCalls(message, at);
    if (problem !== undefined) return problem;
    if (message.role === "tool") {
      if (!open.includes(String(message.tool_call_id))) {
        const text =
          "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
        return invalid(`Invalid parameter: ${text}`, `${at}.role`);
      }
      open = open.filter((id) => id !== message.tool_call_id);
    }
    if (Array.isArray(message.tool_calls)) open = message.tool_calls.map((call) => String((call as Json).id));
  }
  return open.length > 0 ? unanswered(open) : undefined;
}

function checkContent({ role, content, tool_calls: calls }: Json, at: string): DoubleHttpError | undefined {
  if (!["system", "developer", "user", "assistant", "tool"].includes(String(role))) {
    return invalid(`Invalid value: '${String(role)}'.`, `${at}.role`);
  }
  if (content === null || content === undefined) {
    if (role === "assistant" && Array.isArray(calls)) return undefined;
    return invalid("Invalid value for 'content': expected a string, got null.", `${at}.content`);
  }
  if (typeof content === "string") return undefined;
  const parts = Array.isArray(content) ? (content as Json[]) : [];
  const known = parts.every((part) => part.type === "text" || (part.type === "image_url" && role === "user"));
  return parts.length > 0 && known ? undefined : invalid("Invalid content part.", `${at}.content`);
}

function checkCalls({ tool_calls: calls }: Json, at: string): DoubleHttpError | undefined {
  if (calls === undefined) return undefined;
  if (!Array.isArray(calls))
    return invalid("Invalid type for 'tool_calls': expected an array.", `${at}.tool_calls`);
  if (calls.length === 0) return invalid(`Invalid '${at}.tool_calls': empty array.`, `${at}.tool_calls`);
  const ids = new Set<unknown>();
  for (const [position, call] of (calls as Json[]).entries()) {
    const here = `${at}.tool_calls[${position}]`;
    const inner = call.function as Json | undefined;
    if (typeof call.id !== "string" || ids.has(call.id))
      return invalid(`Invalid '${here}.id'.`, `${here}.id`);
    ids.add(call.id);
    if (call.type !== "function")
      return invalid(`Missing required parameter: '${here}.type'.`, `${here}.type`);
    if (typeof inner?.name !== "string" || inner.name === "") {
      return invalid(`Missing required parameter: '${here}.function.name'.`, `${here}.function.name`);
    }
    if (typeof inner.arguments !== "string") {
      const text = `Invalid type for '${here}.function.arguments': expected a string, but got an object instead.`;
      return invalid(text, `${here}.function.arguments`);
    }
  }
  return undefined;
}

function unanswered(ids: readonly string[]): DoubleHttpError {
  const text =
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.";
  return invalid(
    `${text} The following tool_call_ids did not have response messages: ${ids.join(", ")}`,
    "messages",
  );
}

function invalid(message: string, param: string | null): DoubleHttpError {
  return { status: 400, body: { error: { message, type: "invalid_request_error", param, code: null } } };
}
