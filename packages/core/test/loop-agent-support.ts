import {
  type AgentOptions,
  type AgentResult,
  type AgentRun,
  type BaseTool,
  defineTool,
  EventBus,
  type InferenceDelta,
  JarvisError,
  MessageHistory,
  type ModelCapabilities,
  ToolUsingAgent,
} from "../src/index.js";
import { recordEvents, ScriptedEngine, type Step, text, toolCall } from "./support.js";

/** The shortest agent with a tool loop. */
export class LoopAgent extends ToolUsingAgent {
  readonly agentId = "loop";

  protected async respond(run: AgentRun): Promise<AgentResult> {
    const history = new MessageHistory(this.buildMessages(run));
    const guard = this.createLoopGuard();
    const tools = this.toolsOf(run).map((tool) => tool.toOpenAIFunction());
    while (run.turns < this.maxTurns) {
      run.turns += 1;
      const { content, toolCalls } = await this.generateFitting(
        run,
        history,
        tools.length > 0 ? { tools } : {},
      );
      if (toolCalls.length === 0) return this.result(run, content, "final");
      history.add({ role: "assistant", content, toolCalls });
      for (const { call, result, note } of await this.callTools(run, toolCalls, guard)) {
        history.add(this.executor.toMessage(call, result, note));
      }
      if (this.mustStop(guard)) return this.wrapUp(run, history, "loop_guard");
    }
    return this.wrapUp(run, history, "max_turns");
  }
}

export const now = defineTool({ name: "now", description: "The time.", run: () => "noon" });
export const echo = defineTool({
  name: "echo",
  description: "Repeats.",
  parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
  run: ({ n }) => `echo ${n}`,
});

export class Engine extends ScriptedEngine {
  asked = 0;
  contextLength: number | undefined;
  failures = 0;

  override async capabilities(): Promise<ModelCapabilities> {
    this.asked += 1;
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error("no answer");
    }
    return this.contextLength === undefined ? {} : { contextLength: this.contextLength };
  }
}

/** An agent with two tools on a bus with an engine that follows a script. */
export function setUp(
  steps: readonly Step[],
  extra: Partial<AgentOptions> = {},
  tools: readonly BaseTool[] = [now, echo],
) {
  const bus = new EventBus();
  const engine = new Engine(...steps);
  const agent = new LoopAgent({ engine, model: "m", bus, tools, ...extra });
  return { agent, engine, events: recordEvents(bus) };
}

export const call = (id: string, n: number, content = ""): InferenceDelta[] => [
  text(content),
  toolCall(id, "echo", { n }),
];
export const fails: Step = () => {
  throw new JarvisError("OJ_ENGINE_SERVER", "broken");
};
