import { BaseAgent } from "./agent.js";
import type { AgentRun } from "./agent-run.js";
import type { AgentOptions, AgentResult } from "./agent-types.js";
import { errorText, isJarvisError } from "./errors.js";
import type { InferenceOptions, InferenceResult } from "./inference.js";
import { LoopGuard, type LoopGuardOptions, type LoopVerdict } from "./loop-guard.js";
import type { Message, ToolCall } from "./message.js";
import type { MessageHistory } from "./message-history.js";
import type { BaseTool } from "./tool.js";
import { type ToolCallRequest, ToolExecutor } from "./tool-executor.js";
import type { ToolResult } from "./tool-types.js";

/** A call with its result and what the model is told beside it. */
export interface AnsweredCall {
  call: ToolCall;
  result: ToolResult;
  /** A warning of the loop guard; empty when there is none. */
  note: string;
}

/** Options of a closing answer. */
export interface WrapUpOptions {
  /** The text for the person in the closing answer. @default its content */
  read?: (answer: InferenceResult) => string;
}

/** Blocked calls after which a run is asked for its answer instead of going on. */
const maxBlockedCalls = 2;

/** Tokens below which a history fits any model, so that the engine need not be asked. */
const smallHistory = 1024;

const wrapUpPrompt =
  "No more tool calls are possible. Give the best answer you can from what is above, and say what is missing.";

const loopGuardText = "Stopped: the model repeated the same tool calls without coming to an answer.";

/** Base class of agents that call tools: an executor, a loop of bounded length, and a guard against repetition. */
export abstract class ToolUsingAgent extends BaseAgent {
  static override readonly acceptsTools: boolean = true;

  protected readonly tools: readonly BaseTool[];
  protected readonly executor: ToolExecutor;
  readonly #loopGuard: LoopGuardOptions | undefined;
  #contextLength: Promise<number | undefined> | undefined;

  constructor(options: AgentOptions) {
    super(options);
    this.tools = options.tools ?? [];
    this.#loopGuard = options.loopGuard;
    // A wrong limit is an error here, not in the middle of a run.
    new LoopGuard(options.loopGuard);
    this.executor = new ToolExecutor({
      tools: this.tools,
      bus: options.bus,
      confirm: options.confirm,
      policy: options.policy,
      timeoutSeconds: options.toolTimeoutSeconds,
      maxResultChars: options.maxResultChars,
      concurrency: options.concurrency,
    });
  }

