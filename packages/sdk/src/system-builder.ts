import {
  type ConfirmCallback,
  checkOptionKeys,
  EventBus,
  type InferenceEngine,
  type ToolPolicy,
} from "@openjarvis/core";
import { loadConfig } from "./config.js";
import type { ConfigInput } from "./config-types.js";
import { absolutePath, resolveHome } from "./home.js";
import type { JarvisDefaults, JarvisOptions } from "./options.js";
import { JarvisSystem } from "./system.js";

const optionKeys: readonly (keyof JarvisOptions)[] = [
  "home",
  "configPath",
  "config",
  "env",
  "root",
  "plugins",
  "projectDir",
  "engine",
  "model",
  "agent",
  "bus",
  "confirm",
  "policy",
  "allowedDirs",
  "defaults",
];

const defaultKeys: readonly (keyof JarvisDefaults)[] = ["engine", "model", "agent", "tools"];

/** Throws `OJ_OPTION` for an option that does not exist. */
export function checkJarvisOptions(owner: string, options: JarvisOptions): void {
  checkOptionKeys(owner, options, optionKeys);
  checkOptionKeys(`${owner}, in \`defaults\`,`, options.defaults ?? {}, defaultKeys);
}

/**
 * Wires a {@link JarvisSystem}.
 *
 * @example
 * const system = await new SystemBuilder().engine("ollama").model("qwen3:8b").tools(["calculator"]).build();
 */
export class SystemBuilder {
  readonly #options: JarvisOptions;
  #tools: readonly string[] | undefined;

  constructor(options: JarvisOptions = {}) {
    checkJarvisOptions("SystemBuilder", options);
    this.#options = { ...options };
  }

  /** The engine of asks that name none. An instance stays the caller's to close. */
  engine(nameOrInstance: string | InferenceEngine): this {
    this.#options.engine = nameOrInstance;
    return this;
  }

  /** The model of asks that name none. */
  model(model: string): this {
    this.#options.model = model;
    return this;
  }

  /** The agent of asks that name none. */
  agent(agent: string): this {
    this.#options.agent = agent;
    return this;
  }

  /** The tools of asks that name none. */
  tools(names: readonly string[]): this {
    this.#tools = [...names];
    return this;
  }

  bus(bus: EventBus): this {
    this.#options.bus = bus;
    return this;
  }

  /** Asks a person about tool calls that need it. */
  confirm(confirm: ConfirmCallback): this {
    this.#options.confirm = confirm;
    return this;
  }

  policy(policy: ToolPolicy): this {
    this.#options.policy = policy;
    return this;
  }

  /** Settings that go before the config file; they replace those given before. */
  config(config: ConfigInput): this {
    this.#options.config = config;
    return this;
  }

  /**
   * Reads the config and wires the system. No engine is spoken to and no plugin loaded before the first ask.
   *
   * Throws `OJ_HOME`, `OJ_OPTION` or `OJ_CONFIG_…` when the settings cannot be used.
   */
  async build(): Promise<JarvisSystem> {
    const { bus = new EventBus(), configPath, config, env = process.env, ...options } = this.#options;
    const home = options.home === undefined ? resolveHome(env) : absolutePath(options.home, env);
    const loaded = await loadConfig({ home, configPath, config, env });
    const { root, plugins, projectDir, engine, model, agent, confirm, policy, allowedDirs, defaults } =
      options;
    return new JarvisSystem({
      bus,
      home,
      env,
      loaded,
      pluginOptions: { home, env, root, plugins, projectDir },
      engine,
      model,
      agent,
      tools: this.#tools,
      confirm,
      policy,
      allowedDirs,
      defaults,
    });
  }
}
