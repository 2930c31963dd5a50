import { splitReasoning } from "@openjarvis/model-output";
import { AgentRun } from "./agent-run.js";
import type {
  AgentContext,
  AgentDefaults,
  AgentOptions,
  AgentResult,
  RunOptions,
  StopReason,
} from "./agent-types.js";
import type { InferenceEngine } from "./engine.js";
import { errorText, isJarvisError, throwIfAborted } from "./errors.js";
import type { EventBus } from "./event-bus.js";
import type { EventMap } from "./events.js";
import type { InferenceOptions, InferenceResult } from "./inference.js";
import { type Message, textOf } from "./message.js";
import { checkInteger, checkNumber, checkOptionKeys } from "./options.js";
import { addUsage } from "./usage.js";

const commonKeys = [
  "engine",
  "model",
  "bus",
  "temperature",
  "maxTokens",
  "maxTurns",
  "systemPrompt",
  "configured",
  "tools",
  "confirm",
  "policy",
  "loopGuard",
  "toolTimeoutSeconds",
  "maxResultChars",
  "concurrency",
  "sandbox",
];

const fallbackDefaults = { temperature: 0.7, maxTokens: 1024, maxTurns: 10 };

/** What the constructor of an agent class looks like to the registry. */
export interface AgentClass {
  new (options: never): BaseAgent;
  readonly acceptsTools: boolean;
}

/**
 * Base class of all agents. An agent implements `respond`; `run` keeps the promises around it:
 *
 * - AGENT_TURN_START and AGENT_TURN_END are published once each for every run, on every path.
 * - A cancelled run resolves with what there is and `stopReason: "aborted"`; any other failure rejects.
 * - Nothing of a run is kept on the agent; one agent may run many inputs at once.
 */
export abstract class BaseAgent {
  /** Whether agents of this class can be given tools. */
  static readonly acceptsTools: boolean = false;

  /** Defaults this class documents; config and explicit options go before them. */
  static readonly defaults: AgentDefaults = {};

  /** Options of this class beyond {@link AgentOptions}; any other key is an error. */
  static readonly optionKeys: readonly string[] = [];

  abstract readonly agentId: string;

  readonly engine: InferenceEngine;
  readonly model: string;
  readonly temperature: number;
  readonly maxTokens: number;
  readonly maxTurns: number;
  protected readonly bus: EventBus | undefined;
  protected readonly systemPrompt: string | undefined;

  constructor(options: AgentOptions) {
    const { name, defaults, optionKeys } = new.target;
    checkOptionKeys(name, options, [...commonKeys, ...optionKeys]);
    const pick = (key: keyof AgentDefaults): number =>
      options[key] ?? options.configured?.[key] ?? defaults[key] ?? fallbackDefaults[key];
    this.engine = options.engine;
    this.model = options.model;
    this.bus = options.bus;
    this.systemPrompt = options.systemPrompt;
    this.temperature = pick("temperature");
    this.maxTokens = pick("maxTokens");
    this.maxTurns = pick("maxTurns");
    checkNumber("temperature", this.temperature, 0, 2);
    checkInteger("maxTokens", this.maxTokens, 1);
    checkInteger("maxTurns", this.maxTurns, 1);
  }

  /** Answers the input of a run. */
  protected abstract respond(run: AgentRun): Promise<AgentResult>;

  /** Executes the agent on an input. */
  async run(input: string, context: AgentContext = {}, options: RunOptions = {}): Promise<AgentResult> {
    const run = new AgentRun(input, context, options, this.model);
    this.emitTurnStart(run);
    let result: AgentResult;
    let facts: Partial<EventMap["AGENT_TURN_END"]>;
    try {
      throwIfAborted(run.signal);
      result = await this.respond(run);
      facts = endFacts(result);
    } catch (error) {
      // What a wait throws when its signal fires differs from one library to the next.
      if (!isJarvisError(error, "OJ_ABORTED") && run.signal?.aborted !== true) {
        this.emitTurnEnd(run, { error: errorText(error) });
        throw error;
      }
      result = this.result(run, run.lastContent, "aborted");
      facts = endFacts(result);
    }
    this.emitTurnEnd(run, facts);
    return result;
  }

