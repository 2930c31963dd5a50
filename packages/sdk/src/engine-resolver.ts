import {
  EngineRegistry,
  errorText,
  type InferenceEngine,
  isJarvisError,
  JarvisError,
} from "@openjarvis/core";
import type { LoadedConfig } from "./config-types.js";
import type { EngineHost } from "./engine-host.js";
import { type PickedModel, pickModel } from "./model-choice.js";
import { answers, ollamaAddress, showAddress } from "./ollama-probe.js";
import { placed } from "./option-errors.js";
import type { JarvisDefaults } from "./options.js";
import type { PluginHost } from "./plugin-host.js";
import { orAborted } from "./waiting.js";

/** What an ask names. */
export interface EngineRequest {
  engine?: string | undefined;
  model?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** The engine that answers, with the model and why. */
export interface ResolvedEngine {
  /** Instrumented. */
  engine: InferenceEngine;
  name: string;
  model: string;
  /** One sentence. */
  reason: string;
}

/** What an {@link EngineResolver} works with. */
export interface EngineResolverParts {
  engines: EngineHost;
  plugins: PluginHost;
  loaded: LoadedConfig;
  env: NodeJS.ProcessEnv;
  /** The engine and model of the system's options. */
  engine: string | undefined;
  model: string | undefined;
  /** What the distribution prefers. */
  defaults: JarvisDefaults;
}

/** Something that was named, and how explicitly: 0 for the ask, 4 for the distribution. */
interface Named {
  value: string;
  level: number;
  source: string;
}

interface Choice {
  name: string;
  reason: string;
  level: number;
}

/** Most requests that are remembered; a server's clients may name any model. */
const maxResolved = 100;

/** The level of what the config names. */
const configLevel = 3;

/** The level of an engine that nobody named. */
const automatic = 5;

/**
 * Decides which engine and model answer. One that was named is final: if it cannot be used, that is an error and no
 * other takes its place. Otherwise, in order: Ollama if it answers and has a model, llamacpp if a model is named for
 * it, the rules. What nobody named is decided once for a system.
 */
export class EngineResolver {
  readonly #parts: EngineResolverParts;
  readonly #resolved = new Map<string, ResolvedEngine>();
  readonly #models = new Map<string, Promise<PickedModel>>();
  readonly #choices = new Map<"with model" | "without model", Promise<Choice>>();

  constructor(parts: EngineResolverParts) {
    this.#parts = parts;
  }

  /** The engine and model of an ask. What was found once holds: the same request gets the same answer, at once. */
  async resolve(request: EngineRequest = {}): Promise<ResolvedEngine> {
    const { engines } = this.#parts;
    const { signal } = request;
    const key = `${request.engine ?? ""}\n${request.model ?? ""}`;
    const known = this.#resolved.get(key);
    if (known !== undefined) return known;
    const choice = await this.#choose(request);
    const engine = await orAborted(this.#engineOf(choice), signal);
    if (choice.level < automatic) await orAborted(engines.assertHealthy(choice.name), signal);
    const { model, note } = await orAborted(this.#modelOf(choice, engine, this.#namedModel(request)), signal);
    const found = { engine, name: choice.name, model, reason: `${choice.name}: ${choice.reason}${note}` };
    if (this.#resolved.size >= maxResolved) this.#resolved.clear();
    this.#resolved.set(key, found);
    return found;
  }

  /** The name of the engine that would answer, without asking it for anything. */
  async chooseEngine(request: EngineRequest = {}): Promise<string> {
    const choice = await this.#choose(request);
    await orAborted(this.#engineOf(choice), request.signal);
    return choice.name;
  }

  async #engineOf({ name, level }: Choice): Promise<InferenceEngine> {
    const { engines, loaded } = this.#parts;
    try {
      return await engines.get(name);
    } catch (error) {
      const isMissing = isJarvisError(error, "OJ_ENGINE_NOT_FOUND", "OJ_ENGINE_NOT_INSTALLED");
      throw isMissing && level === configLevel ? placed(error, loaded.locate("engine", "default")) : error;
    }
  }

  async #choose(request: EngineRequest): Promise<Choice> {
    const [named] = this.#namedEngines(request);
    if (named !== undefined) return { name: named.value, level: named.level, reason: named.source };
    // Shared by every ask, so that no caller's signal may end it.
    const model = this.#namedModel(request);
    const key = model === undefined ? "without model" : "with model";
    const choice = this.#choices.get(key) ?? this.#chooseAutomatically(model);
    this.#choices.set(key, choice);
    choice.catch(() => this.#choices.delete(key));
    return orAborted(choice, request.signal);
  }

  #namedEngines(request: EngineRequest): Named[] {
    const { engine, env, loaded, defaults } = this.#parts;
    const fromConfig = loaded.config.engine.default;
    return named([
      [request.engine, "it was named for this question"],
      [engine, "it was named for this program"],
      [env.OPENJARVIS_ENGINE, "OPENJARVIS_ENGINE names it"],
      [
        fromConfig,
        fromConfig === undefined ? "" : `engine.default of ${loaded.locate("engine", "default")} names it`,
      ],
      [defaults.engine, "it is the default of this distribution"],
    ]);
  }

  #namedModel(request: EngineRequest): Named | undefined {
    const { model, env, loaded, defaults } = this.#parts;
    return named([
      [request.model, "named for this question"],
      [model, "named for this program"],
      [env.OPENJARVIS_MODEL, "of OPENJARVIS_MODEL"],
      [loaded.config.intelligence.defaultModel, "of intelligence.default_model"],
      [defaults.model, "of this distribution"],
    ])[0];
  }

  async #chooseAutomatically(model: Named | undefined): Promise<Choice> {
    const ollama = await this.#tryOllama(model);
    if (ollama.choice !== undefined) return ollama.choice;
    const because =
      ollama.because === "" ? "no engine was named" : `no engine was named and ${ollama.because}`;
    const choose = (name: string): Choice => ({ name, level: automatic, reason: because });
    if (this.#mayChoose("llamacpp") && this.#hasLlamacppModel(model)) return choose("llamacpp");
    if (this.#mayChoose("rules")) return choose("rules");
    return this.#onlyRegistered();
  }

  async #tryOllama(model: Named | undefined): Promise<{ choice?: Choice; because: string }> {
    const { engines, loaded, env } = this.#parts;
    if (!this.#mayChoose("ollama")) return { because: "" };
    const host = loaded.config.engine.options.ollama?.host ?? env.OLLAMA_HOST;
    const address = ollamaAddress(typeof host === "string" ? host : undefined);
    // What is no address is a mistake in the settings, and the engine says which.
    if (address === undefined) await engines.get("ollama");
    const place = address === undefined ? String(host) : showAddress(address);
    if (address === undefined || !(await answers(address))) {
      return { because: `Ollama does not answer at ${place}` };
    }
    const reason = `no engine was named and Ollama answers at ${place}`;
    if (model !== undefined) return { choice: { name: "ollama", level: automatic, reason }, because: "" };
    try {
      const models = await engines.models("ollama");
      if (models.length > 0) {
        const picked = pickModel("ollama", await engines.get("ollama"), models);
        this.#models.set("ollama", Promise.resolve(picked));
        return { choice: { name: "ollama", level: automatic, reason }, because: "" };
      }
    } catch (error) {
      if (!isJarvisError(error) || !error.code.startsWith("OJ_ENGINE_")) throw error;
      return { because: `what answers at ${place} cannot be used: ${errorText(error)}` };
    }
    const advice = "fetch one with: jarvis model pull <name>";
    return { because: `Ollama at ${place} has no model (${advice})` };
  }

  /** An application that registered engines by hand gets no other: nothing is looked for. */
  #mayChoose(name: string): boolean {
    if (EngineRegistry.contains(name)) return true;
    return registeredByHand().length === 0 && this.#parts.plugins.has("engines", name);
  }

  #hasLlamacppModel(model: Named | undefined): boolean {
    const options = this.#parts.loaded.config.engine.options.llamacpp ?? {};
    return (
      model !== undefined || ["model", "modelPath", "modelFile"].some((key) => options[key] !== undefined)
    );
  }

