import { type AgentOptions, type AgentResult, type AgentRun, BaseAgent, EventBus } from "../src/index.js";
import { recordEvents, ScriptedEngine, type Step } from "./support.js";

/** Asks once and answers, as SimpleAgent does. */
export class AskAgent extends BaseAgent {
  readonly agentId = "ask";

  protected async respond(run: AgentRun): Promise<AgentResult> {
    run.turns = 1;
    const { content } = await this.generate(run, this.buildMessages(run));
    return this.result(run, content, "final");
  }
}

/** Asks twice. */
export class TwiceAgent extends BaseAgent {
  readonly agentId = "twice";
  static override readonly defaults = { temperature: 0.2, maxTurns: 3 };
  static override readonly optionKeys = ["mode"];

  protected async respond(run: AgentRun): Promise<AgentResult> {
    for (let turn = 0; turn < 2; turn += 1) {
      run.turns += 1;
      await this.generate(run, this.buildMessages(run));
    }
    return this.maxTurnsResult(run);
  }
}

/** An agent on a bus with an engine that follows a script, and what is published. */
export function setUp(
  Agent: new (options: AgentOptions) => BaseAgent,
  steps: readonly Step[],
  extra: Partial<AgentOptions> = {},
) {
  const bus = new EventBus();
  const engine = new ScriptedEngine(...steps);
  const agent = new Agent({ engine, model: "m", bus, ...extra });
  return { agent, engine, events: recordEvents(bus) };
}
