import { isJarvisError } from "@openjarvis/core";
import type { ChatBody } from "./chat-request.js";

/** A way to make a request that a server refused acceptable to it. */
export interface Adaptation {
  id: string;
  /** Whether the refusal is about this, and the request has it. */
  fits(refusal: { text: string; param: string }, body: ChatBody): boolean;
  apply(body: ChatBody): ChatBody;
  /** What the person loses by it; none when nothing. */
  warning?(model: string): string;
}

const unsupported =
  /not supported|unsupported|not support|unrecognized|unknown|unexpected|not permitted|not allowed|extra inputs|only the default/i;

// "does not support tools", "function calling is not enabled", "tool choice requires --enable-auto-tool-choice",
// "No endpoints found that support tool use".
const noTools =
  /(not|n't) (support|enable)[^.]*\b(tools?|functions?)\b|\b(tools?|functions?)\b[^.]*(not (supported|enabled|available)|unsupported)|\btools?\b[^.]*requires? |support tool use/i;
// A tool with a wrong schema is no reason to do without tools.
const wrongTool = /invalid (schema|function|tool)|tools?[[.]\d/i;

// Servers word the same refusal differently, and some give it status 404 or 500.
const adaptations: readonly Adaptation[] = [
  {
    id: "tools",
    fits: ({ text, param }, body) =>
      body.tools !== undefined && noTools.test(text) && !wrongTool.test(`${param} ${text}`),
    apply: ({ tools: _tools, tool_choice: _choice, parallel_tool_calls: _parallel, ...rest }) => rest,
    warning: (model) => `The model "${model}" cannot call tools on this server; it was asked without them.`,
  },
  {
    id: "max_completion_tokens",
    fits: (refusal, body) => body.max_tokens != null && isUnsupported("max_tokens", refusal),
    apply: ({ max_tokens: limit, ...rest }) => ({ ...rest, max_completion_tokens: limit }),
  },
  {
    id: "max_tokens",
    fits: (refusal, body) =>
      body.max_completion_tokens != null && isUnsupported("max_completion_tokens", refusal),
    apply: ({ max_completion_tokens: limit, ...rest }) => ({ ...rest, max_tokens: limit }),
  },
  {
    id: "temperature",
    fits: (refusal, body) => body.temperature !== undefined && isUnsupported("temperature", refusal),
    apply: ({ temperature: _temperature, ...rest }) => rest,
    warning: (model) => `The model "${model}" takes no temperature; it was asked without one.`,
  },
  {
    id: "stop",
    fits: (refusal, body) => body.stop !== undefined && isUnsupported("stop", refusal),
    apply: ({ stop: _stop, ...rest }) => rest,
    warning: (model) => `The model "${model}" takes no stop texts; it was asked without them.`,
  },
  {
    id: "stream_options",
    fits: (refusal, body) => body.stream_options !== undefined && isUnsupported("stream_options", refusal),
    apply: ({ stream_options: _options, ...rest }) => rest,
  },
];

/** The adaptation that answers a refusal, when there is one that was not tried yet. */
export function adaptationFor(
  failure: unknown,
  body: ChatBody,
  tried: readonly Adaptation[],
): Adaptation | undefined {
  if (!isJarvisError(failure, "OJ_ENGINE_BAD_REQUEST", "OJ_ENGINE_SERVER", "OJ_ENGINE_PROTOCOL"))
    return undefined;
  const { serverMessage, param } = failure.details;
  if (typeof serverMessage !== "string") return undefined;
  const refusal = { text: serverMessage, param: String(param ?? "") };
  return adaptations.find((adaptation) => !tried.includes(adaptation) && adaptation.fits(refusal, body));
}

/** Whether a refusal says that the server does not know, or does not take, this field. */
function isUnsupported(field: string, { text, param }: { text: string; param: string }): boolean {
  if (!unsupported.test(text)) return false;
  return param.split(".").includes(field) || new RegExp(`\\b${field}\\b`).test(text);
}
