import { readExchange } from "../conversation.js";
import type { Protocol } from "./protocol.js";
import { textDeltas } from "./text-deltas.js";

/** A conversation without tools: a question in, a text out. */
export const plain: Protocol = {
  name: "plain",
  read: (messages) => ({ exchange: readExchange(messages), tools: [] }),
  // Without tools there are no calls to write.
  write: (reply) => (reply.kind === "answer" ? textDeltas(reply.text) : []),
};
