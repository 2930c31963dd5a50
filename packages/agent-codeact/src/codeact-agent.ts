import {
  type AgentDefaults,
  type AgentOptions,
  type AgentResult,
  AgentRun,
  type AnsweredCall,
  type BaseTool,
  type CodeSessionSource,
  checkInteger,
  createId,
  findCodeSessionSource,
  type HostCall,
  JarvisError,
  type LoopGuard,
  TextAgent,
  type TextRun,
  type ToolCall,
  type ToolCallRequest,
  type ToolResult,
  truncateMiddle,
} from "@openjarvis/core";
import { callArguments } from "./call-arguments.js";
import { codeName } from "./code-name.js";
import { type CodeActInterpreter, codeact, languageOfBlock } from "./codeact-protocol.js";
import { FinalAnswer } from "./final-answer.js";
import { oneAtATime } from "./one-at-a-time.js";
import { answerText, type CallTool, RunSessions } from "./run-sessions.js";
import { SessionInterpreter } from "./session-interpreter.js";

/** Options of a {@link NativeOpenHandsAgent}. */
export interface CodeActOptions extends AgentOptions {
  /** Most characters of a program's output that the model sees; head and tail are kept. @default 4000 */
  maxOutputChars?: number | undefined;
}

/** A reply with code to run, as `runCode` gets it. */
type CodeReply = Parameters<NonNullable<TextAgent["runCode"]>>[1];

interface RunState {
  sessions: RunSessions | undefined;
  interpreter: CodeActInterpreter | undefined;
  /** The loop guard of the run; known from its first call on. */
  guard: LoopGuard | undefined;
}

/**
 * Answers by programs: the model writes code, it runs in a sandbox in which the tools are functions, and its output goes
 * back, until the model answers without code or a program calls `final_answer`.
 *
 * - The programs of a run share one session: variables are kept from one to the next, and gone with the run.
 * - Tools are called by code, by `Action:` lines and natively; policy, confirmation, events and the loop guard are the
 *   same for all three.
 * - Without a code interpreter among the tools no code is run, and a program is an answer.
 *
 * Source of the pattern: Wang et al., "Executable Code Actions Elicit Better LLM Agents", arXiv:2402.01030.
 */
export class NativeOpenHandsAgent extends TextAgent {
  static override readonly defaults: AgentDefaults = { temperature: 0.7, maxTokens: 2048, maxTurns: 3 };
  static override readonly optionKeys: readonly string[] = ["maxOutputChars"];

  readonly agentId = "native_openhands";
  readonly #maxOutputChars: number;
  readonly #concurrency: number;
  /** Runs under way, by their id. */
  readonly #runs: Map<string, RunState>;

