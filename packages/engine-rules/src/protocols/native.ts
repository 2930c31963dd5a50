import { followsTools, readExchange } from "../conversation.js";
import type { Protocol } from "./protocol.js";
import { textDeltas } from "./text-deltas.js";

/** Function calling: tools come as JSON Schemas, calls go out as tool calls, results come back as tool messages. */
export const native: Protocol = {
  name: "native",
  read(messages, { tools = [] }) {
    const exchange = readExchange(messages);
    const earlier = followsTools(messages) ? readExchange(messages, { beforeTools: true }) : undefined;
    if (tools.length === 0 && exchange.outcomes.length === 0 && earlier === undefined) return undefined;
    return { exchange, earlier, tools };
  },
  write(reply) {
    if (reply.kind === "answer") return textDeltas(reply.text);
    return reply.calls.map((call, index) => ({ type: "tool_call", index, ...call }));
  },
};
