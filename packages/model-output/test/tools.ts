import {
  type Dialect,
  type DialectSet,
  parseReply,
  type Reply,
  type ReplyOptions,
  type ReplyTool,
} from "../src/replies.js";

const text = { type: "string" };

/** Tools with the shapes of parameters that matter for reading arguments. */
export const tools: readonly ReplyTool[] = [
  {
    name: "calculator",
    parameters: { type: "object", properties: { expression: text }, required: ["expression"] },
  },
  {
    name: "file_read",
    parameters: {
      type: "object",
      properties: { path: text, max_lines: { type: "integer" } },
      required: ["path"],
    },
  },
  { name: "shell_exec", parameters: { type: "object", properties: { command: text } } },
  { name: "list_scheduled_tasks", parameters: { type: "object", properties: {} } },
  {
    name: "code_interpreter",
    parameters: { type: "object", properties: { code: text }, required: ["code"] },
    allowObjectText: true,
  },
];

/** Reads a reply with the tools above. */
export function read(
  reply: string,
  dialects: DialectSet | readonly Dialect[] = "react",
  options: Partial<ReplyOptions> = {},
): Reply {
  return parseReply(reply, { tools, dialects, ...options });
}

/** The calls of a reply as `[name, arguments]`; whatever else it is, as it is. */
export function calls(reply: Reply): unknown {
  return reply.kind === "calls" ? reply.calls.map((call) => [call.name, call.arguments]) : reply;
}
