import type { AgentContext, RunOptions } from "./agent-types.js";
import type { RunRef } from "./events.js";
import { createId } from "./ids.js";
import type { Message } from "./message.js";
import type { ToolResult } from "./tool-types.js";
import { emptyUsage, type Usage } from "./usage.js";

/** The state of one run. It lives here and never on the agent, so that one agent can run many inputs at once. */
export class AgentRun {
  readonly input: string;
  readonly context: AgentContext;
  readonly signal: AbortSignal | undefined;
  readonly ref: RunRef;
  readonly usage: Usage = emptyUsage();
  readonly toolResults: ToolResult[] = [];
  readonly warnings: string[] = [];
  turns = 0;
  inferenceCalls = 0;
  /** The last text the model gave; what remains when the run is cut short. */
  lastContent = "";
  /** The model that answered, as the engine names it. */
  model: string;

  constructor(input: string, context: AgentContext, options: RunOptions, model: string) {
    this.input = input;
    this.context = context;
    this.signal = options.signal;
    this.ref = { runId: options.runId ?? createId("run"), parentId: options.parentId ?? "" };
    this.model = model;
  }

  /** The messages before the input. */
  get conversation(): readonly Message[] {
    const { conversation } = this.context;
    if (conversation === undefined) return [];
    return "messages" in conversation ? conversation.messages : conversation;
  }
}
