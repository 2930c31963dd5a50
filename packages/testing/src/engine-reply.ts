import type { DoubleReply } from "./doubles/reply.js";

/** What the model behind an engine says in a check; a `ScriptedReply` as well, and with `toDoubleReply` one of a double. */
export interface EngineReply {
  text?: string | readonly string[];
  reasoning?: string;
  toolCalls?: readonly { name: string; arguments: Record<string, unknown> }[];
  usage?: { promptTokens: number; completionTokens: number };
  /** "length" for an answer the token limit cut. @default what the protocol says */
  finishReason?: string;
  /** The model sends what there is and then nothing more, ever. */
  hang?: boolean;
  /** The connection breaks after the first piece. */
  error?: Error;
}

// Some protocols begin with a frame that carries no text.
const framesBefore = 2;

/** The reply of a protocol double that says the same. */
export function toDoubleReply(reply: EngineReply): DoubleReply {
  const { hang, error, ...rest } = reply;
  if (hang === true) return { ...rest, faults: { stall: framesBefore } };
  return error === undefined ? rest : { ...rest, faults: { closeAfter: framesBefore } };
}