  /** What is left when no engine of the order is there: the one engine the application itself registered. */
  async #onlyRegistered(): Promise<Choice> {
    const { engines, plugins } = this.#parts;
    const byHand = registeredByHand();
    const [name, ...others] = byHand;
    if (name !== undefined && others.length === 0 && !(await engines.get(name)).hosted) {
      return { name, level: automatic, reason: "it is the only engine of this program" };
    }
    const installed = byHand.length > 0 ? byHand : plugins.installed("engines");
    if (installed.length > 0) {
      throw new JarvisError("OJ_ENGINE_NOT_FOUND", "No engine was named, and none may be chosen by itself.", {
        hint: `Name one of: ${installed.join(", ")}. Hosted engines are never chosen by themselves.`,
        details: { installed },
      });
    }
    throw new JarvisError("OJ_ENGINE_NOT_INSTALLED", "No engine is installed.", {
      hint: "Install @openjarvis/engine-ollama for models, or @openjarvis/engine-rules, which needs none.",
    });
  }

  async #modelOf(choice: Choice, engine: InferenceEngine, model: Named | undefined): Promise<PickedModel> {
    if (model !== undefined && (await this.#belongsTo(choice, model)))
      return { model: model.value, note: "" };
    const picked = await this.#pick(choice.name, engine);
    if (model === undefined) return picked;
    return { ...picked, note: `${picked.note}; it does not have the model ${model.value} ${model.source}` };
  }

  /**
   * Whether a named model is meant for the engine. One that is named as explicitly as the engine is; a default that
   * stands further back may belong to another engine, and counts only when this one has it.
   */
  async #belongsTo(choice: Choice, model: Named): Promise<boolean> {
    const isFallback = choice.level === automatic && choice.name === "rules" && model.level > 1;
    if (model.level <= choice.level && !isFallback) return true;
    const further = this.#namedEngines({}).find(({ level }) => level >= model.level);
    if (!isFallback && further?.value === choice.name) return true;
    const models = await this.#parts.engines.models(choice.name);
    return models.some(({ id }) => id === model.value);
  }

  /** Asked once, also by many at the same time. */
  #pick(name: string, engine: InferenceEngine): Promise<PickedModel> {
    const picked =
      this.#models.get(name) ??
      this.#parts.engines.models(name).then((models) => pickModel(name, engine, models));
    this.#models.set(name, picked);
    picked.catch(() => this.#models.delete(name));
    return picked;
  }
}

/** Those of a list that are set, with their place in it as their level. */
function named(list: readonly (readonly [value: string | undefined, source: string])[]): Named[] {
  return list.flatMap(([value, source], level) => {
    const name = value?.trim() ?? "";
    return name === "" ? [] : [{ value: name, level, source }];
  });
}

function registeredByHand(): string[] {
  return EngineRegistry.keys().filter((key) => EngineRegistry.ownerOf(key) === "");
}
