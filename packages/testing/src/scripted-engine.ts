import {
  type CallOptions,
  type EngineHealth,
  type InferenceDelta,
  InferenceEngine,
  type InferenceOptions,
  JarvisError,
  type Message,
  type ModelCapabilities,
  type ModelInfo,
  throwIfAborted,
} from "@openjarvis/core";
import { deepCopy } from "./deep-copy.js";
import {
  deltasOf,
  type ScriptedAnswer,
  type ScriptedReply,
  type ScriptedResponder,
  type ScriptedStep,
} from "./scripted-step.js";
import { orAborted, waitSeconds } from "./wait.js";

/** Options of a {@link ScriptedEngine}. */
export interface ScriptedEngineOptions {
  /** @default "scripted" */
  engineId?: string;
  /** Whether the engine says that prompts leave the machine. @default false */
  hosted?: boolean;
  /** What every model can do, or what the model of a name can do. @default {} */
  capabilities?: ModelCapabilities | ((model: string) => ModelCapabilities | Promise<ModelCapabilities>);
  /** Names of the models it offers. @default ["scripted-model"] */
  models?: readonly string[];
  /** @default healthy */
  health?: EngineHealth;
}

/** A call as it came in. Both are copies: what the caller changes later does not show here. */
export interface RecordedCall {
  messages: Message[];
  /** `signal` is the one that was given. */
  options: InferenceOptions;
}

const maxRecordedCalls = 10_000;

/**
 * An engine that answers from a script, so that a test states exactly what the model does.
 *
 * - A list gives one step for each call. A call after the last step throws `OJ_ENGINE_BAD_REQUEST`, and
 *   {@link assertDone} (which `close` calls) reports it again in case the subject swallowed it, as it does steps that
 *   were never used: a test cannot pass because the model was asked too often or too seldom.
 * - One function answers every call, for tests where the number of calls is not the point.
 * - Every step ends early with `OJ_ABORTED` when the call's signal fires. A call that was cancelled before takes no step.
 *
 * @example
 * const engine = new ScriptedEngine([
 *   { toolCalls: [{ name: "calculator", arguments: { expression: "2+2" } }] },
 *   "The answer is 4.",
 * ]);
 */
export class ScriptedEngine extends InferenceEngine {
  readonly engineId: string;
  override readonly hosted: boolean;
  /** The first 10,000 calls, in order. */
  readonly calls: RecordedCall[] = [];
  readonly #script: readonly ScriptedStep[] | ScriptedResponder;
  readonly #options: ScriptedEngineOptions;
  #asked = 0;
  #ids = 0;
  #closed = false;

  constructor(script: readonly ScriptedStep[] | ScriptedResponder, options: ScriptedEngineOptions = {}) {
    super();
    this.#script = typeof script === "function" ? script : [...script];
    this.#options = options;
    this.engineId = options.engineId ?? "scripted";
    this.hosted = options.hosted ?? false;
  }

  /** How often the engine was asked. */
  get callCount(): number {
    return this.#asked;
  }

  /** The messages of the call at a position (negative counts from the end). Throws when there was no such call. */
  messagesOf(position: number): readonly Message[] {
    return this.#callAt(position).messages;
  }

  /** The options of the call at a position (negative counts from the end). Throws when there was no such call. */
  optionsOf(position: number): InferenceOptions {
    return this.#callAt(position).options;
  }

