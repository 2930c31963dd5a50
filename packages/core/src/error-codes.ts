/** What an error code means and what the reader does next; the reference page in `docs/` is made from this table. */
export interface ErrorCodeEntry {
  /** What happened, in one line. */
  title: string;
  /** Why it happens and what to do. */
  help: string;
}

/** Every code this project raises. Names are permanent. */
export const errorCodes = {
  OJ_ABORTED: {
    title: "The work was cancelled",
    help: "A signal, Ctrl-C or a deadline of the caller stopped it. Nothing stored before is lost.",
  },
  OJ_AGENT_NOT_FOUND: {
    title: "No agent has this name",
    help: "`jarvis agent list` shows the agents that are installed.",
  },
  OJ_OPTION: {
    title: "An option is unknown or has a wrong value",
    help: "The message names the option and the ones that exist.",
  },
  OJ_TOOL_NOT_FOUND: {
    title: "No tool has this name",
    help: "`jarvis tool list` shows the tools that are installed.",
  },
  OJ_TOOL_NOT_INSTALLED: {
    title: "The tool exists, but no installed plugin provides it",
    help: "Install the package the message names with `jarvis plugins add`.",
  },
  OJ_AGENT_NOT_INSTALLED: {
    title: "The agent exists, but no installed plugin provides it",
    help: "Install the package the message names with `jarvis plugins add`.",
  },
  OJ_ENGINE_NOT_INSTALLED: {
    title: "The engine exists, but no installed plugin provides it",
    help: "Install the package the message names with `jarvis plugins add`.",
  },
  OJ_SANDBOX_NOT_FOUND: {
    title: "No sandbox runs this language",
    help: "The message names the languages that are installed.",
  },
  OJ_SANDBOX_NOT_INSTALLED: {
    title: "A sandbox for this language exists, but no installed plugin provides it",
    help: "Install the package the message names with `jarvis plugins add`.",
  },
  OJ_TOOL_SPEC: {
    title: "A tool describes itself wrongly",
    help: "Give the tool a name of letters, digits, `_` and `-`, and parameters that are a JSON Schema of type object.",
  },
  OJ_TOOL_ARGUMENTS: {
    title: "The arguments of a tool call are not what the tool takes",
    help: "The message names the field. The model reads it and can call again.",
  },
  OJ_TOOL_DENIED: {
    title: "A tool call was not allowed",
    help: "Answer the question on the terminal, pass --yes, or give the SDK a `confirm` callback.",
  },
  OJ_TOOL_TIMEOUT: {
    title: "A tool did not finish in its time",
    help: "Raise `timeoutSeconds` of the tool, or give it less to do.",
  },
  OJ_TOOL_FAILED: {
    title: "A tool failed",
    help: "The message is the tool's own.",
  },
  OJ_LOOP_GUARD: {
    title: "The model repeated a tool call too often",
    help: "Ask more precisely, or loosen the loop guard if the repetition is wanted.",
  },
  OJ_ENGINE_NOT_FOUND: {
    title: "No engine has this name",
    help: "`jarvis engine list` shows the engines that are installed.",
  },
  OJ_ENGINE_UNREACHABLE: {
    title: "The model server does not answer",
    help: "Start the server the message names, or choose another with --engine.",
  },
  OJ_ENGINE_AUTH: {
    title: "The model server refused the key",
    help: "Set the environment variable the message names.",
  },
  OJ_ENGINE_MODEL_MISSING: {
    title: "The model server does not have this model",
    help: "`jarvis model list` shows what it has; `jarvis model pull` fetches one where the server can.",
  },
  OJ_ENGINE_RATE_LIMIT: {
    title: "The model server asks to slow down",
    help: "Wait as long as the message says, then try again.",
  },
  OJ_ENGINE_CONTEXT_LENGTH: {
    title: "The conversation is longer than the model's context window",
    help: "Ask with less text, or use a model with a larger window.",
  },
  OJ_ENGINE_BAD_REQUEST: {
    title: "The model server refused the request",
    help: "The message is the server's own.",
  },
  OJ_ENGINE_TOOLS_UNSUPPORTED: {
    title: "The model cannot call tools",
    help: "Choose a model with tool support, or ask without --tools.",
  },
  OJ_ENGINE_PROTOCOL: {
    title: "The model server answered in a way its protocol does not allow",
    help: "Check that the address belongs to the server you mean, and that its version is supported.",
  },
  OJ_ENGINE_TIMEOUT: {
    title: "The model server did not answer in time",
    help: "Raise the timeout in the engine's section of config.toml, or use a smaller model.",
  },
  OJ_ENGINE_SERVER: {
    title: "The model server failed",
    help: "The message is the server's own; its log says more.",
  },
  OJ_ENGINE_CANNOT_ANSWER: {
    title: "The built-in rules cannot answer this",
    help: "Install a model: the message names the command.",
  },
  OJ_MODEL_NOT_SET: {
    title: "No model was named and the engine offers none",
    help: "Name one with --model, or set intelligence.default_model.",
  },
  OJ_CONFIG_SYNTAX: {
    title: "config.toml is not valid TOML",
    help: "The message gives line and column.",
  },
  OJ_CONFIG_KEY: {
    title: "config.toml has a key that does not exist",
    help: "The message gives the line and the nearest name.",
  },
  OJ_CONFIG_VALUE: {
    title: "config.toml has a value of the wrong kind",
    help: "The message gives the line, the value and what is accepted.",
  },
  OJ_HOME: {
    title: "The OpenJarvis home cannot be used",
    help: "Check the permissions of the folder the message names, or set OPENJARVIS_HOME to another.",
  },
  OJ_PLUGIN_API: {
    title: "A plugin needs another version of the plugin API",
    help: "Update OpenJarvis or install a version of the plugin that fits.",
  },
  OJ_PLUGIN_LOAD: {
    title: "A plugin could not be loaded",
    help: "`jarvis plugins doctor` shows what is wrong with it.",
  },
  OJ_PLUGIN_MANIFEST: {
    title: "A plugin's manifest is wrong or does not match what it registers",
    help: "Fix `openjarvis` in the plugin's package.json.",
  },
  OJ_PLUGIN_NOT_FOUND: {
    title: "No installed plugin has this name",
    help: "`jarvis plugins list` shows what is installed.",
  },
  OJ_PLUGIN_INSTALL: {
    title: "A plugin could not be installed or removed",
    help: "The message is the package manager's own.",
  },
  OJ_DUPLICATE_ID: {
    title: "Two plugins provide the same name",
    help: "Choose one in `[plugins.prefer]` of config.toml, or remove the other.",
  },
  OJ_NOT_REGISTERED: {
    title: "A registry has no entry under this key",
    help: "Import the package that registers it before it is used.",
  },
  OJ_USAGE: {
    title: "The command line is not understood",
    help: "`jarvis --help` and `jarvis <command> --help` show what there is.",
  },
  OJ_CLOSED: {
    title: "The system was closed before this call",
    help: "Make the calls before `close()`, or create another system.",
  },
  OJ_INTERNAL: {
    title: "A defect in OpenJarvis",
    help: "Please report it with the text of the message.",
  },
} as const satisfies Record<string, ErrorCodeEntry>;

/** A code from the table. */
export type ErrorCode = keyof typeof errorCodes;
