import {
  abortedError,
  type EngineHealth,
  EngineRegistry,
  type EventBus,
  errorText,
  type InferenceEngine,
  InstrumentedEngine,
  isInstrumented,
  isJarvisError,
  JarvisError,
  type ModelInfo,
} from "@openjarvis/core";
import type { LoadedConfig } from "./config-types.js";
import { asConfigError } from "./option-errors.js";
import type { PluginHost } from "./plugin-host.js";
import { within } from "./waiting.js";

/** Longest wait for an engine that is asked about itself. */
const inquirySeconds = 10;

/** What an {@link EngineHost} works with. */
export interface EngineHostParts {
  plugins: PluginHost;
  loaded: LoadedConfig;
  bus: EventBus;
  env: NodeJS.ProcessEnv;
  /** An engine the caller made; it stays the caller's to close. */
  given: InferenceEngine | undefined;
}

/** The engines of one system: one instance each, always instrumented, made when first needed. */
export class EngineHost {
  readonly #parts: EngineHostParts;
  readonly #engines = new Map<string, Promise<InferenceEngine>>();
  readonly #healthy = new Set<string>();
  readonly #signal: AbortSignal;

  /** @param signal fires when the system closes */
  constructor(parts: EngineHostParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    const { given, bus } = parts;
    if (given === undefined) return;
    const engine = isInstrumented(given) ? given : new InstrumentedEngine(given, bus);
    this.#engines.set(given.engineId, Promise.resolve(engine));
  }

  /** The engine of a name. Throws when it is not installed or its options are wrong. */
  get(name: string): Promise<InferenceEngine> {
    const existing = this.#engines.get(name);
    if (existing !== undefined) return existing;
    // An engine made after the others were closed would never be closed.
    if (this.#signal.aborted) return Promise.reject(abortedError(this.#signal));
    const made = this.#create(name);
    this.#engines.set(name, made);
    made.catch(() => this.#engines.delete(name));
    return made;
  }

  /** Throws the engine's reason, `OJ_ENGINE_UNREACHABLE` by default, when it says that it cannot be used. Asked until it once could. */
  async assertHealthy(name: string): Promise<void> {
    if (this.#healthy.has(name)) return;
    const engine = await this.get(name);
    const { ok, detail, address, code, hint } = await this.#healthOf(name, engine);
    if (ok) {
      this.#healthy.add(name);
      return;
    }
    const place = address === undefined || detail.includes(address) ? "" : ` at ${address}`;
    const others = this.#others(name).join(", ") || "none";
    throw new JarvisError(
      code ?? "OJ_ENGINE_UNREACHABLE",
      `Engine "${name}"${place} cannot be used: ${detail}`,
      {
        hint: `${hint ?? "Start it, or choose another with --engine."} Installed beside it: ${others}.`,
        details: { engine: name, ...(address === undefined ? {} : { address }) },
      },
    );
  }

  /** The models of an engine. */
  async models(name: string): Promise<ModelInfo[]> {
    const engine = await this.get(name);
    return within(`Engine "${name}"`, inquirySeconds, this.#signal, (signal) =>
      engine.listModels({ signal }),
    );
  }

  /** Closes every engine that was made here, and gives what failed. */
  async close(): Promise<JarvisError[]> {
    const own = [...this.#engines].filter(([name]) => name !== this.#parts.given?.engineId);
    this.#engines.clear();
    const failures = await Promise.all(own.map(([name, made]) => closeOne(name, made)));
    return failures.filter((failure) => failure !== undefined);
  }

  async #create(name: string): Promise<InferenceEngine> {
    const { plugins, loaded, bus } = this.#parts;
    await plugins.load({ engines: [name] });
    const options = { ...loaded.config.engine.options[name], ...this.#fromEnvironment(name) };
    try {
      const engine = await EngineRegistry.create<InferenceEngine | Promise<InferenceEngine>>(name, options);
      return isInstrumented(engine) ? engine : new InstrumentedEngine(engine, bus);
    } catch (error) {
      throw asConfigError(error, loaded, ["engine", name]) ?? error;
    }
  }

  /** Engines read the process's environment; an environment that was given in its place is handed on. */
  #fromEnvironment(name: string): object {
    const { env, loaded } = this.#parts;
    const isOwn = env !== process.env && name === "ollama" && env.OLLAMA_HOST !== undefined;
    return isOwn && loaded.config.engine.options.ollama?.host === undefined ? { host: env.OLLAMA_HOST } : {};
  }

  async #healthOf(name: string, engine: InferenceEngine): Promise<EngineHealth> {
    try {
      return await within(`Engine "${name}"`, inquirySeconds, this.#signal, (signal) =>
        engine.health({ signal }),
      );
    } catch (error) {
      if (isJarvisError(error, "OJ_ABORTED")) throw error;
      return { ok: false, detail: errorText(error) };
    }
  }

  #others(name: string): string[] {
    return this.#parts.plugins.installed("engines").filter((other) => other !== name);
  }
}

async function closeOne(name: string, made: Promise<InferenceEngine>): Promise<JarvisError | undefined> {
  // One that could not be made has nothing to close, and whoever asked for it was told.
  const engine = await made.catch(() => undefined);
  try {
    await engine?.close();
    return undefined;
  } catch (cause) {
    const code = isJarvisError(cause) ? cause.code : "OJ_INTERNAL";
    return new JarvisError(code, `engine "${name}": ${errorText(cause)}`, { cause });
  }
}
