import type {
  CodeReply,
  MalformedReply,
  Reply,
  ReplyCall,
  ReplyTool,
} from "@openjarvis/model-output/replies";
import type { AgentRun } from "./agent-run.js";
import type { AgentResult } from "./agent-types.js";
import { continueAnswer } from "./continuation.js";
import { errorText, isJarvisError, throwIfAborted } from "./errors.js";
import { HistoryCalls } from "./history-calls.js";
import { createId } from "./ids.js";
import type { InferenceResult } from "./inference.js";
import type { LoopGuard } from "./loop-guard.js";
import type { Message, ToolCall } from "./message.js";
import { MessageHistory } from "./message-history.js";
import { jsonSchemaOf } from "./parameters.js";
import type { TextProtocol } from "./text-protocol.js";
import type { BaseTool } from "./tool.js";
import { ToolUsingAgent } from "./tool-using-agent.js";

/** Corrective turns a run spends on replies that cannot be read, before it ends with `parse_error`. */
const maxCorrections = 2;

/** The state of a run that calls tools. */
export interface CallingRun {
  readonly run: AgentRun;
  readonly history: MessageHistory;
  readonly guard: LoopGuard;
  readonly calls: HistoryCalls;
}

/** The state of a run that speaks in text. */
export interface TextRun extends CallingRun {
  readonly protocol: TextProtocol;
  /** What an answer of the engine says. */
  read(answer: InferenceResult): Reply;
}

/**
 * Base class of agents that read what models write: every dialect of tool calls, native ones too.
 *
 * - A reply that cannot be read is answered with what is wrong and the form that is wanted, at most twice in a row;
 *   then the run ends with `stopReason: "parse_error"`. It is never taken for an answer.
 * - Text from an invented observation on is dropped, from the history too.
 */
export abstract class TextAgent extends ToolUsingAgent {
  /** Runs the code blocks of a reply and says what the model is told of it. Agents that run no code leave it out. */
  protected runCode?(text: TextRun, reply: CodeReply): Promise<string>;

  /** Answers the input of a run by a protocol of text. */
  protected async answerByText(run: AgentRun, protocol: TextProtocol): Promise<AgentResult> {
    const { parseReply } = await import("@openjarvis/model-output/replies");
    const tools = this.toolsOf(run);
    const prompts = [protocol.systemPrompt(tools), this.systemPrompt ?? ""].filter((prompt) => prompt !== "");
    const history = new MessageHistory(this.buildMessages(run, prompts.join("\n\n")));
    const calls = new HistoryCalls(this.executor);
    const { dialects, codeLanguages = [], stop } = protocol;
    const replyTools = tools.map(describeForReplies);
    const read = (answer: InferenceResult): Reply => {
      const { finishReason } = answer;
      return parseReply(textOfAnswer(answer), { tools: replyTools, dialects, codeLanguages, finishReason });
    };
    const text: TextRun = { run, protocol, history, guard: this.createLoopGuard(), calls, read };
    const closing = { read: (answer: InferenceResult) => textForPerson(read(answer)) };
    let corrections = 0;
    let maxTokens = this.maxTokens;

    while (run.turns < this.maxTurns) {
      throwIfAborted(run.signal);
      run.turns += 1;
      const before = run.lastContent;
      const answer = await this.generateFitting(run, history, {
        maxTokens,
        ...(stop === undefined ? {} : { stop }),
      });
      const reply = readReply(text, answer);
      run.lastContent = textForPerson(reply) || before;
      if (reply.kind === "malformed") {
        if (corrections === maxCorrections) return this.#parseError(run, reply);
        corrections += 1;
        if (reply.problem === "cut") maxTokens = Math.min(maxTokens * 2, this.maxTokens * 8);
        correct(text, answer.content, reply);
        continue;
      }
      corrections = 0;
      if (reply.kind === "native") await this.callNatively(text, answer);
      else if (reply.kind === "final") return this.#final(text, reply.text, answer);
      else await this.#act(text, reply);
      if (this.mustStop(text.guard)) return this.wrapUp(run, history, "loop_guard", closing);
    }
    return this.wrapUp(run, history, "max_turns", closing);
  }

  /** Runs the calls of a reply that come as tool calls, and adds both sides to the history. */
  protected async callNatively(
    { run, history, guard, calls }: CallingRun,
    answer: InferenceResult,
  ): Promise<void> {
    const asked = calls.withUniqueIds(answer.toolCalls);
    const toolCalls = asked.map((call) => calls.withWireName(call));
    history.add({ role: "assistant", content: answer.content, toolCalls });
    for (const { call, result, note } of await this.callTools(run, asked, guard)) {
      history.add(this.executor.toMessage(calls.withWireName(call), result, note));
    }
  }

