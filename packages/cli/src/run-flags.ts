import type { AskOptions } from "@openjarvis/sdk";

/** The flags that say who answers, and how; the same for ask and chat. */
export interface RunFlags {
  agent?: string;
  tools?: readonly string[];
  engine?: string;
  model?: string;
  temperature?: number;
  maxTokens?: number;
  maxTurns?: number;
  system?: string;
  mode?: string;
  yes?: boolean;
  /** Folders whose files tools may read, beside the working folder. */
  allowDir?: readonly string[];
}

/** The flags as options of an ask. A flag that was not given leaves its option to the configuration. */
export function askOptions(flags: RunFlags): AskOptions {
  const { agent, tools, engine, model, temperature, maxTokens, maxTurns, system, mode } = flags;
  return {
    agent,
    tools,
    engine,
    model,
    temperature,
    maxTokens,
    maxTurns,
    systemPrompt: system,
    ...(mode === undefined ? {} : { agentOptions: { mode } }),
  };
}
