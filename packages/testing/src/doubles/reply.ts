/** A tool call a double makes the model ask for. */
export interface DoubleToolCall {
  name: string;
  /** An object goes out as the protocol wants it (object or JSON text); a text goes out as it is. @default {} */
  arguments?: Record<string, unknown> | string;
  /** `null` goes out as null. @default "call_1", "call_2", … */
  id?: string | null;
  /** @default the position of the call in the reply */
  index?: number;
  /** Fields the server leaves out. */
  omit?: readonly ("id" | "index" | "type" | "arguments")[];
  /** In how many deltas a stream sends the arguments where the protocol splits them. @default 2 */
  fragments?: number;
}

/** Failures that each protocol has its own status and body for. */
export type DoubleFailure =
  | "bad_request"
  | "context_length"
  | "forbidden"
  | "model_missing"
  | "overloaded"
  | "rate_limited"
  | "server_error"
  | "tools_unsupported"
  | "unauthorized";

/** An HTTP failure spelled out. */
export interface DoubleHttpError {
  status: number;
  /** An object goes out as JSON. @default "" */
  body?: string | object;
  headers?: Record<string, string>;
}

/**
 * How a reply misbehaves on the wire. A frame is a line or an event of the answer: one for each piece of text or
 * reasoning and for each part of a call, then what ends the answer. The chunk with which OpenAI opens it is not counted.
 */
export interface DoubleFaults {
  /**
   * What one write carries: a `"frame"` (a line, an event), `"pairs"` of frames, `"joined"` for all at once, or a number
   * of bytes, which cuts lines and UTF-8 sequences apart.
   * @default "frame"
   */
  chunking?: "frame" | "pairs" | "joined" | number;
  /** Whether the last frame ends with its newline. @default true */
  lastNewline?: boolean;
  /** Milliseconds before the status line. */
  headerDelayMs?: number;
  /** Milliseconds before each write. */
  chunkDelayMs?: number;
  /** Awaited before the frame with this number goes out; lets a test hold the answer at an exact place. */
  waitBefore?: (frame: number) => Promise<unknown> | undefined;
  /** Never answers, or goes silent after this many frames, with the connection left open. */
  stall?: "headers" | number;
  /** Destroys the connection after this many frames. */
  closeAfter?: number;
  /** Ends the response properly after this many frames, so that the rest of the answer is missing. */
  endAfter?: number;
  /** Leaves the connection open after the last frame. */
  keepOpen?: boolean;
}

/** One scripted reply of a double. Every field is optional; an empty reply is an empty answer. */
export interface DoubleReply {
  /** The answer; each item of a list is one frame. @default "" */
  text?: string | readonly string[];
  /** Reasoning beside the answer; each item of a list is one frame. */
  reasoning?: string | readonly string[];
  toolCalls?: readonly DoubleToolCall[];
  /** `null` leaves it out. @default 10 and 5 */
  usage?: { promptTokens: number; completionTokens: number } | null;
  /** As the server spells it; `null` leaves it out. @default what the protocol says for the reply */
  finishReason?: string | null;
  /** The name the server gives back. @default the one that was asked for */
  model?: string;
  /** A failure instead of an answer. */
  error?: DoubleFailure | DoubleHttpError;
  /** An error the server reports after status 200, behind the text it has already sent. An object goes out as it is. */
  streamError?: string | object;
  /** JSON values sent as the frames of the stream, in place of everything above. */
  frames?: readonly unknown[];
  /** The body with status 200, byte for byte, in place of everything above. */
  body?: string;
  /** @default what the protocol says */
  contentType?: string;
  /** Answers with one JSON document although a stream was asked for. */
  unstreamed?: boolean;
  /** Whether a stream ends with `data: [DONE]`; OpenAI only. @default true */
  doneMarker?: boolean;
  faults?: DoubleFaults;
}

/** The pieces of a text that is given whole or in a list. */
export function piecesOf(text: string | readonly string[] | undefined): readonly string[] {
  if (text === undefined) return [];
  return typeof text === "string" ? (text === "" ? [] : [text]) : text;
}

/** The usage of a reply, or undefined when it is left out. */
export function usageOf(reply: DoubleReply): { promptTokens: number; completionTokens: number } | undefined {
  if (reply.usage === null) return undefined;
  return reply.usage ?? { promptTokens: 10, completionTokens: 5 };
}
