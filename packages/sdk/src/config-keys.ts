/** What a key of config.toml takes. */
export type ConfigKeyType = "text" | "number" | "integer" | "list" | "map" | "table";

/** One key of config.toml. */
export interface ConfigKey {
  /** With its section: `intelligence.temperature`. `<id>` stands for a name. */
  key: string;
  type: ConfigKeyType;
  /** What holds when it is not set, in words. */
  default: string;
  description: string;
  /** Least value of a number. */
  min?: number;
  /** Greatest value of a number. */
  max?: number;
  /** Whether a text may be empty. */
  allowEmpty?: boolean;
}

const keys: readonly ConfigKey[] = [
  {
    key: "engine.default",
    type: "text",
    default: "ollama when it answers, else rules",
    description: "The engine that answers when none is named.",
  },
  {
    key: "engine.<id>",
    type: "table",
    default: "the engine's own",
    description: "Options of an engine, for example [engine.ollama] with host.",
  },
  {
    key: "intelligence.default_model",
    type: "text",
    default: "the engine's only or first model",
    description: "The model that answers when none is named.",
  },
  {
    key: "intelligence.temperature",
    type: "number",
    min: 0,
    max: 2,
    default: "the agent's, 0.7",
    description: "Sampling temperature.",
  },
  {
    key: "intelligence.max_tokens",
    type: "integer",
    min: 1,
    default: "the agent's, 1024 or 2048",
    description: "Most tokens of one answer.",
  },
  {
    key: "agent.default_agent",
    type: "text",
    default: "orchestrator with tools, else simple",
    description: "The agent that answers when none is named.",
  },
  {
    key: "agent.max_turns",
    type: "integer",
    min: 1,
    default: "the agent's, 10 or 3",
    description: "Most turns of an agent's loop.",
  },
  {
    key: "agent.tools",
    type: "list",
    default: "none",
    description: "Tools of an ask that names none; tools.enabled goes before it.",
  },
  {
    key: "agent.system_prompt",
    type: "text",
    allowEmpty: true,
    default: "the agent's",
    description: "Put before the conversation as the system message.",
  },
  {
    key: "agent.<id>",
    type: "table",
    default: "the agent's own",
    description: "Options of one agent, for example [agent.rlm] with sub_model.",
  },
  {
    key: "tools.enabled",
    type: "list",
    default: "none",
    description: "Tools of an ask that names none.",
  },
  {
    key: "tools.timeout_seconds",
    type: "number",
    min: 0.001,
    max: 2_147_483,
    default: "30",
    description: "Deadline of a tool call, for tools that state none.",
  },
  {
    key: "tools.always_confirm",
    type: "list",
    default: "none",
    description: "Tools a person must allow each time, beside those that ask by themselves.",
  },
  {
    key: "tools.allowed_dirs",
    type: "list",
    default: "none",
    description: "Folders whose files tools may read, beside the working folder.",
  },
  {
    key: "plugins.disabled",
    type: "list",
    default: "none",
    description: "Packages that are never loaded.",
  },
  {
    key: "plugins.prefer",
    type: "map",
    default: "none",
    description: "Which package provides an id that several provide: id = package.",
  },
];

/** Every key config.toml may have. */
export function configKeys(): readonly ConfigKey[] {
  return keys;
}

/** The key a path belongs to: itself, or the table it is in. */
export function findConfigKey(path: readonly string[]): ConfigKey | undefined {
  const [section = "", name = ""] = path;
  const exact = keys.find(({ key }) => key === `${section}.${name}`);
  return exact ?? keys.find(({ key, type }) => type === "table" && key === `${section}.<id>`);
}

/** What a key takes, in words. */
export function acceptedBy(key: ConfigKey): string {
  switch (key.type) {
    case "text":
      return key.allowEmpty === true ? "a text" : "a text that is not empty";
    case "number":
      return `a number from ${key.min} to ${key.max}`;
    case "integer":
      return `a whole number, ${key.min} or more`;
    case "list":
      return "a list of names, or one text of names separated by commas";
    case "map":
      return 'a table of texts (id = "package")';
    case "table":
      return "a table of options";
  }
}
