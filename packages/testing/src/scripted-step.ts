import type { InferenceDelta, InferenceOptions, Message, Usage } from "@openjarvis/core";

/** A tool call of a scripted reply, as raw as a server may send it. */
export interface ScriptedToolCall {
  name?: string | null;
  /** JSON text exactly as the model "wrote" it, or an object. Left out: the server sends no arguments. */
  arguments?: string | Record<string, unknown> | null;
  /** @default "call_1", "call_2", … counted over the whole script; `null` sends none */
  id?: string | null;
  /** Position in the answer, for servers that send one. */
  index?: number;
}

/** What a model answers. All fields together make one answer. */
export interface ScriptedReply {
  /** The answer's text; a list arrives as that many pieces. `null` or left out: the model sends no text. */
  text?: string | readonly string[] | null;
  /** Reasoning sent apart from the text; a list arrives as that many pieces. */
  reasoning?: string | readonly string[];
  toolCalls?: readonly ScriptedToolCall[];
  /** Left out: the server reports no usage. */
  usage?: Partial<Usage>;
  /** @default "tool_calls" with calls, else "stop"; `null` sends none */
  finishReason?: string | null;
  /** The model that answers, where it is another than the one asked for. */
  model?: string;
  /** Warnings the engine gives beside the answer. */
  warnings?: readonly string[];
  /** Exactly these deltas, in place of all fields above. */
  deltas?: readonly InferenceDelta[];
  /** Seconds before the first piece. The wait ends when the signal fires. @default 0 */
  delaySeconds?: number;
  /** Sends what there is and then waits until the signal fires: a model that never finishes. */
  hang?: boolean;
  /** Thrown once everything before it was sent: a connection that breaks in the middle. */
  error?: Error;
}

/** What the engine does with one call, once it is known. */
export type ScriptedAnswer =
  | string
  | Error
  | ScriptedReply
  | readonly InferenceDelta[]
  | AsyncIterable<InferenceDelta>;

/** Decides about a call when it comes. `messages` and `options` are copies that may be kept. */
export type ScriptedResponder = (
  messages: readonly Message[],
  options: InferenceOptions,
) => ScriptedAnswer | Promise<ScriptedAnswer>;

/**
 * One step of a script: a text, an error that is thrown, a whole reply, raw deltas, or a function that gives one of
 * these.
 */
export type ScriptedStep = ScriptedAnswer | ScriptedResponder;

/** The deltas of a reply in the order servers send them. */
export function* deltasOf(reply: ScriptedReply, nextId: () => string): Generator<InferenceDelta> {
  if (reply.deltas !== undefined) {
    yield* reply.deltas;
    return;
  }
  const { toolCalls = [], finishReason = toolCalls.length > 0 ? "tool_calls" : "stop" } = reply;
  if (reply.model !== undefined) yield { type: "model", model: reply.model };
  for (const message of reply.warnings ?? []) yield { type: "warning", message };
  for (const text of pieces(reply.reasoning)) yield { type: "reasoning", text };
  for (const text of pieces(reply.text)) yield { type: "text", text };
  for (const call of toolCalls) yield { type: "tool_call", ...call, id: call.id ?? defaultId(call, nextId) };
  // A connection that breaks or hangs never gets as far as usage and finish.
  if (reply.error !== undefined || reply.hang === true) return;
  if (reply.usage !== undefined) yield { type: "usage", usage: reply.usage };
  if (finishReason !== null) yield { type: "finish", reason: finishReason };
}

function defaultId(call: ScriptedToolCall, nextId: () => string): string | null {
  return call.id === null ? null : nextId();
}

function pieces(text: string | readonly string[] | null | undefined): readonly string[] {
  if (text === null || text === undefined) return [];
  return typeof text === "string" ? [text] : text;
}
