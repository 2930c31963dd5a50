import { BaseAgent } from "./agent.js";
import type { AgentRun } from "./agent-run.js";
import type { AgentOptions, AgentResult } from "./agent-types.js";
import type { InferenceOptions, InferenceResult } from "./engine.js";
import { errorText, isJarvisError } from "./errors.js";
import { LoopGuard, type LoopGuardOptions } from "./loop-guard.js";
import type { Message, ToolCall } from "./message.js";
import type { MessageHistory } from "./message-history.js";
import type { BaseTool } from "./tool.js";
import { ToolExecutor } from "./tool-executor.js";
import { failedResult, type ToolResult } from "./tool-types.js";

/** A call with its result and what the model is told beside it. */
export interface AnsweredCall {
  call: ToolCall;
  result: ToolResult;
  /** A warning of the loop guard; empty when there is none. */
  note: string;
}

/** Blocked calls after which a run is asked for its answer instead of going on. */
const maxBlockedCalls = 2;

const wrapUpPrompt =
  "No more tool calls are possible. Give the best answer you can from what is above, and say what is missing.";

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
    calls: readonly ToolCall[],
    guard: LoopGuard,
  ): Promise<AnsweredCall[]> {
    const answered: AnsweredCall[] = [];
    const pending: AnsweredCall[] = [];
    for (const call of calls) {
      const entry = this.#judge(run, call, guard);
      answered.push(entry);
      if (entry.result.metadata.code !== "OJ_LOOP_GUARD") pending.push(entry);
    }
    const { signal, ref, context } = run;
    const options = { signal, run: ref, agentId: this.agentId, only: context.tools };
    const results = await this.executor.executeAll(
      pending.map((entry) => entry.call),
      options,
    );
    for (const [index, entry] of pending.entries()) {
      const result = results[index];
      if (result === undefined) continue;
      entry.result = result;
      guard.record(entry.call.name, entry.call.arguments, result);
    }
    for (const entry of answered) run.toolResults.push(entry.result);
    return answered;
  }

  #judge(run: AgentRun, call: ToolCall, guard: LoopGuard): AnsweredCall {
    const spec = this.executor.findTool(call.name)?.spec ?? { name: call.name };
    const verdict = guard.check(spec, call.arguments);
    const placeholder = failedResult(spec.name, "", "OJ_ABORTED");
    if (verdict.action === "allow") return { call, result: placeholder, note: "" };
    const blocked = verdict.action === "block";
    this.bus?.publish(
      "LOOP_GUARD_TRIGGERED",
      { tool: spec.name, reasonType: verdict.reasonType, blocked },
      run.ref,
    );
    if (!blocked) {
      const note = `[Loop guard: ${verdict.reason}. Do something else; the next repetition is blocked.]`;
      return { call, result: placeholder, note };
    }
    const content = `Loop guard: ${verdict.reason}. The call was not run.`;
    return { call, result: failedResult(spec.name, content, "OJ_LOOP_GUARD"), note: "" };
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
    const budget = await this.#promptBudget(run, history, extra);
    if (budget !== undefined) history.fit(budget);
    try {
      return await this.generate(run, history.messages, extra);
    } catch (error) {
      if (!isJarvisError(error, "OJ_ENGINE_CONTEXT_LENGTH") || !history.fit(history.tokens / 2)) throw error;
      this.warn(run, "The conversation was too long for the model; old tool results were shortened.");
      return this.generate(run, history.messages, extra);
    }
  }

  /** Tokens the messages may take; asked of the engine once, and only when a history is long enough to matter. */
  async #promptBudget(
    run: AgentRun,
    history: MessageHistory,
    extra: Partial<InferenceOptions>,
  ): Promise<number | undefined> {
    if (history.tokens < 1024) return undefined;
    this.#contextLength ??= this.engine.capabilities(this.model).then(
      (capabilities) => capabilities.contextLength,
      (error: unknown) => {
        this.warn(run, `The context length of ${this.model} is not known: ${errorText(error)}`);
        return undefined;
      },
    );
    const contextLength = await this.#contextLength;
    if (contextLength === undefined) return undefined;
    const toolTokens = extra.tools === undefined ? 0 : Math.ceil(JSON.stringify(extra.tools).length / 4);
    return Math.max(
      contextLength - (extra.maxTokens ?? this.maxTokens) - toolTokens,
      Math.floor(contextLength / 4),
    );
  }

  /**
   * Ends a run that may not call tools any more: one call without tools asks for the best answer there is. Its failure
   * is a warning, since what the run has gathered would be lost with an error.
   */
  protected async wrapUp(
    run: AgentRun,
    history: MessageHistory,
    stopReason: "max_turns" | "loop_guard",
  ): Promise<AgentResult> {
    const prompt: Message = { role: "user", content: wrapUpPrompt };
    history.add(prompt);
    let content = "";
    try {
      content = (await this.generateFitting(run, history)).content;
    } catch (error) {
      if (isJarvisError(error, "OJ_ABORTED")) throw error;
      this.warn(run, `The closing answer failed: ${errorText(error)}`);
    }
    if (stopReason === "max_turns")
      return this.maxTurnsResult(run, content === "" ? run.lastContent : content);
    return this.result(run, content === "" ? run.lastContent : content, stopReason);
  }
}
