import {
  type AgentClass,
  type AgentDefaults,
  AgentRegistry,
  type BaseAgent,
  type BaseTool,
  type CodeSandbox,
  type ConfirmCallback,
  type EventBus,
  type InferenceEngine,
  JarvisError,
  type ToolPolicy,
  ToolRegistry,
} from "@openjarvis/core";
import type { LoadedConfig } from "./config-types.js";
import { asConfigError } from "./option-errors.js";
import type { PluginHost } from "./plugin-host.js";
import { cleanNames } from "./spelling.js";

/** What a tool is made with. A tool takes what it needs and ignores the rest. */
export interface ToolDependencies {
  /** The engine of the ask, for tools that ask a model themselves; missing when a tool is only looked at. */
  engine?: InferenceEngine | undefined;
  model?: string | undefined;
  bus: EventBus;
  /** The OpenJarvis home, for tools that keep something. */
  home: string;
  /** The sandbox for a language, for tools that run code. The system closes it. */
  sandbox: (language: string) => Promise<CodeSandbox>;
  /** Folders whose files a tool may read; absolute. */
  allowedDirs: readonly string[];
}

/** What {@link AgentFactory.createAgent} needs besides the system's settings. */
export interface AgentRequest extends AgentDefaults {
  /** Its name in the registry. */
  agent: string;
  engine: InferenceEngine;
  model: string;
  tools?: readonly BaseTool[] | undefined;
  systemPrompt?: string | undefined;
  /** Options of the agent's class. */
  agentOptions?: Record<string, unknown> | undefined;
  /** In place of the system's. */
  confirm?: ConfirmCallback | undefined;
}

/** What an {@link AgentFactory} works with. */
export interface AgentFactoryParts {
  plugins: PluginHost;
  loaded: LoadedConfig;
  bus: EventBus;
  home: string;
  confirm: ConfirmCallback | undefined;
  policy: ToolPolicy | undefined;
  sandbox: (language: string) => Promise<CodeSandbox>;
  allowedDirs: readonly string[];
}

const defaultKeys = ["temperature", "maxTokens", "maxTurns"] as const;

/** Options that have a place of their own in an ask. */
const reservedKeys = ["engine", "model", "bus", "tools", "confirm", "policy", "configured", "sandbox"];

/** Makes tools and agents with everything the system knows. */
export class AgentFactory {
  readonly #parts: AgentFactoryParts;
  /** Names of created tools as models call them, by their key in the registry. */
  readonly #toolNames = new Map<string, string>();

  constructor(parts: AgentFactoryParts) {
    this.#parts = parts;
  }

  /** Loads and makes tools by name. Names are trimmed, and each is made once. */
  async createTools(
    names: readonly string[],
    given: Pick<ToolDependencies, "engine" | "model">,
  ): Promise<BaseTool[]> {
    const wanted = cleanNames(names);
    await this.#parts.plugins.load({ tools: wanted });
    return wanted.map((name) => this.#make(name, given));
  }

  /** One tool, made without an engine. */
  async createTool(name: string): Promise<BaseTool> {
    await this.#parts.plugins.load({ tools: [name] });
    return this.#make(name, {});
  }

  #make(name: string, given: Pick<ToolDependencies, "engine" | "model">): BaseTool {
    const { bus, home, sandbox, allowedDirs } = this.#parts;
    const dependencies: ToolDependencies = { ...given, bus, home, sandbox, allowedDirs };
    const tool = ToolRegistry.create<BaseTool>(name, dependencies);
    this.#toolNames.set(name, tool.spec.name);
    return tool;
  }

  /** The class of an agent, loaded when it is not yet. */
  async agentClass(name: string): Promise<AgentClass> {
    await this.#parts.plugins.load({ agents: [name] });
    return AgentRegistry.get(name);
  }

  /** Loads and makes an agent. */
  async createAgent(request: AgentRequest): Promise<BaseAgent> {
    const { agent: name, engine, model, tools, agentOptions = {} } = request;
    const { acceptsTools } = await this.agentClass(name);
    const { bus, loaded } = this.#parts;
    const { config } = loaded;
    for (const key of reservedKeys) {
      if (!Object.hasOwn(agentOptions, key)) continue;
      throw new JarvisError("OJ_OPTION", `"${key}" cannot be given in \`agentOptions\`.`, {
        hint: "It is an option of the ask or of Jarvis itself.",
      });
    }
    const { configured, rest } = splitTable(config.agent.options[name] ?? {}, {
      temperature: config.intelligence.temperature,
      maxTokens: config.intelligence.maxTokens,
      maxTurns: config.agent.maxTurns,
    });
    const explicit = defined({
      temperature: request.temperature,
      maxTokens: request.maxTokens,
      maxTurns: request.maxTurns,
      systemPrompt: request.systemPrompt,
      ...agentOptions,
    });
    const options = {
      ...defined({
        toolTimeoutSeconds: config.tools.timeoutSeconds,
        confirm: request.confirm ?? this.#parts.confirm,
        policy: this.#policy(),
      }),
      ...rest,
      ...explicit,
      engine,
      model,
      bus,
      configured,
      sandbox: this.#parts.sandbox,
      ...(acceptsTools ? { tools: tools ?? [] } : {}),
    };
    try {
      return AgentRegistry.create<BaseAgent>(name, options);
    } catch (error) {
      throw asConfigError(error, loaded, ["agent", name], explicit) ?? error;
    }
  }

  /** The given policy, tightened by `tools.always_confirm`. */
  #policy(): ToolPolicy | undefined {
    const { loaded, policy } = this.#parts;
    const { alwaysConfirm } = loaded.config.tools;
    if (alwaysConfirm.length === 0) return policy;
    return async (request) => {
      const answer = policy === undefined ? "allow" : await policy(request);
      const isAllowed = answer === "allow" || (typeof answer === "object" && answer?.decision === "allow");
      const isListed = alwaysConfirm.some((name) => (this.#toolNames.get(name) ?? name) === request.tool);
      return isAllowed && isListed ? "confirm" : answer;
    };
  }
}

/** The defaults in an agent's table stand with those of the config; its other keys are options of the class. */
function splitTable(
  table: Readonly<Record<string, unknown>>,
  defaults: AgentDefaults,
): { configured: AgentDefaults; rest: Record<string, unknown> } {
  const rest: Record<string, unknown> = { ...table };
  const own: Record<string, unknown> = {};
  for (const key of defaultKeys) {
    if (rest[key] === undefined) continue;
    own[key] = rest[key];
    delete rest[key];
  }
  return { configured: { ...defined(defaults), ...own }, rest };
}

function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
