import { setMaxListeners } from "node:events";
import {
  type BaseAgent,
  type BaseTool,
  type ConfirmCallback,
  createId,
  type DiscoveredPlugin,
  type EventBus,
  type InferenceEngine,
  JarvisError,
  type ModelInfo,
  type ToolPolicy,
  throwIfAborted,
} from "@openjarvis/core";
import { AgentFactory, type AgentRequest, type ToolDependencies } from "./agent-factory.js";
import { allowedDirs } from "./allowed-dirs.js";
import { agentOptionsOf, checkAsk, conversationOf, imagesOf } from "./ask-options.js";
import { toAskResult } from "./ask-result.js";
import { AskStream } from "./ask-stream.js";
import type { Config, LoadedConfig } from "./config-types.js";
import { EngineHost } from "./engine-host.js";
import { type EngineRequest, EngineResolver, type ResolvedEngine } from "./engine-resolver.js";
import { placed } from "./option-errors.js";
import type { AskOptions, AskResult, JarvisDefaults, PluginOptions } from "./options.js";
import { PluginHost } from "./plugin-host.js";
import { Runs } from "./runs.js";
import { SandboxHost } from "./sandbox-host.js";
import { cleanNames } from "./spelling.js";
import { checkNames } from "./startup-checks.js";
import { orAborted } from "./waiting.js";

/** What a {@link JarvisSystem} is made of. */
export interface SystemParts {
  bus: EventBus;
  home: string;
  env: NodeJS.ProcessEnv;
  loaded: LoadedConfig;
  pluginOptions: PluginOptions;
  engine?: string | InferenceEngine | undefined;
  model?: string | undefined;
  agent?: string | undefined;
  /** Tools of an ask that names none; goes before the config's. */
  tools?: readonly string[] | undefined;
  confirm?: ConfirmCallback | undefined;
  policy?: ToolPolicy | undefined;
  /** Folders whose files tools may read, beside the config's. @default the working folder */
  allowedDirs?: readonly string[] | undefined;
  defaults?: JarvisDefaults | undefined;
}

/** What was chosen, and where it stands when that is the config. */
type Chosen<K extends string, T> = { [Key in K]: T } & { place?: () => string };

/** Longest wait for cancelled runs when the system closes. */
const closingSeconds = 5;

/**
 * One wired system: config, plugins, engines, tools and agents. Every way in (SDK, terminal, HTTP, scheduler) asks
 * through it. Made by {@link SystemBuilder}.
 *
 * - Many asks may run at once; each has its own `runId`.
 * - It has one instance of each engine and closes it; an engine the caller gave stays the caller's.
 */
export class JarvisSystem {
  /** Frozen. */
  readonly config: Config;
  /** The config with where it came from. */
  readonly loadedConfig: LoadedConfig;
  readonly bus: EventBus;
  readonly home: string;
  readonly #parts: SystemParts;
  readonly #plugins: PluginHost;
  readonly #engines: EngineHost;
  readonly #resolver: EngineResolver;
  readonly #sandboxes: SandboxHost;
  readonly #agents: AgentFactory;
  readonly #runs = new Runs();
  readonly #closing = new AbortController();
  #closed: Promise<void> | undefined;

