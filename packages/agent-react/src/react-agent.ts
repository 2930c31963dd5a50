import { type AgentDefaults, type AgentResult, type AgentRun, TextAgent } from "@openjarvis/core";
import { react } from "./react-protocol.js";

/**
 * Answers in a loop of thought, action and observation: the model writes which tool it wants with which input, the tool
 * runs, and its result goes back as an observation, until the model gives its final answer.
 *
 * - Calls are read in every dialect that models write, native tool calls included.
 * - An observation the model invents is dropped, with all that follows it.
 * - A reply without any of the forms is the answer; one that tries them and fails is asked for again, at most twice in
 *   a row, then the run ends with `stopReason: "parse_error"`.
 */
export class NativeReActAgent extends TextAgent {
  static override readonly defaults: AgentDefaults = { temperature: 0.7, maxTokens: 1024, maxTurns: 10 };

  readonly agentId = "native_react";

  protected override respond(run: AgentRun): Promise<AgentResult> {
    return this.answerByText(run, react);
  }
}

/** The older name of {@link NativeReActAgent}. */
export const ReActAgent = NativeReActAgent;
