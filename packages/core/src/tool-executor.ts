import type { ErrorCode } from "./error-codes.js";
import { JarvisError } from "./errors.js";
import type { EventBus } from "./event-bus.js";
import type { RunRef } from "./events.js";
import { createId } from "./ids.js";
import type { Message } from "./message.js";
import { didYouMean } from "./names.js";
import { checkInteger, checkNumber, checkOptionKeys } from "./options.js";
import { accept, type Draft, type Prepared, refuse } from "./prepared-call.js";
import { cancelledText, maxTimerSeconds, runTool } from "./run-tool.js";
import { truncateEnd, truncateMiddle } from "./text.js";
import type { BaseTool, OpenAIFunction } from "./tool.js";
import { parseArguments } from "./tool-arguments.js";
import { failureOf } from "./tool-outcome.js";
import { askPermission, type ConfirmCallback, type ToolPolicy } from "./tool-permission.js";
import type { ToolResult, ToolSpec } from "./tool-types.js";
import type { Validation } from "./validate.js";

/** Options of a {@link ToolExecutor}. */
export interface ToolExecutorOptions {
  tools: readonly BaseTool[];
  bus?: EventBus | undefined;
  /** Asks a person about calls that need it. Without it such calls are refused. */
  confirm?: ConfirmCallback | undefined;
  policy?: ToolPolicy | undefined;
  /** Who calls, as events name it. @default "" */
  agentId?: string | undefined;
  /** Deadline in seconds for tools that state none. @default 30 */
  timeoutSeconds?: number | undefined;
  /** Most characters of a result that go back to the model; head and tail are kept. @default 16000 */
  maxResultChars?: number | undefined;
  /** Most calls of one turn that run at once. @default 8 */
  concurrency?: number | undefined;
}

/** A call as the executor takes it; arguments may be JSON text or already an object. */
export interface ToolCallRequest {
  id?: string | undefined;
  name: string;
  arguments: string | Readonly<Record<string, unknown>> | null | undefined;
  /** Why the call must not run, when the caller knows already; it is answered and observed like any other. */
  refusal?: { message: string; code: ErrorCode } | undefined;
}

/** Options of one execution. */
export interface ExecuteOptions {
  signal?: AbortSignal | undefined;
  run?: RunRef | undefined;
  /** Who calls, in place of the executor's own `agentId`. */
  agentId?: string | undefined;
  /** Names of the tools that may be called; others are unknown. @default all */
  only?: readonly string[] | undefined;
}

const optionKeys = [
  "tools",
  "bus",
  "confirm",
  "policy",
  "agentId",
  "timeoutSeconds",
  "maxResultChars",
  "concurrency",
];
const noRun: RunRef = { runId: "", parentId: "" };
const maxEventResultChars = 10_240;

/**
 * Dispatches tool calls: parses and checks arguments, asks for permission, runs with a deadline, measures, and
 * publishes one start and one end event for every call, whatever happens. Never throws for what a call does.
 *
 * A tool that blocks the thread (a busy loop) cannot be interrupted; work of that kind belongs in a worker or child.
 */
export class ToolExecutor {
  readonly #tools = new Map<string, BaseTool>();
  readonly #options: ToolExecutorOptions;
  readonly #agentId: string;
  readonly #maxResultChars: number;
  readonly #concurrency: number;