  constructor(parts: SystemParts) {
    const { bus, home, env, loaded, confirm, policy } = parts;
    this.#parts = parts;
    this.loadedConfig = loaded;
    this.config = loaded.config;
    this.bus = bus;
    this.home = home;
    // Any number of asks may wait for an engine at the same time.
    setMaxListeners(0, this.#closing.signal);
    const plugins = new PluginHost(parts.pluginOptions, loaded, bus);
    const given = typeof parts.engine === "object" ? parts.engine : undefined;
    const engine = typeof parts.engine === "object" ? parts.engine.engineId : parts.engine;
    this.#plugins = plugins;
    this.#engines = new EngineHost({ plugins, loaded, bus, env, given }, this.#closing.signal);
    this.#resolver = new EngineResolver({
      engines: this.#engines,
      plugins,
      loaded,
      env,
      engine,
      model: parts.model,
      defaults: parts.defaults ?? {},
    });
    this.#sandboxes = new SandboxHost(plugins);
    const sandbox = this.#sandboxes.get;
    const { allowedDirs: configured } = loaded.config.tools;
    const dirs = allowedDirs({ given: parts.allowedDirs, configured, env });
    this.#agents = new AgentFactory({
      plugins,
      loaded,
      bus,
      home,
      confirm,
      policy,
      sandbox,
      allowedDirs: dirs,
    });
    checkNames(loaded, plugins, bus);
  }

  /** The plugins that may be loaded, from their manifests. */
  get plugins(): readonly DiscoveredPlugin[] {
    return this.#plugins.plugins;
  }

  /** How many plugins of the project in the working folder are left out because it is not trusted. */
  get ignoredProjectPlugins(): number {
    return this.#plugins.ignoredProjectPlugins;
  }

  /** Names that can be used: of engines, agents or tools. */
  installed(kind: "engines" | "agents" | "tools"): string[] {
    return this.#plugins.installed(kind).sort();
  }

  /** An engine, to look at or to fetch models with: the named one, else the one that would answer. Not asked for its health. */
  async engine(name?: string): Promise<InferenceEngine> {
    this.#assertOpen();
    return this.#engines.get(name ?? (await this.#resolver.chooseEngine()));
  }

  /** A tool by name, to look at: it is given no engine, so that none need answer. */
  async tool(name: string): Promise<BaseTool> {
    this.#assertOpen();
    return this.#agents.createTool(name);
  }

  /**
   * The engine and model that answer. Throws `OJ_ENGINE_NOT_FOUND`, `OJ_ENGINE_NOT_INSTALLED`, `OJ_ENGINE_UNREACHABLE`
   * or `OJ_MODEL_NOT_SET`; a named engine is never replaced by another.
   */
  async resolveEngine(request: EngineRequest = {}): Promise<ResolvedEngine> {
    this.#assertOpen();
    throwIfAborted(request.signal);
    return this.#resolver.resolve(request);
  }

  /** The models of an engine: of the named one, else of the one that would answer. */
  async listModels(options: { engine?: string; signal?: AbortSignal } = {}): Promise<ModelInfo[]> {
    this.#assertOpen();
    throwIfAborted(options.signal);
    const name = await this.#resolver.chooseEngine(options);
    return orAborted(this.#engines.models(name), options.signal);
  }

  /** Makes tools by name. Throws `OJ_TOOL_NOT_FOUND` or `OJ_TOOL_NOT_INSTALLED`. */
  async createTools(
    names: readonly string[],
    dependencies: Pick<ToolDependencies, "engine" | "model">,
  ): Promise<BaseTool[]> {
    this.#assertOpen();
    return this.#agents.createTools(names, dependencies);
  }

  /** Makes an agent with the system's settings. Throws `OJ_AGENT_NOT_FOUND`, `OJ_AGENT_NOT_INSTALLED`, `OJ_OPTION`. */
  async createAgent(request: AgentRequest): Promise<BaseAgent> {
    this.#assertOpen();
    return this.#agents.createAgent(request);
  }

  /** The text of the answer. Rejects with `OJ_ABORTED` when the run is cancelled. */
  async ask(query: string, options: AskOptions = {}): Promise<string> {
    const result = await this.askFull(query, options);
    if (result.stopReason !== "aborted") return result.content;
    throw new JarvisError("OJ_ABORTED", "The run was cancelled.", { details: { partial: result.content } });
  }

  /**
   * The answer with everything about it. A run that is cancelled on the way resolves with what there is and the stop
   * reason `aborted`; cancelled before the agent began, it rejects with `OJ_ABORTED`.
   */
  async askFull(query: string, options: AskOptions = {}): Promise<AskResult> {
    this.#assertOpen();
    checkAsk(query, options);
    throwIfAborted(options.signal);
    return this.#runs.follow(options.signal, (signal) => this.#perform(query, options, signal));
  }

  /** The answer of {@link ask} as it arrives. Nothing begins before the first piece is asked for. */
  askStream(query: string, options: AskOptions = {}): AsyncIterableIterator<string> {
    return new AskStream(async () => this, query, options);
  }

  /**
   * Cancels the runs in flight, waits for them for at most five seconds, and closes every engine. A second call gives
   * the outcome of the first. When something cannot be closed the rest still is, and the error names all of it.
   */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #perform(query: string, options: AskOptions, signal: AbortSignal): Promise<AskResult> {
    const runId = options.runId ?? createId("run");
    const tools = this.#toolsOf(options);
    const asksForTools = options.tools !== undefined && tools.names.length > 0;
    const agent = await this.#agentOf(options, tools.names.length > 0, asksForTools);
    const { acceptsTools } = await placedIn(agent.place, this.#agents.agentClass(agent.name));
    const warnings: string[] = [];
    if (!acceptsTools && asksForTools) {
      warnings.push(`Agent "${agent.name}" takes no tools; ${tools.names.join(", ")} cannot be used.`);
    }
    const used = acceptsTools ? tools.names : [];
    // Before any engine is asked: a mistyped name should not cost a wait.
    await placedIn(tools.place, this.#plugins.load({ tools: used }));
    const { engine, name, model, reason } = await this.#resolver.resolve({
      engine: options.engine,
      model: options.model,
      signal,
    });
    const runner = await this.#agents.createAgent({
      ...agentOptionsOf(options),
      agent: agent.name,
      engine,
      model,
      tools: await this.#agents.createTools(used, { engine, model }),
    });
    throwIfAborted(signal);

    for (const message of warnings) {
      this.bus.publish("WARNING", { message, source: agent.name }, { runId, parentId: "" });
    }
    const conversation = conversationOf(options, this.config.agent.systemPrompt);
    const result = await runner.run(query, { conversation, images: imagesOf(options) }, { signal, runId });
    return toAskResult(result, { engine: name, engineReason: reason, agent: agent.name, warnings });
  }

  #toolsOf(options: AskOptions): Chosen<"names", string[]> {
    const { tools, agent } = this.config;
    const given = options.tools ?? this.#parts.tools;
    if (given !== undefined) return { names: cleanNames(given) };
    const { locate } = this.loadedConfig;
    if (tools.enabled !== undefined)
      return { names: [...tools.enabled], place: () => locate("tools", "enabled") };
    if (agent.tools !== undefined) return { names: [...agent.tools], place: () => locate("agent", "tools") };
    return { names: cleanNames(this.#parts.defaults?.tools ?? []) };
  }

  /** A default agent that takes no tools gives way to one that does when the ask names tools. */
  async #agentOf(
    options: AskOptions,
    hasTools: boolean,
    asksForTools: boolean,
  ): Promise<Chosen<"name", string>> {
    const given = options.agent?.trim() || this.#parts.agent?.trim();
    if (given) return { name: given };
    const fallback = hasTools ? "orchestrator" : "simple";
    const { defaultAgent } = this.config.agent;
    const name = defaultAgent ?? (this.#parts.defaults?.agent || fallback);
    const place = () => this.loadedConfig.locate("agent", "default_agent");
    const chosen = defaultAgent === undefined ? { name } : { name, place };
    if (!asksForTools || name === fallback) return chosen;
    const { acceptsTools } = await placedIn(chosen.place, this.#agents.agentClass(name));
    return acceptsTools ? chosen : { name: fallback };
  }

  #assertOpen(): void {
    if (this.#closed === undefined) return;
    throw new JarvisError("OJ_CLOSED", "The system was closed before this call.");
  }

  async #close(): Promise<void> {
    const reason = new JarvisError("OJ_ABORTED", "The run was cancelled because the system was closed.");
    this.#closing.abort(reason);
    await this.#runs.cancelAll(reason, closingSeconds);
    const failures = [...(await this.#engines.close()), ...(await this.#sandboxes.close())];
    if (failures.length === 0) return;
    throw new JarvisError(
      failures.find((failure) => failure.code !== "OJ_INTERNAL")?.code ?? "OJ_INTERNAL",
      `The system was closed, but not all of it: ${failures.map(({ message }) => message).join("; ")}`,
      { cause: new AggregateError(failures), hint: "What failed may still hold a connection or a file." },
    );
  }
}

async function placedIn<T>(place: (() => string) | undefined, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw place === undefined ? error : placed(error, place());
  }
}
