import type { InferenceDelta, InferenceOptions, Message } from "@openjarvis/core";
import type { Reading, Reply } from "../reply.js";

/** How an agent and a model talk: where tools and results stand in the messages, and how a call is written. */
export interface Protocol {
  readonly name: string;
  /** The conversation as it stands; `undefined` when it is held in another protocol. */
  read(messages: readonly Message[], options: InferenceOptions): Reading | undefined;
  /** An answer without what the agent would read as more than text; the answer itself when left out. */
  plain?(answer: string): string;
  /** The reply in the words of the protocol, without usage and finish reason. */
  write(reply: Reply): InferenceDelta[];
}