  protected emitTurnStart(run: AgentRun): void {
    this.bus?.publish(
      "AGENT_TURN_START",
      { agent: this.agentId, input: run.input, model: this.model },
      run.ref,
    );
  }

  protected emitTurnEnd(run: AgentRun, facts: Partial<EventMap["AGENT_TURN_END"]>): void {
    const data = { agent: this.agentId, turns: run.turns, contentLength: 0, ...facts };
    this.bus?.publish("AGENT_TURN_END", data, run.ref);
  }

  /**
   * The messages of a run: one leading system message (the prompt and every system text of the context, since model
   * templates refuse more), then the conversation, then the input.
   */
  protected buildMessages(run: AgentRun, systemPrompt: string | undefined = this.systemPrompt): Message[] {
    const system = systemPrompt === undefined || systemPrompt === "" ? [] : [systemPrompt];
    const rest: Message[] = [];
    for (const message of run.conversation) {
      if (message.role !== "system") rest.push(message);
      else if (textOf(message) !== "") system.push(textOf(message));
    }
    const leading: Message[] = system.length > 0 ? [{ role: "system", content: system.join("\n\n") }] : [];
    const input: Message = { role: "user", content: run.input };
    const { images = [] } = run.context;
    if (images.length > 0) input.images = [...images];
    return [...leading, ...rest, input];
  }

  /** One inference call of a run, with the agent's settings; `extra` wins over them. */
  protected async generate(
    run: AgentRun,
    messages: readonly Message[],
    extra: Partial<InferenceOptions> = {},
  ): Promise<InferenceResult> {
    throwIfAborted(run.signal);
    run.inferenceCalls += 1;
    const options: InferenceOptions = {
      model: this.model,
      temperature: this.temperature,
      maxTokens: this.maxTokens,
      run: run.ref,
      ...extra,
    };
    if (run.signal !== undefined) options.signal = run.signal;
    const result = await this.engine.generate(messages, options);
    addUsage(run.usage, result.usage);
    run.model = result.model;
    run.warnings.push(...result.warnings);
    if (result.content.trim() !== "") run.lastContent = result.content;
    return result;
  }

  /** The result of a run, with the facts every agent reports. */
  protected result(run: AgentRun, content: string, stopReason: StopReason, facts: object = {}): AgentResult {
    return {
      content,
      toolResults: run.toolResults,
      turns: run.turns,
      metadata: {
        usage: run.usage,
        stopReason,
        model: run.model,
        engine: this.engine.engineId,
        inferenceCalls: run.inferenceCalls,
        runId: run.ref.runId,
        ...(run.warnings.length > 0 ? { warnings: [...new Set(run.warnings)] } : {}),
        ...facts,
      },
    };
  }

  /** The result of a run whose turns are used up: what there is, or a sentence that says so. */
  protected maxTurnsResult(
    run: AgentRun,
    content: string = run.lastContent,
    facts: object = {},
  ): AgentResult {
    const text = content === "" ? "Maximum turns reached without a final answer." : content;
    return this.result(run, text, "max_turns", { ...facts, maxTurnsExceeded: true });
  }

  /** A text without reasoning between tags. Engines' answers come without it already. */
  protected static stripThinkTags(text: string): string {
    return splitReasoning(text).text;
  }

  /** Tells the run's observers and its result something a person should know. */
  protected warn(run: AgentRun, message: string): void {
    run.warnings.push(message);
    this.bus?.publish("WARNING", { message, source: this.agentId }, run.ref);
  }
}

function endFacts({ content, metadata }: AgentResult): Partial<EventMap["AGENT_TURN_END"]> {
  const { stopReason, maxTurnsExceeded } = metadata;
  return {
    contentLength: content.length,
    stopReason,
    ...(maxTurnsExceeded === true ? { maxTurnsExceeded } : {}),
  };
}
