import type {
  AgentMetadata,
  ConfirmCallback,
  EventBus,
  InferenceEngine,
  Message,
  StopReason,
  ToolPolicy,
  ToolResult,
  Usage,
} from "@openjarvis/core";
import type { ConfigInput } from "./config-types.js";

/** Where plugins are looked for. */
export interface PluginOptions {
  /** The OpenJarvis home. @default OPENJARVIS_HOME, else ~/.openjarvis */
  home?: string | undefined;
  /** Environment variables. @default process.env */
  env?: NodeJS.ProcessEnv | undefined;
  /**
   * A file or folder (path or `file:` URL) of the package whose direct dependencies are plugins.
   * @default the package of the running program
   */
  root?: string | URL | undefined;
  /**
   * `distribution`: only those of `root`, not of the home or a project; `none`: only what was imported by hand.
   * @default "discover"
   */
  plugins?: "discover" | "distribution" | "none" | undefined;
  /**
   * The folder whose project may add plugins, once it is trusted; `false` for none.
   * @default the working folder
   */
  projectDir?: string | false | undefined;
}

/** What a distribution prefers where neither the program, the environment nor the config names anything. */
export interface JarvisDefaults {
  engine?: string;
  model?: string;
  agent?: string;
  tools?: readonly string[];
}

/** Options of `Jarvis` and {@link SystemBuilder}. */
export interface JarvisOptions extends PluginOptions {
  /** The config file. @default OPENJARVIS_CONFIG, else config.toml in the home */
  configPath?: string | undefined;
  /** Settings that go before the config file. */
  config?: ConfigInput | undefined;
  /** The engine of asks that name none. An instance stays the caller's to close. */
  engine?: string | InferenceEngine | undefined;
  /** The model of asks that name none. */
  model?: string | undefined;
  /** The agent of asks that name none. */
  agent?: string | undefined;
  bus?: EventBus | undefined;
  /** Asks a person about tool calls that need it. Without it such calls are refused. */
  confirm?: ConfirmCallback | undefined;
  policy?: ToolPolicy | undefined;
  /** Folders whose files tools may read; `tools.allowed_dirs` of the config adds to them. @default the working folder */
  allowedDirs?: readonly string[] | undefined;
  /** What is taken where nobody else names anything. */
  defaults?: JarvisDefaults | undefined;
}

/** Options of one ask. */
export interface AskOptions {
  /** @default config, else `orchestrator` when there are tools, else `simple` */
  agent?: string | undefined;
  /** Names of tools. @default `tools.enabled` or `agent.tools` of the config */
  tools?: readonly string[] | undefined;
  model?: string | undefined;
  engine?: string | undefined;
  temperature?: number | undefined;
  maxTokens?: number | undefined;
  maxTurns?: number | undefined;
  systemPrompt?: string | undefined;
  /** The messages before the query. */
  history?: readonly Message[] | undefined;
  /** Base64-encoded images that belong to the query. */
  images?: readonly string[] | undefined;
  /** Options of the agent's class beyond the ones above (`{ mode: "structured" }`). */
  agentOptions?: Record<string, unknown> | undefined;
  /** In place of the system's. */
  confirm?: ConfirmCallback | undefined;
  /** Cancels the run. */
  signal?: AbortSignal | undefined;
  /** The id events carry. @default a fresh one */
  runId?: string | undefined;
}

/** The outcome of an ask. */
export interface AskResult {
  content: string;
  /** Tokens of the agent's inference calls and of the tools that ask a model. */
  usage: Usage;
  toolResults: ToolResult[];
  turns: number;
  /** The model that answered. */
  model: string;
  /** The engine that answered. */
  engine: string;
  /** One sentence that says why this engine. */
  engineReason: string;
  agent: string;
  stopReason: StopReason;
  metadata: AgentMetadata;
}