  async #act(text: TextRun, reply: Extract<Reply, { kind: "calls" | "code" }>): Promise<void> {
    const { run, protocol, history, guard } = text;
    history.add({ role: "assistant", content: reply.kept });
    if (reply.kind === "code") {
      const told = (await this.runCode?.(text, reply)) ?? "Nothing here runs code. Answer without it.";
      history.addObservation({ role: "user", content: told });
      return;
    }
    const answered = await this.callTools(run, reply.calls.map(toToolCall), guard);
    const results = answered.map(({ call, result, note }) => ({
      tool: result.toolName,
      text: this.executor.toMessage(call, result, note).content ?? "",
      success: result.success,
    }));
    history.addObservation({ role: "user", content: protocol.observation(results) });
  }

  async #final({ run, history }: TextRun, content: string, answer: InferenceResult): Promise<AgentResult> {
    const first = { ...answer, content: withCutSpace(content, answer) };
    run.lastContent = first.content;
    const ask = async (more: readonly Message[]): Promise<InferenceResult | undefined> => {
      try {
        return await this.generate(run, [...history.messages, ...more]);
      } catch (error) {
        if (isJarvisError(error, "OJ_ABORTED") || run.signal?.aborted === true) throw error;
        this.warn(run, `The answer was cut, and its continuation failed: ${errorText(error)}`);
        return undefined;
      }
    };
    const complete = await continueAnswer(first, ask, (soFar) => {
      run.lastContent = soFar;
    });
    return this.result(run, complete.text.trimEnd(), "final", complete.truncated ? { truncated: true } : {});
  }

  #parseError(run: AgentRun, { problem, reason, remainder }: MalformedReply): AgentResult {
    if (problem === "empty") return this.result(run, "", "empty");
    this.warn(run, `The model's replies could not be read: ${reason}`);
    const facts = problem === "cut" ? { truncated: true } : {};
    return this.result(run, remainder, "parse_error", { parseError: reason, ...facts });
  }
}

function describeForReplies(tool: BaseTool): ReplyTool {
  const { name, parameters, metadata } = tool.spec;
  return {
    name,
    parameters: jsonSchemaOf(parameters) as NonNullable<ReplyTool["parameters"]>,
    allowObjectText: metadata?.structured_allow_object_text === true,
  };
}

/** The text of an answer; reasoning that came alone stands for itself, so that it is told apart from nothing. */
function textOfAnswer({ content, reasoning }: InferenceResult): string {
  return content.trim() === "" && reasoning.trim() !== "" ? "<think>…</think>" : content;
}

/** An answer with the white space at which it was cut, since the rest of it is joined to it there. */
function withCutSpace(text: string, { content, finishReason }: InferenceResult): string {
  const end = content.trimEnd();
  return finishReason === "length" && end.endsWith(text) ? text + content.slice(end.length) : text;
}

interface NativeReply {
  kind: "native";
  thought: string;
}

/** What an answer says, native calls included. Calls that the token limit cut off are malformed: none is run. */
function readReply(text: TextRun, answer: InferenceResult): Reply | NativeReply {
  const reply = text.read(answer);
  if (answer.toolCalls.length === 0) return reply;
  const said = textForPerson(reply);
  if (answer.finishReason !== "length") return { kind: "native", thought: said };
  return {
    kind: "malformed",
    problem: "cut",
    reason: "The tool call was cut off before it was complete; nothing was run.",
    hint: "Write less at a time.",
    remainder: said,
    thought: said,
    reasoning: "",
  };
}

/** What a reply says without labels, for the person when the run ends without an answer. */
function textForPerson(reply: Reply | NativeReply): string {
  if (reply.kind === "final") return reply.text;
  if (reply.kind === "malformed") return reply.remainder || reply.thought;
  return reply.thought;
}

function toToolCall(
  call: ReplyCall,
): ToolCall & { refusal?: { message: string; code: "OJ_TOOL_ARGUMENTS" } } {
  const args = typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
  const toolCall = { id: createId("call"), name: call.name, arguments: args };
  // An unknown tool is answered with the names there are, whatever its arguments look like.
  if (call.problem === undefined || !call.known) return toolCall;
  return { ...toolCall, refusal: { message: call.problem, code: "OJ_TOOL_ARGUMENTS" } };
}

function correct({ history, protocol }: TextRun, content: string, { reason, hint }: MalformedReply): void {
  const kept = beforeStop(content, protocol.stop ?? []);
  if (kept.trim() !== "") history.add({ role: "assistant", content: kept });
  history.add({ role: "user", content: `${reason} ${hint}`.trim() });
}

/** A text up to where the model was told to stop; not every engine stops there. */
function beforeStop(text: string, stop: readonly string[]): string {
  const ends = stop.map((mark) => text.indexOf(mark)).filter((end) => end >= 0);
  return text.slice(0, Math.min(text.length, ...ends)).trimEnd();
}