  constructor(options: CodeActOptions) {
    const runs = new Map<string, RunState>();
    super({
      ...options,
      tools: withSessions(options.tools ?? [], (runId) => runs.get(runId)?.sessions),
      ...(options.confirm === undefined ? {} : { confirm: oneAtATime(options.confirm) }),
    });
    this.#runs = runs;
    this.#maxOutputChars = options.maxOutputChars ?? 4_000;
    this.#concurrency = options.concurrency ?? 8;
    checkInteger("maxOutputChars", this.#maxOutputChars, 100);
  }

  protected override async respond(run: AgentRun): Promise<AgentResult> {
    const { runId } = run.ref;
    if (this.#runs.has(runId)) {
      throw new JarvisError("OJ_OPTION", `A run with the id "${runId}" is under way in this agent.`, {
        hint: "Give every run an id of its own, or none.",
      });
    }
    const state = this.#stateOf(run);
    this.#runs.set(runId, state);
    try {
      return await this.answerByText(run, codeact(state.interpreter));
    } catch (error) {
      if (!(error instanceof FinalAnswer)) throw error;
      return this.result(run, error.text, error.text.trim() === "" ? "empty" : "final");
    } finally {
      try {
        await state.sessions?.close();
      } finally {
        this.#runs.delete(runId);
      }
    }
  }

  protected override async runCode({ run, guard }: TextRun, { blocks }: CodeReply): Promise<string> {
    const interpreter = this.#runs.get(run.ref.runId)?.interpreter;
    if (interpreter === undefined) return "Nothing here runs code. Answer without it.";
    const { name, languages } = interpreter;
    const told: string[] = [];
    for (const [index, { code, language: fence }] of blocks.entries()) {
      const language = languageOfBlock(fence, languages);
      const params = languages.length > 1 ? { code, language } : { code };
      const call = { id: createId("call"), name, arguments: JSON.stringify(params) };
      for (const { result, note } of await this.callTools(run, [call], guard)) {
        const which = blocks.length === 1 ? "" : ` of program ${index + 1} of ${blocks.length}`;
        const output = truncateMiddle(markFailure(result), this.#maxOutputChars);
        told.push(`Output${which}:\n${output}${note === "" ? "" : `\n${note}`}`);
        if (result.success) continue;
        if (index + 1 < blocks.length) told.push("It failed; the programs after it were not run.");
        return told.join("\n\n");
      }
    }
    return told.join("\n\n");
  }

  protected override async callTools(
    run: AgentRun,
    calls: readonly (ToolCall & Pick<ToolCallRequest, "refusal">)[],
    guard: LoopGuard,
  ): Promise<AnsweredCall[]> {
    const state = this.#runs.get(run.ref.runId);
    if (state !== undefined) state.guard = guard;
    const answered = await super.callTools(run, calls, guard);
    const answer = state?.sessions?.answer;
    if (answer !== undefined) throw new FinalAnswer(answerText(answer.value));
    return answered;
  }

  #stateOf(run: AgentRun): RunState {
    const tools = this.toolsOf(run);
    const wrapped = tools.find((tool) => tool instanceof SessionInterpreter);
    if (wrapped === undefined) {
      // A code interpreter of another make runs one program at a time.
      const plain = tools.find(({ spec }) => spec.name === "code_interpreter");
      const interpreter = plain && { name: plain.spec.name, languages: ["python"], hasSession: false };
      return { sessions: undefined, interpreter, guard: undefined };
    }
    const source = wrapped.inner as BaseTool & CodeSessionSource;
    const others = tools.filter((tool) => tool !== wrapped);
    const functions = others.map((tool): [string, CallTool] => [
      codeName(tool.spec.name),
      (args, call) => this.#callFromCode(run, state, tool, args, call),
    ]);
    const state: RunState = {
      interpreter: { name: wrapped.spec.name, languages: source.codeLanguages, hasSession: true },
      sessions: new RunSessions({
        source,
        tools: Object.fromEntries(functions),
        concurrency: this.#concurrency,
      }),
      guard: undefined,
    };
    return state;
  }

  /** A call that a program makes: one like any other, but it ends with its program. */
  async #callFromCode(
    run: AgentRun,
    state: RunState,
    tool: BaseTool,
    args: readonly unknown[],
    { signal }: HostCall,
  ): Promise<string> {
    const signals = run.signal === undefined ? [signal] : [run.signal, signal];
    const inner = new AgentRun(
      run.input,
      run.context,
      { ...run.ref, signal: AbortSignal.any(signals) },
      run.model,
    );
    const params = callArguments(tool, args);
    const call = { id: createId("call"), name: tool.spec.name, arguments: JSON.stringify(params) };
    state.guard ??= this.createLoopGuard();
    const [answered] = await super.callTools(inner, [call], state.guard);
    run.toolResults.push(...inner.toolResults);
    if (answered === undefined) throw new JarvisError("OJ_INTERNAL", "A tool call was not answered.");
    const { result } = answered;
    // A program takes a result whole; what it prints of it is bounded.
    if (!result.success) throw new JarvisError("OJ_TOOL_FAILED", result.content);
    return result.content;
  }
}

/** The text of a result; a program that did not run at all has no traceback that would say so. */
function markFailure({ success, content, metadata }: ToolResult): string {
  return success || "exitKind" in metadata || content.startsWith("Error") ? content : `Error: ${content}`;
}

/** The name by the action format. */
export const CodeActAgent = NativeOpenHandsAgent;

/** The tools, with the one that has sessions behind what keeps them for a run. */
function withSessions(
  tools: readonly BaseTool[],
  sessionsOf: (runId: string) => RunSessions | undefined,
): readonly BaseTool[] {
  const source = findCodeSessionSource(tools.filter((tool) => hasSessions(tool)));
  if (source === undefined) return tools;
  return tools.map((tool) => (tool === source ? new SessionInterpreter(source, sessionsOf) : tool));
}

function hasSessions(tool: BaseTool): boolean {
  return "codeLanguages" in tool && Array.isArray(tool.codeLanguages) && tool.codeLanguages.length > 0;
}
