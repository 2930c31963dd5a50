/** What a first configuration sets. */
export interface FirstConfig {
  engine?: string | undefined;
  model?: string | undefined;
  agent?: string | undefined;
  tools?: readonly string[] | undefined;
}

/** A short config.toml: what was chosen is set, the rest of the usual keys stands there as a comment. */
export function firstConfigText({ engine, model, agent, tools }: FirstConfig): string {
  return [
    "# OpenJarvis configuration. `jarvis config validate` checks it, `jarvis config set KEY VALUE` changes it.",
    "",
    "[engine]",
    "# Which engine answers. Without it: Ollama when it answers, else the built-in rules.",
    setting("default", engine, "ollama"),
    "",
    "# [engine.ollama]",
    '# host = "http://localhost:11434"',
    "",
    "[intelligence]",
    setting("default_model", model, "qwen3:8b"),
    "# temperature = 0.7",
    "# max_tokens = 1024",
    "",
    "[agent]",
    "# simple answers at once; orchestrator calls tools first where they help.",
    setting("default_agent", agent, "orchestrator"),
    "# max_turns = 10",
    "",
    "[tools]",
    "# Tools the agent may call when none are named.",
    setting("enabled", tools, ["calculator", "think"]),
    "",
  ].join("\n");
}

/** A line that sets a key, or shows how it would be set. */
function setting(key: string, value: string | readonly string[] | undefined, example: typeof value): string {
  // JSON texts and lists of texts are TOML too, but for this one character.
  const text = (given: typeof value) => `${key} = ${JSON.stringify(given).replaceAll("\u007f", "\\u007f")}`;
  return value === undefined ? `# ${text(example)}` : text(value);
}
