import {
  type AgentDefaults,
  type AgentOptions,
  type AgentResult,
  type AgentRun,
  continueAnswer,
  didYouMean,
  errorText,
  HistoryCalls,
  type InferenceResult,
  isJarvisError,
  JarvisError,
  type Message,
  MessageHistory,
  TextAgent,
  throwIfAborted,
} from "@openjarvis/core";
import { structured } from "./structured-protocol.js";

/** How the orchestrator asks for tool calls. */
export type OrchestratorMode = "function_calling" | "structured";

const modes: readonly string[] = ["function_calling", "structured"];

/** Options of an {@link OrchestratorAgent}. */
export interface OrchestratorOptions extends AgentOptions {
  /** @default "function_calling" */
  mode?: OrchestratorMode;
  /** Whether several calls of one turn run side by side. @default true */
  parallelTools?: boolean;
}

const emptyAnswerPrompt = "Your last reply was empty. Answer the question from what is above.";

/**
 * Answers with a loop of tool calls: the model sees the tools as functions, its calls are run, and their results go
 * back, until it answers without a call. In the mode `structured` the tools stand in the prompt and calls are lines of
 * text, for models without function calling.
 *
 * - At most `maxTurns` turns; then one call without tools asks for the best answer, and the result says
 *   `maxTurnsExceeded`.
 * - An answer cut by the token limit is continued up to twice; calls cut by it are not run but asked for again.
 * - An empty answer is asked for once more.
 */
export class OrchestratorAgent extends TextAgent {
  static override readonly defaults: AgentDefaults = { temperature: 0.7, maxTokens: 1024, maxTurns: 10 };
  static override readonly optionKeys: readonly string[] = ["mode", "parallelTools"];

  readonly agentId = "orchestrator";
  readonly mode: OrchestratorMode;

  constructor(options: OrchestratorOptions) {
    super(options.parallelTools === false ? { ...options, concurrency: 1 } : options);
    this.mode = options.mode ?? "function_calling";
    if (!modes.includes(this.mode)) {
      const name = String(this.mode);
      throw new JarvisError(
        "OJ_OPTION",
        `The orchestrator has no mode "${name}".${didYouMean(name, modes)}`,
        {
          hint: `It has: ${modes.join(", ")}.`,
        },
      );
    }
  }

  protected override respond(run: AgentRun): Promise<AgentResult> {
    return this.mode === "structured" ? this.answerByText(run, structured) : this.#callFunctions(run);
  }

  async #callFunctions(run: AgentRun): Promise<AgentResult> {
    const history = new MessageHistory(this.buildMessages(run));
    const guard = this.createLoopGuard();
    const turn = { run, history, guard, calls: new HistoryCalls(this.executor) };
    const tools = this.toolsOf(run).map((tool) => tool.toOpenAIFunction());
    const offer = tools.length > 0 ? { tools } : {};
    let nudged = false;
    let maxTokens = this.maxTokens;

    while (run.turns < this.maxTurns) {
      throwIfAborted(run.signal);
      run.turns += 1;
      const answer = await this.generateFitting(run, history, { ...offer, maxTokens });
      if (answer.finishReason === "length" && answer.toolCalls.length > 0) {
        // The arguments are cut off; running them would run something the model did not mean.
        maxTokens = Math.min(maxTokens * 2, this.maxTokens * 8);
        this.warn(run, "A tool call was cut by the token limit and was asked for again.");
        continue;
      }
      if (answer.toolCalls.length === 0) {
        if (isBlank(answer.content) && !nudged && shouldNudge(answer)) {
          nudged = true;
          history.add({ role: "user", content: emptyAnswerPrompt });
          continue;
        }
        return this.#finalAnswer(run, history, answer);
      }
      await this.callNatively(turn, answer);
      if (this.mustStop(guard)) return this.wrapUp(run, history, "loop_guard");
    }
    return this.wrapUp(run, history, "max_turns");
  }

  async #finalAnswer(run: AgentRun, history: MessageHistory, answer: InferenceResult): Promise<AgentResult> {
    if (isBlank(answer.content)) {
      const cut = answer.finishReason === "length" ? { truncated: true } : {};
      if (isBlank(answer.reasoning)) return this.result(run, "", "empty", cut);
      return this.result(run, answer.reasoning, "final", cut);
    }
    const ask = async (more: readonly Message[]): Promise<InferenceResult | undefined> => {
      try {
        return await this.generate(run, [...history.messages, ...more]);
      } catch (error) {
        if (isJarvisError(error, "OJ_ABORTED") || run.signal?.aborted === true) throw error;
        // What there is of the answer would be lost with an error; a full context window is the usual reason.
        this.warn(run, `The answer was cut, and its continuation failed: ${errorText(error)}`);
        return undefined;
      }
    };
    const { text, truncated } = await continueAnswer(answer, ask, (soFar) => {
      run.lastContent = soFar;
    });
    return this.result(run, text, "final", truncated ? { truncated } : {});
  }
}

/** Reasoning without an answer is shown as the answer, unless the limit cut it before the answer came. */
function shouldNudge(answer: InferenceResult): boolean {
  return isBlank(answer.reasoning) || answer.finishReason === "length";
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
