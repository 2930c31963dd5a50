import { EventBus, JarvisError, type ModelInfo } from "@openjarvis/core";
import { AskStream } from "./ask-stream.js";
import type { AskOptions, AskResult, JarvisOptions } from "./options.js";
import type { JarvisSystem } from "./system.js";
import { checkJarvisOptions, SystemBuilder } from "./system-builder.js";

/**
 * The front of the SDK. It reads the config, finds plugins and speaks to engines only when first used.
 *
 * @example
 * await using jarvis = new Jarvis();
 * const answer = await jarvis.ask("What is 15% of 340?", { agent: "orchestrator", tools: ["calculator"] });
 */
export class Jarvis {
  /** Where every event of every ask is published. */
  readonly bus: EventBus;
  readonly #options: JarvisOptions;
  #system: Promise<JarvisSystem> | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: JarvisOptions = {}) {
    checkJarvisOptions("Jarvis", options);
    this.bus = options.bus ?? new EventBus();
    this.#options = { ...options, bus: this.bus };
  }

  /** The text of the answer. Rejects with `OJ_ABORTED` when the run is cancelled. */
  async ask(query: string, options: AskOptions = {}): Promise<string> {
    return (await this.system()).ask(query, options);
  }

  /**
   * The answer with its tool results, usage, and the engine and model that were used. A run that is cancelled on the
   * way resolves with what there is and the stop reason `aborted`; cancelled before the agent began, it rejects.
   */
  async askFull(query: string, options: AskOptions = {}): Promise<AskResult> {
    return (await this.system()).askFull(query, options);
  }

  /**
   * The same run with its text as it arrives. Nothing begins before the first piece is asked for; leaving the loop
   * cancels the run. What an agent does between two answers of the model begins a new paragraph. An engine cannot be
   * made to wait: pieces that are not taken are joined, and 16 million characters behind, the run is cancelled.
   */
  askStream(query: string, options: AskOptions = {}): AsyncIterableIterator<string> {
    return new AskStream(() => this.system(), query, options);
  }

  /** The models of an engine: of the named one, else of the one that would answer. */
  async listModels(options: { engine?: string; signal?: AbortSignal } = {}): Promise<ModelInfo[]> {
    return (await this.system()).listModels(options);
  }

  /** Names of the engines that are installed, whether they can be reached or not. */
  async listEngines(): Promise<string[]> {
    return (await this.system()).installed("engines");
  }

  /** The system behind this front, built once. A build that failed is tried again by the next call. */
  system(): Promise<JarvisSystem> {
    if (this.#closed !== undefined) {
      return Promise.reject(new JarvisError("OJ_CLOSED", "Jarvis was closed before this call."));
    }
    if (this.#system === undefined) {
      const building = new SystemBuilder(this.#options).build();
      this.#system = building;
      building.catch(() => {
        if (this.#system === building) this.#system = undefined;
      });
    }
    return this.#system;
  }

  /** Cancels what runs and frees everything. A second call gives the outcome of the first. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    // A system that could not be built holds nothing, and whoever asked for it was told.
    const system = await this.#system?.catch(() => undefined);
    await system?.close();
  }
}
