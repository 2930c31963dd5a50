import { splitReasoning } from "@openjarvis/model-output";
import { createId } from "./ids.js";
import type { FinishReason, InferenceDelta, InferenceResult } from "./inference.js";
import type { ToolCall } from "./message.js";
import type { Usage } from "./usage.js";

/** Collects the deltas of an answer into one {@link InferenceResult}. */
export async function collect(
  deltas: AsyncIterable<InferenceDelta>,
  model: string,
): Promise<InferenceResult> {
  const collector = new DeltaCollector(model);
  for await (const delta of deltas) collector.add(delta);
  return collector.finish();
}

type ToolCallDelta = Extract<InferenceDelta, { type: "tool_call" }>;

interface PartialCall {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
}

/**
 * The one normaliser: whatever shape an engine yields, what comes out has text without reasoning tags, tool calls with
 * ids and JSON text as arguments, a usage without gaps, and a known finish reason.
 */
export class DeltaCollector {
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  readonly #calls: PartialCall[] = [];
  readonly #warnings: string[] = [];
  readonly #usage: Partial<Usage> = {};
  #model: string;
  #reason: string | null | undefined;

  constructor(model: string) {
    this.#model = model;
  }

  add(delta: InferenceDelta): void {
    switch (delta.type) {
      case "text":
        this.#text.push(delta.text);
        break;
      case "reasoning":
        this.#reasoning.push(delta.text);
        break;
      case "tool_call":
        this.#addCall(delta);
        break;
      case "usage":
        Object.assign(this.#usage, definedOnly(delta.usage));
        break;
      case "finish":
        this.#reason = delta.reason ?? this.#reason;
        break;
      case "model":
        this.#model = delta.model;
        break;
      case "warning":
        this.#warnings.push(delta.message);
        break;
    }
  }

  finish(): InferenceResult {
    const split = splitReasoning(this.#text.join(""));
    const toolCalls = completeCalls(this.#calls);
    const reasoning = [this.#reasoning.join(""), split.reasoning].filter((part) => part !== "").join("\n");
    return {
      content: split.text,
      reasoning,
      toolCalls,
      usage: completeUsage(this.#usage),
      finishReason: finishReasonOf(this.#reason, toolCalls.length > 0),
      model: this.#model,
      warnings: this.#warnings,
    };
  }

  #addCall(delta: ToolCallDelta): void {
    const call = this.#findCall(delta) ?? this.#openCall(delta.index);
    const { id, name, arguments: args } = delta;
    if (id && call.id === "") call.id = id;
    // Some servers repeat the whole name with each fragment of the arguments, others send it in fragments too.
    if (name && call.name !== name) call.name += name;
    if (typeof args === "string") call.arguments += args;
    else if (args !== null && args !== undefined) call.arguments = JSON.stringify(args);
  }

  /**
   * The call a fragment belongs to; none when it begins a new one. Only a fragment with a name can begin a call; any
   * other goes to the call that agrees with most of what it says. Servers give every parallel call index 0, or one id
   * to all of them, or another id to each fragment.
   */
  #findCall({ index, id, name, arguments: args }: ToolCallDelta): PartialCall | undefined {
    const sameIndex = (call: PartialCall) => index === undefined || call.index === index;
    const sameId = (call: PartialCall) => !id || call.id === id || call.id === "";
    const exact = this.#calls.findLast((call) => sameIndex(call) && sameId(call));
    if (!name) {
      return (
        exact ??
        this.#calls.findLast((call) => index !== undefined && call.index === index) ??
        this.#calls.findLast((call) => id && call.id === id) ??
        this.#calls.at(-1)
      );
    }
    if (exact === undefined || exact.name === "") return exact;
    if (!isCompleteJson(exact.arguments)) return exact;
    // A name after complete arguments begins a call, unless it only repeats what id or index already say.
    const more = typeof args === "string" ? args !== "" : args !== null && args !== undefined;
    const same = (id && exact.id === id) || (index !== undefined && exact.index === index);
    return more || !same ? undefined : exact;
  }

  #openCall(index: number | undefined): PartialCall {
    const call = { index, id: "", name: "", arguments: "" };
    this.#calls.push(call);
    return call;
  }
}

/** The calls with ids. A made-up id is kept, so that finishing twice gives the same calls. */
function completeCalls(calls: readonly PartialCall[]): ToolCall[] {
  const seen = new Set<string>();
  const complete: ToolCall[] = [];
  for (const call of calls) {
    if (call.name === "" && call.arguments.trim() === "") continue;
    // A missing or repeated id would make two tool messages answer the same call.
    if (call.id === "" || seen.has(call.id)) call.id = createId("call");
    seen.add(call.id);
    complete.push({ id: call.id, name: call.name, arguments: call.arguments });
  }
  return complete;
}

/**
 * A tool call from any of the shapes servers use: flat `{id, name, arguments}` or nested
 * `{id, type, function: {name, arguments}}`, arguments as text or object, id missing or null.
 */
export function toolCallDelta(raw: unknown): ToolCallDelta {
  const outer = asObject(raw);
  const inner = outer.function === undefined ? outer : asObject(outer.function);
  const args = inner.arguments ?? inner.parameters;
  return {
    type: "tool_call",
    index:
      typeof outer.index === "number"
        ? outer.index
        : typeof inner.index === "number"
          ? inner.index
          : undefined,
    id: typeof outer.id === "string" ? outer.id : undefined,
    name: typeof inner.name === "string" ? inner.name : undefined,
    arguments: argumentsOf(args),
  };
}

/** Arguments that are neither text nor object become text, so that parsing refuses them instead of dropping them. */
function argumentsOf(args: unknown): string | Record<string, unknown> | undefined {
  if (args === null || args === undefined) return undefined;
  if (typeof args === "string") return args;
  return typeof args === "object" ? asObject(args) : JSON.stringify(args);
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function completeUsage(usage: Partial<Usage>): Usage {
  const promptTokens = usage.promptTokens ?? 0;
  const completionTokens = usage.completionTokens ?? 0;
  return {
    promptTokens,
    completionTokens,
    totalTokens: usage.totalTokens ?? promptTokens + completionTokens,
  };
}

function definedOnly(usage: Partial<Usage>): Partial<Usage> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => Number.isFinite(value)));
}

const finishReasons: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["eos", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["tool_calls", "tool_calls"],
  ["function_call", "tool_calls"],
  ["tool_use", "tool_calls"],
  ["content_filter", "content_filter"],
]);

/** What the presence of calls says wins over what the server calls it: "stop" with calls means the calls are meant. */
function finishReasonOf(raw: string | null | undefined, hasCalls: boolean): FinishReason {
  if (raw === null || raw === undefined) return hasCalls ? "tool_calls" : "stop";
  const reason = finishReasons.get(raw.toLowerCase()) ?? "other";
  if (hasCalls && (reason === "stop" || reason === "other")) return "tool_calls";
  if (!hasCalls && reason === "tool_calls") return "stop";
  return reason;
}

function isCompleteJson(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
