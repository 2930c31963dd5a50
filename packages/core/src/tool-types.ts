import type { ErrorCode } from "./error-codes.js";
import type { ParametersSchema } from "./parameters.js";

/** A tool's interface and characteristics. */
export interface ToolSpec {
  /** Unique identifier; what the model calls. Letters, digits, `_` and `-`, at most 64. */
  name: string;
  /** Sent to the model. */
  description: string;
  /** Parameters as a JSON Schema of type object. @default no parameters */
  parameters?: ParametersSchema;
  /** @default "" */
  category?: string;
  /** Estimated cost of a call in US dollars. @default 0 */
  costEstimate?: number;
  /** Estimated seconds a call takes. @default 0 */
  latencyEstimate?: number;
  /** Whether a person must allow each call. @default false */
  requiresConfirmation?: boolean;
  /** Deadline of a call in seconds. @default the executor's, 30 */
  timeoutSeconds?: number;
  /** `{ polling: true }` exempts a tool that is asked the same thing again on purpose from the loop guard. */
  metadata?: Record<string, unknown>;
}

/** The outcome of a tool call. */
export interface ToolResult {
  toolName: string;
  /** The tool's output, as text. */
  content: string;
  success: boolean;
  /** Token usage, for tools that call models. */
  usage: Record<string, unknown>;
  /** US dollars. */
  costUsd: number;
  /** Measured seconds. */
  latencySeconds: number;
  /** Facts beside the text. A failed call has its code in `metadata.code`. */
  metadata: Record<string, unknown>;
}

/** What a tool may return from `run`: text, or text with facts beside it. Anything else is turned into JSON text. */
export type ToolOutput =
  | string
  | {
      content: string;
      success?: boolean;
      usage?: Record<string, unknown>;
      costUsd?: number;
      metadata?: Record<string, unknown>;
    };

/** What a tool is given besides its parameters. */
export interface ToolContext {
  /** Fires when the call is cancelled or out of time; a tool that waits must listen to it. */
  readonly signal: AbortSignal;
  /** The id of the call, as the model gave it. */
  readonly callId: string;
  /** The agent that calls; empty when a program does. */
  readonly agentId: string;
  /** The run the call belongs to; empty outside a run. */
  readonly runId: string;
  /** Tells local observers what the tool is doing. */
  readonly emit: (message: string) => void;
}

/** A failed result. */
export function failedResult(
  toolName: string,
  content: string,
  code: ErrorCode,
  facts: object = {},
): ToolResult {
  return {
    toolName,
    content,
    success: false,
    usage: {},
    costUsd: 0,
    latencySeconds: 0,
    metadata: { ...facts, code },
  };
}
