import { abortedError, createId, type EventBus, JarvisError, throwIfAborted } from "@openjarvis/core";
import type { AskOptions, AskResult } from "./options.js";
import { orAborted, settled } from "./waiting.js";

/** What a stream asks. */
export interface Asked {
  readonly bus: EventBus;
  askFull(query: string, options: AskOptions): Promise<AskResult>;
}

/** Most characters that wait for a reader; engines cannot be made to wait, so past this the run is cancelled. */
const maxPending = 16_777_216;

/** Longest wait for the run to end after the loop was left. */
const leavingSeconds = 5;

/**
 * The text of a run as it arrives. Pieces that are not taken at once are joined, so that a slow reader gets fewer and
 * longer ones. Leaving the loop cancels the run.
 */
export class AskStream implements AsyncIterableIterator<string> {
  readonly #open: () => Promise<Asked>;
  readonly #query: string;
  readonly #options: AskOptions;
  readonly #runId: string;
  readonly #controller = new AbortController();
  #run: Promise<void> | undefined;
  #pending: string[] = [];
  #pendingLength = 0;
  #shown = "";
  #breakBefore = false;
  #wake: () => void = () => {};
  #outcome: { error?: unknown } | undefined;

  constructor(open: () => Promise<Asked>, query: string, options: AskOptions) {
    this.#open = open;
    this.#query = query;
    this.#options = options;
    this.#runId = options.runId ?? createId("run");
  }

  async next(): Promise<IteratorResult<string, undefined>> {
    this.#run ??= this.#follow();
    for (;;) {
      if (this.#pending.length > 0) {
        const value = this.#pending.join("");
        this.#pending = [];
        this.#pendingLength = 0;
        return { done: false, value };
      }
      if (this.#outcome !== undefined) {
        const { error } = this.#outcome;
        this.#outcome = {};
        if (error !== undefined) throw error;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => {
        const before = this.#wake;
        this.#wake = () => {
          before();
          resolve();
        };
      });
    }
  }

  async return(): Promise<IteratorResult<string, undefined>> {
    const run = this.#run;
    this.#end({});
    this.#pending = [];
    this.#controller.abort(new JarvisError("OJ_ABORTED", "The reader of the answer left."));
    this.#run ??= Promise.resolve();
    if (run !== undefined) await settled(run, leavingSeconds);
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async #follow(): Promise<void> {
    const { signal } = this.#controller;
    const outer = this.#options.signal;
    const follow = () => this.#controller.abort(outer?.reason);
    outer?.addEventListener("abort", follow, { once: true });
    let unsubscribe = () => {};
    try {
      throwIfAborted(outer);
      const asked = await orAborted(this.#open(), signal);
      unsubscribe = this.#subscribe(asked.bus);
      const options = { ...this.#options, signal, runId: this.#runId };
      const { content, stopReason } = await asked.askFull(this.#query, options);
      if (stopReason === "aborted") throw abortedError(signal);
      // An agent may give an answer that no model spoke: a computed value, or a sentence about its turns.
      if (!bare(this.#shown).includes(bare(content))) this.#push(content, true);
      this.#end({});
    } catch (error) {
      this.#end({ error });
    } finally {
      unsubscribe();
      outer?.removeEventListener("abort", follow);
    }
  }

  #subscribe(bus: EventBus): () => void {
    const stops = [
      bus.subscribe("INFERENCE_DELTA", ({ runId, data }) => {
        if (runId === this.#runId && data.kind === "text") this.#push(data.text, this.#breakBefore);
      }),
      bus.subscribe("TOOL_CALL_START", ({ runId }) => {
        if (runId === this.#runId) this.#breakBefore = true;
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** @param newParagraph whether it does not go on where the last piece stopped */
  #push(text: string, newParagraph: boolean): void {
    if (text === "" || this.#outcome !== undefined) return;
    const piece = newParagraph && this.#shown !== "" ? `\n\n${text}` : text;
    this.#breakBefore = false;
    this.#shown += piece;
    this.#pending.push(piece);
    this.#pendingLength += piece.length;
    if (this.#pendingLength > maxPending) {
      const message = `The reader of the answer is more than ${maxPending} characters behind.`;
      this.#controller.abort(new JarvisError("OJ_ABORTED", message));
    }
    this.#wakeReaders();
  }

  #end(outcome: { error?: unknown }): void {
    this.#outcome ??= outcome;
    this.#wakeReaders();
  }

  #wakeReaders(): void {
    const wake = this.#wake;
    this.#wake = () => {};
    wake();
  }
}

/** Agents trim and join what models say; only the letters tell whether an answer was shown. */
function bare(text: string): string {
  return text.replace(/\s+/g, "");
}