  constructor(options: ToolExecutorOptions) {
    checkOptionKeys("ToolExecutor", options, optionKeys);
    this.#options = options;
    this.#agentId = options.agentId ?? "";
    this.#maxResultChars = options.maxResultChars ?? 16_000;
    this.#concurrency = options.concurrency ?? 8;
    checkInteger("maxResultChars", this.#maxResultChars, 100);
    checkInteger("concurrency", this.#concurrency, 1);
    if (options.timeoutSeconds !== undefined)
      checkNumber("timeoutSeconds", options.timeoutSeconds, 0.001, maxTimerSeconds);
    for (const tool of options.tools) this.#add(tool);
  }

  #add(tool: BaseTool): void {
    const { name, timeoutSeconds } = tool.spec;
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      throw new JarvisError("OJ_TOOL_SPEC", `"${name}" cannot be the name of a tool.`);
    }
    if (timeoutSeconds !== undefined && !(timeoutSeconds > 0)) {
      throw new JarvisError("OJ_TOOL_SPEC", `Tool "${name}": timeoutSeconds must be more than 0.`, {
        hint: "Leave it out for the default, or give Infinity for a tool without a deadline.",
      });
    }
    if (this.#tools.has(name)) throw new JarvisError("OJ_TOOL_SPEC", `Two of the tools are named "${name}".`);
    this.#tools.set(name, tool);
  }

  /** The specs of all tools, in the order they were given. */
  availableTools(): ToolSpec[] {
    return [...this.#tools.values()].map((tool) => tool.spec);
  }

  /** The tools in OpenAI function format. */
  getOpenAITools(): OpenAIFunction[] {
    return [...this.#tools.values()].map((tool) => tool.toOpenAIFunction());
  }

  /** The tool a model means by a name: exact, or the only one that differs by case, spaces or a `functions.` prefix. */
  findTool(name: string): BaseTool | undefined {
    const exact = this.#tools.get(name);
    if (exact !== undefined) return exact;
    const wanted = plainName(name);
    const matches = [...this.#tools.values()].filter((tool) => plainName(tool.spec.name) === wanted);
    return matches.length === 1 ? matches[0] : undefined;
  }

  /** Runs one call. Always resolves; a failure is a result with `success: false` and a code in its metadata. */
  execute(call: ToolCallRequest, options: ExecuteOptions = {}): Promise<ToolResult> {
    const prepared = this.#prepare(call, options);
    if (!(prepared instanceof Promise)) return this.#perform(prepared, options);
    return prepared.then((ready) => this.#perform(ready, options));
  }

  /**
   * Runs the calls of one turn. Permission is asked for one call after the other, then the calls run side by side;
   * results come in the order of the calls.
   */
  async executeAll(calls: readonly ToolCallRequest[], options: ExecuteOptions = {}): Promise<ToolResult[]> {
    const [first] = calls;
    if (first !== undefined && calls.length === 1) return [await this.execute(first, options)];
    const prepared: Prepared[] = [];
    for (const call of calls) prepared.push(await this.#prepare(call, options));
    const results: ToolResult[] = new Array(prepared.length);
    const queue = prepared.entries();
    const workers = Array.from({ length: Math.min(this.#concurrency, prepared.length) }, async () => {
      for (const [index, item] of queue) results[index] = await this.#perform(item, options);
    });
    await Promise.all(workers);
    return results;
  }

  /** The message that answers a call, its text bounded and marked when the call failed. */
  toMessage(call: { id: string; name: string }, result: ToolResult, note = ""): Message {
    const text =
      result.success || result.content.startsWith("Error") ? result.content : `Error: ${result.content}`;
    const content = truncateMiddle(text, this.#maxResultChars);
    return {
      role: "tool",
      content: note === "" ? content : `${content}\n${note}`,
      toolCallId: call.id,
      name: call.name,
    };
  }

  /** What a call needs before it may start; at once, unless its schema waits or somebody has to be asked. */
  #prepare(call: ToolCallRequest, options: ExecuteOptions): Prepared | Promise<Prepared> {
    const callId = call.id ?? createId("call");
    const found = this.findTool(call.name);
    const tool = found !== undefined && this.#mayCall(found, options) ? found : undefined;
    const name = tool?.spec.name ?? call.name;
    const draft = { callId, name, arguments: call.arguments };
    if (call.refusal !== undefined) return refuse(draft, call.refusal.message, call.refusal.code);
    if (tool === undefined) return refuse(draft, this.#unknownTool(call.name, options), "OJ_TOOL_NOT_FOUND");
    const parsed = parseArguments(call.arguments);
    if (!parsed.ok) return refuse(draft, parsed.message, "OJ_TOOL_ARGUMENTS");
    const given = { callId, name, arguments: parsed.value };
    const failed = (error: unknown): Prepared => ({ ...given, work: failureOf(name, error) });
    try {
      const checked = tool.checkParameters(parsed.value);
      if (!(checked instanceof Promise) && !this.#mustAsk(tool)) return accept(given, tool, checked);
      return this.#askFirst(given, tool, checked, options).catch(failed);
    } catch (error) {
      return failed(error);
    }
  }

  #mustAsk(tool: BaseTool): boolean {
    return this.#options.policy !== undefined || tool.spec.requiresConfirmation === true;
  }

  /** Waits for the check of the arguments and for those who may forbid the call. */
  async #askFirst(
    draft: Draft,
    tool: BaseTool,
    checking: Validation | Promise<Validation>,
    options: ExecuteOptions,
  ): Promise<Prepared> {
    const accepted = accept(draft, tool, await checking);
    if (!this.#mustAsk(tool) || !("tool" in accepted.work)) return accepted;
    const { policy, confirm } = this.#options;
    const request = {
      tool: accepted.name,
      description: tool.spec.description,
      arguments: accepted.work.params,
      agentId: options.agentId ?? this.#agentId,
      callId: accepted.callId,
      signal: options.signal,
    };
    const permission = await askPermission(tool, request, policy, confirm);
    if (options.signal?.aborted) return refuse(accepted, cancelledText(accepted.name), "OJ_ABORTED");
    return permission.allowed ? accepted : refuse(accepted, permission.message, "OJ_TOOL_DENIED");
  }

  async #perform(prepared: Prepared, options: ExecuteOptions): Promise<ToolResult> {
    const { callId, name, work } = prepared;
    const { bus } = this.#options;
    const run = options.run ?? noRun;
    const agent = options.agentId ?? this.#agentId;
    bus?.publish("TOOL_CALL_START", { tool: name, arguments: prepared.arguments, agent, callId }, run);
    const started = performance.now();
    const { timeoutSeconds = 30 } = this.#options;
    const result =
      "tool" in work
        ? await runTool(work.tool, work.params, {
            callId,
            agentId: agent,
            run,
            bus,
            timeoutSeconds,
            signal: options.signal,
          })
        : work;
    result.latencySeconds = (performance.now() - started) / 1000;
    result.metadata.arguments ??= prepared.arguments;
    if (bus?.hasSubscribers("TOOL_CALL_END")) {
      const { code } = result.metadata;
      bus.publish(
        "TOOL_CALL_END",
        {
          tool: name,
          agent,
          callId,
          success: result.success,
          latency: result.latencySeconds,
          result: truncateEnd(result.content, maxEventResultChars),
          ...(typeof code === "string" ? { code } : {}),
          metadata: result.metadata,
        },
        run,
      );
    }
    return result;
  }

  #mayCall(tool: BaseTool, { only }: ExecuteOptions): boolean {
    return only === undefined || only.includes(tool.spec.name);
  }

  #unknownTool(name: string, options: ExecuteOptions): string {
    const tools = [...this.#tools.values()].filter((tool) => this.#mayCall(tool, options));
    const names = tools.map((tool) => tool.spec.name);
    const available = names.length === 0 ? "There are no tools." : `Available tools: ${names.join(", ")}.`;
    return `Unknown tool: ${name === "" ? "(no name)" : truncateEnd(name, 100)}.${didYouMean(name, names)} ${available}`;
  }
}

function plainName(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^functions[.:]/, "");
}
