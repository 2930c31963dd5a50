import { type AgentResult, type AgentRun, BaseAgent, MessageHistory, ToolUsingAgent } from "@openjarvis/core";

/** The shortest agent without tools that keeps every check. */
export class PlainAgent extends BaseAgent {
  readonly agentId = "plain";

  protected override async respond(run: AgentRun): Promise<AgentResult> {
    run.turns = 1;
    const { content } = await this.generate(run, this.buildMessages(run));
    return this.result(run, content, content === "" ? "empty" : "final");
  }
}

/** The shortest agent with tools that keeps every check. */
export class LoopAgent extends ToolUsingAgent {
  static override readonly optionKeys: readonly string[] = [];
  readonly agentId = "loop";

  protected override async respond(run: AgentRun): Promise<AgentResult> {
    const history = new MessageHistory(this.buildMessages(run));
    const guard = this.createLoopGuard();
    const tools = this.toolsOf(run).map((tool) => tool.toOpenAIFunction());
    while (run.turns < this.maxTurns) {
      run.turns += 1;
      const answer = await this.generateFitting(run, history, tools.length > 0 ? { tools } : {});
      if (answer.toolCalls.length === 0) {
        return this.result(run, answer.content, answer.content === "" ? "empty" : "final");
      }
      history.add({ role: "assistant", content: answer.content, toolCalls: answer.toolCalls });
      for (const { call, result } of await this.callTools(run, answer.toolCalls, guard)) {
        history.add(this.executor.toMessage(call, result));
      }
    }
    return this.wrapUp(run, history, "max_turns");
  }
}

/** An agent whose model writes `CALL name {json}` and `ANSWER text`. */
export class TextAgent extends ToolUsingAgent {
  readonly agentId = "text";

  protected override async respond(run: AgentRun): Promise<AgentResult> {
    const history = new MessageHistory(this.buildMessages(run, "Write CALL name {json} or ANSWER text."));
    const guard = this.createLoopGuard();
    while (run.turns < this.maxTurns) {
      run.turns += 1;
      const { content } = await this.generateFitting(run, history);
      history.add({ role: "assistant", content });
      const [, name, args] = /^CALL (\S+) ([\s\S]*)$/.exec(content) ?? [];
      if (name === undefined || args === undefined) {
        const text = content.replace(/^ANSWER /, "");
        return this.result(run, text, text === "" ? "empty" : "final");
      }
      const [answered] = await this.callTools(
        run,
        [{ id: `call_${run.turns}`, name, arguments: args }],
        guard,
      );
      history.add({ role: "user", content: `Result: ${answered?.result.content ?? ""}` });
    }
    return this.wrapUp(run, history, "max_turns");
  }
}
