/** Options of one engine or agent, in TypeScript spelling. */
export type OptionTable = Readonly<Record<string, unknown>>;

/** Settings, as config.toml and the `config` option give them. A field that is missing was not set. Frozen. */
export interface Config {
  readonly engine: {
    /** The engine that answers when none is named. */
    readonly default?: string;
    /** Options of each engine's factory, by the engine's name: the tables `[engine.<id>]`. */
    readonly options: Readonly<Record<string, OptionTable>>;
  };
  readonly intelligence: {
    readonly defaultModel?: string;
    readonly temperature?: number;
    readonly maxTokens?: number;
  };
  readonly agent: {
    readonly defaultAgent?: string;
    readonly maxTurns?: number;
    /** Tools of an ask that names none, unless `tools.enabled` is set. */
    readonly tools?: readonly string[];
    readonly systemPrompt?: string;
    /** Options of each agent's class, by the agent's name: the tables `[agent.<id>]`. */
    readonly options: Readonly<Record<string, OptionTable>>;
  };
  readonly tools: {
    /** Tools of an ask that names none. */
    readonly enabled?: readonly string[];
    /** Deadline in seconds of tools that state none. */
    readonly timeoutSeconds?: number;
    /** Tools a person must allow each time, beside those that ask by themselves. */
    readonly alwaysConfirm: readonly string[];
    /** Folders whose files tools may read, beside the working folder. */
    readonly allowedDirs: readonly string[];
  };
  readonly plugins: {
    /** Packages that are never loaded. */
    readonly disabled: readonly string[];
    /** Which package provides an id that several provide: id → package. */
    readonly prefer: Readonly<Record<string, string>>;
  };
}

/** Settings given in code. What is set here goes before the file; option tables are merged key by key. */
export type ConfigInput = { readonly [S in keyof Config]?: Partial<Config[S]> };

/** A value a key of config.toml can have. */
export type ConfigValue =
  | string
  | number
  | boolean
  | readonly ConfigValue[]
  | { readonly [key: string]: ConfigValue };

/** What is wrong with a config file. */
export interface ConfigProblem {
  code: "OJ_CONFIG_SYNTAX" | "OJ_CONFIG_KEY" | "OJ_CONFIG_VALUE";
  /** With file and line. */
  message: string;
  /** What exists, or what is accepted. */
  hint: string;
  file: string;
  /** Counted from 1. */
  line: number;
  /** Counted from 1; only for malformed TOML. */
  column?: number;
  /** The key with its sections; empty for malformed TOML. */
  key: string;
}

/** A config that was read. */
export interface LoadedConfig {
  /** Frozen. */
  readonly config: Config;
  /** The file that was looked for. */
  readonly path: string;
  readonly exists: boolean;
  /** What the user set, by key as the file writes it (`intelligence.max_tokens`); defaults are not in it. */
  readonly set: Readonly<Record<string, unknown>>;
  /** Where a key is set, as messages name it: `<file>:<line>`, or the option of the program. */
  locate(...key: readonly string[]): string;
}
