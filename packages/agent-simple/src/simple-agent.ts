import { type AgentResult, type AgentRun, BaseAgent } from "@openjarvis/core";

/** Sends the conversation and the input to the model once and returns its answer. Takes no tools. */
export class SimpleAgent extends BaseAgent {
  readonly agentId = "simple";

  protected override async respond(run: AgentRun): Promise<AgentResult> {
    run.turns = 1;
    const answer = await this.generate(run, this.buildMessages(run));
    // A model that used up its tokens for thinking has at least its thoughts to show.
    const content = [answer.content, answer.reasoning].find((text) => text.trim() !== "") ?? "";
    const facts = answer.finishReason === "length" ? { truncated: true } : {};
    return this.result(run, content, content === "" ? "empty" : "final", facts);
  }
}
