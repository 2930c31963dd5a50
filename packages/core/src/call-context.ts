import { validatedBrand } from "./brand.js";
import type { ToolContext } from "./tool-types.js";

/** What a {@link CallContext} is made of. */
export interface CallContextParts {
  callId: string;
  agentId: string;
  runId: string;
  emit: (message: string) => void;
  /** The checked arguments of the call. */
  params: object;
}

/**
 * The context of one tool call. Its signal is made when a tool first reads it: most tools never wait, and an
 * AbortController for each call would be the dearest part of the call.
 */
export class CallContext implements ToolContext {
  readonly callId: string;
  readonly agentId: string;
  readonly runId: string;
  readonly emit: (message: string) => void;
  /** The arguments that were checked already, so that `BaseTool.execute` need not check them, and only them, again. */
  readonly [validatedBrand]: object;
  #controller: AbortController | undefined;
  #ended: { reason: unknown } | undefined;

  constructor(parts: CallContextParts) {
    this.callId = parts.callId;
    this.agentId = parts.agentId;
    this.runId = parts.runId;
    this.emit = parts.emit;
    this[validatedBrand] = parts.params;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#ended !== undefined) this.#controller.abort(this.#ended.reason);
    }
    return this.#controller.signal;
  }

  /** Fires the signal, now or when the tool first looks at it. */
  abort(reason: unknown): void {
    this.#ended = { reason };
    this.#controller?.abort(reason);
  }
}
