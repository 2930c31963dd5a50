import { setTimeout as sleep } from "node:timers/promises";
import {
  AgentRegistry,
  type AgentResult,
  type AgentRun,
  BaseAgent,
  defineTool,
  EngineRegistry,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  type Message,
  ToolRegistry,
  throwIfAborted,
} from "@openjarvis/core";

/** An engine that does what the last message says, word by word, so that tests see an answer arrive. */
class TestEngine extends InferenceEngine {
  readonly engineId = "test";

  async *stream(messages: readonly Message[], { signal }: InferenceOptions): AsyncIterable<InferenceDelta> {
    throwIfAborted(signal);
    const last = messages.at(-1);
    const text = last?.content ?? "";
    if (last?.role === "tool") {
      yield { type: "text", text: `tool said: ${text}` };
    } else if (text === "slow") {
      yield { type: "text", text: "working " };
      await sleep(60_000, undefined, { signal }).catch(() => throwIfAborted(signal));
    } else if (text === "stuck") {
      yield { type: "text", text: "working " };
      await new Promise(() => {});
    } else if (text === "fail") {
      throw new Error("the engine broke");
    } else if (text.startsWith("call ")) {
      yield { type: "text", text: "Let me see." };
      yield { type: "tool_call", id: "c1", name: "guarded", arguments: text.slice("call ".length) };
    } else if (text === "escape") {
      yield { type: "text", text: "a\u001b[3" };
      yield { type: "text", text: "1mb\u001b]0;title\u0007c\r" };
    } else if (text === "said") {
      yield { type: "text", text: messages.map(({ role, content }) => `${role}:${content}`).join(" | ") };
    } else {
      for (const word of text.split(/(?<= )/)) yield { type: "text", text: word };
    }
  }

  override async listModels() {
    return [{ id: "test-1" }];
  }
}

EngineRegistry.registerValue("test", TestEngine);

ToolRegistry.registerValue(
  "guarded",
  defineTool({
    name: "guarded",
    description: "Needs a yes.",
    requiresConfirmation: true,
    parameters: { type: "object", properties: { text: { type: "string" } } } as const,
    run: ({ text }) => `done with ${text}`,
  }),
);

/** An agent whose answer is not what the model wrote, as those are that speak a protocol of their own. */
class EditingAgent extends BaseAgent {
  readonly agentId = "editing";

  protected override async respond(run: AgentRun): Promise<AgentResult> {
    run.turns = 1;
    const { content } = await this.generate(run, this.buildMessages(run));
    return this.result(run, content.replace("Final Answer: ", ""), "final");
  }
}

AgentRegistry.registerValue("editing", EditingAgent);