  /** The guard of a new run. */
  protected createLoopGuard(): LoopGuard {
    return new LoopGuard(this.#loopGuard);
  }

  /** The tools a run may use. */
  protected toolsOf(run: AgentRun): readonly BaseTool[] {
    const { tools } = run.context;
    return tools === undefined ? this.tools : this.tools.filter((tool) => tools.includes(tool.spec.name));
  }

  /** Runs the calls of a turn under the guard and notes their results; order is kept. */
  protected async callTools(
    run: AgentRun,
    calls: readonly (ToolCall & Pick<ToolCallRequest, "refusal">)[],
    guard: LoopGuard,
  ): Promise<AnsweredCall[]> {
    const judged = calls.map((call) => ({ call, verdict: this.#judge(run, call, guard) }));
    const { signal, ref, context } = run;
    const options = { signal, run: ref, agentId: this.agentId, only: context.tools };
    const requests = judged.map(({ call, verdict }) => ({
      ...call,
      refusal: refusalOf(verdict) ?? call.refusal,
    }));
    const results = (await this.executor.executeAll(requests, options)).values();
    return judged.map(({ call, verdict }) => {
      const result = results.next().value as ToolResult;
      if (verdict.action !== "block") guard.record(verdict, result);
      run.toolResults.push(result);
      return { call, result, note: verdict.action === "warn" ? warningNote(verdict.reason) : "" };
    });
  }

  #judge(run: AgentRun, call: ToolCall, guard: LoopGuard): LoopVerdict {
    const spec = this.executor.findTool(call.name)?.spec;
    const tool = spec?.name ?? call.name;
    const verdict = guard.check(tool, call.arguments, spec?.metadata?.polling === true);
    const { action, reasonType } = verdict;
    if (reasonType !== undefined) {
      this.bus?.publish("LOOP_GUARD_TRIGGERED", { tool, reasonType, blocked: action === "block" }, run.ref);
    }
    return verdict;
  }

  /** Whether the guard has blocked so often that the run must end. */
  protected mustStop(guard: LoopGuard): boolean {
    return guard.blockedCalls >= maxBlockedCalls;
  }

  /**
   * One inference call over a history that is kept within the model's context window; when the engine still finds it
   * too long, it is halved and asked once more.
   */
  protected async generateFitting(
    run: AgentRun,
    history: MessageHistory,
    extra: Partial<InferenceOptions> = {},
  ): Promise<InferenceResult> {
    if (history.tokens >= smallHistory) {
      const budget = await this.#promptBudget(run, extra);
      if (budget !== undefined) history.fit(budget);
    }
    try {
      return await this.generate(run, history.messages, extra);
    } catch (error) {
      if (!isJarvisError(error, "OJ_ENGINE_CONTEXT_LENGTH") || !history.fit(history.tokens / 2)) throw error;
      this.warn(run, "The conversation was too long for the model; old tool results were shortened.");
      return this.generate(run, history.messages, extra);
    }
  }

  /** Tokens the messages may take; the engine is asked until it has answered once in the life of the agent. */
  async #promptBudget(run: AgentRun, extra: Partial<InferenceOptions>): Promise<number | undefined> {
    this.#contextLength ??= this.engine.capabilities(this.model, { signal: run.signal }).then(
      (capabilities) => capabilities.contextLength,
      (error: unknown) => {
        this.#contextLength = undefined;
        this.warn(run, `The context length of ${this.model} is not known: ${errorText(error)}`);
        return undefined;
      },
    );
    const contextLength = await this.#contextLength;
    if (contextLength === undefined) return undefined;
    const answerTokens = extra.maxTokens ?? this.maxTokens;
    return Math.max(contextLength - answerTokens - tokensOfTools(extra.tools), Math.floor(contextLength / 4));
  }

  /**
   * Ends a run that may not call tools any more: one call without tools asks for the best answer there is. Its failure
   * is a warning, since what the run has gathered would be lost with an error.
   */
  protected async wrapUp(
    run: AgentRun,
    history: MessageHistory,
    stopReason: "max_turns" | "loop_guard",
    options: WrapUpOptions = {},
  ): Promise<AgentResult> {
    const { read = ({ content }) => content } = options;
    const prompt: Message = { role: "user", content: wrapUpPrompt };
    history.add(prompt);
    let facts: object = {};
    const before = run.lastContent;
    try {
      const answer = await this.generateFitting(run, history);
      const said = read(answer);
      run.lastContent = said.trim() === "" ? before : said;
      if (answer.finishReason === "length") facts = { truncated: true };
    } catch (error) {
      if (isJarvisError(error, "OJ_ABORTED") || run.signal?.aborted === true) throw error;
      this.warn(run, `The closing answer failed: ${errorText(error)}`);
    }
    // A closing answer that says something is the last content; one that fails or is blank leaves what was said before.
    if (stopReason === "max_turns") return this.maxTurnsResult(run, run.lastContent, facts);
    return this.result(run, run.lastContent === "" ? loopGuardText : run.lastContent, stopReason, facts);
  }
}

const toolTokens = new WeakMap<object, number>();

/** Estimated tokens of the tools of a run; measured once, since the same list is sent with every turn. */
function tokensOfTools(tools: InferenceOptions["tools"]): number {
  if (tools === undefined) return 0;
  const known = toolTokens.get(tools);
  if (known !== undefined) return known;
  const measured = Math.ceil(JSON.stringify(tools).length / 4);
  toolTokens.set(tools, measured);
  return measured;
}

function warningNote(reason: string): string {
  return `[Loop guard: ${reason}. Do something else; the next repetition is blocked.]`;
}

function refusalOf({ action, reason }: LoopVerdict): ToolCallRequest["refusal"] {
  if (action !== "block") return undefined;
  return { message: `Loop guard: ${reason}. The call was not run.`, code: "OJ_LOOP_GUARD" };
}