  async *stream(messages: readonly Message[], options: InferenceOptions): AsyncGenerator<InferenceDelta> {
    const { signal } = options;
    throwIfAborted(signal);
    const step = this.#take(messages, options);
    const answer = typeof step === "function" ? await orAborted(call(step, messages, options), signal) : step;
    if (answer instanceof Error) throw answer;
    if (isStream(answer)) {
      yield* guarded(answer, signal);
      return;
    }
    const reply = toReply(answer);
    if (reply.delaySeconds !== undefined) await waitSeconds(reply.delaySeconds, signal);
    for (const delta of deltasOf(reply, () => this.#nextId())) {
      throwIfAborted(signal);
      yield delta;
    }
    if (reply.hang === true) await untilAborted(signal);
    if (reply.error !== undefined) throw reply.error;
    throwIfAborted(signal);
  }

  override async listModels(options: CallOptions = {}): Promise<ModelInfo[]> {
    throwIfAborted(options.signal);
    return (this.#options.models ?? ["scripted-model"]).map((id) => ({ id }));
  }

  override async health(): Promise<EngineHealth> {
    return this.#options.health ?? { ok: true, detail: "a script answers" };
  }

  override async capabilities(model: string): Promise<ModelCapabilities> {
    const { capabilities = {} } = this.#options;
    return typeof capabilities === "function" ? capabilities(model) : capabilities;
  }

  /** Throws when steps were left over or the engine was asked more often than the script allows. */
  assertDone(): void {
    if (typeof this.#script === "function") return;
    const steps = this.#script.length;
    if (this.#asked === steps) return;
    const what =
      this.#asked < steps ? `${steps - this.#asked} of them never used` : `${this.#asked - steps} too many`;
    throw new JarvisError(
      "OJ_ENGINE_BAD_REQUEST",
      `The script has ${count(steps, "step")}, and the engine was asked ${count(this.#asked, "time")}: ${what}.`,
      { hint: "Make the script as long as the run the test means." },
    );
  }

  /** Checks the script like {@link assertDone}, the first time. */
  override async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.assertDone();
  }

  #take(messages: readonly Message[], options: InferenceOptions): ScriptedStep {
    const position = this.#asked;
    this.#asked += 1;
    if (position < maxRecordedCalls) {
      this.calls.push({ messages: deepCopy([...messages]), options: deepCopy(options) });
    }
    if (typeof this.#script === "function") return this.#script;
    const step = this.#script[position];
    if (step !== undefined) return step;
    throw new JarvisError(
      "OJ_ENGINE_BAD_REQUEST",
      `Unexpected call ${position + 1}: the script has ${count(this.#script.length, "step")}. The last message is ${describeLast(messages)}.`,
      { hint: "Add a step to the script, or find out why the subject asks again." },
    );
  }

  #callAt(position: number): RecordedCall {
    const recorded = this.calls.at(position);
    if (recorded !== undefined) return recorded;
    throw new JarvisError(
      "OJ_OPTION",
      `There is no call at position ${position}; the engine was asked ${count(this.#asked, "time")}.`,
    );
  }

  #nextId(): string {
    this.#ids += 1;
    return `call_${this.#ids}`;
  }
}

/** Asynchronous even when the responder throws at once. */
async function call(
  responder: ScriptedResponder,
  messages: readonly Message[],
  options: InferenceOptions,
): Promise<ScriptedAnswer> {
  return responder(deepCopy([...messages]), deepCopy(options));
}

function toReply(answer: Exclude<ScriptedAnswer, Error | AsyncIterable<InferenceDelta>>): ScriptedReply {
  if (typeof answer === "string") return { text: answer };
  return isDeltas(answer) ? { deltas: answer } : answer;
}

function isDeltas(answer: ScriptedReply | readonly InferenceDelta[]): answer is readonly InferenceDelta[] {
  return Array.isArray(answer);
}

function isStream(answer: ScriptedAnswer): answer is AsyncIterable<InferenceDelta> {
  return typeof answer === "object" && Symbol.asyncIterator in answer;
}

async function* guarded(
  deltas: AsyncIterable<InferenceDelta>,
  signal: AbortSignal | undefined,
): AsyncGenerator<InferenceDelta> {
  for await (const delta of deltas) {
    throwIfAborted(signal);
    yield delta;
  }
}

async function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) {
    throw new JarvisError(
      "OJ_OPTION",
      "A step that hangs needs a call with a signal, or it would never end.",
    );
  }
  await orAborted(new Promise<never>(() => {}), signal);
}

function describeLast(messages: readonly Message[]): string {
  const last = messages.at(-1);
  if (last === undefined) return "missing";
  return `of role ${last.role}: ${JSON.stringify((last.content ?? "").slice(0, 200))}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
