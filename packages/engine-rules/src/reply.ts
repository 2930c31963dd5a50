import type { OpenAIFunction } from "@openjarvis/core";
import type { Exchange } from "./conversation.js";
import { intents } from "./intents/index.js";
import { describeOutcomes } from "./outcome-text.js";
import type { Plan, PlannedCall, ToolOutcome } from "./plan.js";
import { refusal, refusalWithoutTool } from "./refusal.js";
import { type MatchedCall, matchTool } from "./tool-match.js";

/** A conversation as a protocol reads it. */
export interface Reading {
  /** What the last user message asks. */
  exchange: Exchange;
  /** The exchange before it, when that message stands right after tool results and may only ask to answer from them. */
  earlier?: Exchange | undefined;
  tools: readonly OpenAIFunction[];
  /** Whether one call is made a turn. @default false */
  oneCall?: boolean;
}

/** What the engine says next. */
export type Reply =
  | { kind: "calls"; calls: readonly MatchedCall[] }
  /** `closing` says that the agent asked for the answer, since no more calls are possible. */
  | { kind: "answer"; text: string; closing: boolean };

/**
 * Decides what to say next: the calls a question needs, or its answer. Where one call is made a turn, the calls go out
 * one after the other. Once every call since the question was answered, the reply is an answer, so that every run ends
 * and no call is repeated.
 *
 * Throws `OJ_ENGINE_CANNOT_ANSWER` for what no rule covers.
 */
export function decideReply({ exchange, earlier, tools, oneCall = false }: Reading): Reply {
  const own = planFor(exchange);
  const closing = own === undefined && earlier !== undefined;
  const { question, outcomes } = closing ? earlier : exchange;
  const plan = own ?? (earlier && planFor(earlier));
  const answer = (text: string): Reply => ({ kind: "answer", text, closing });
  if (plan === undefined) {
    if (outcomes.length === 0) throw refusal(question);
    return answer(describeOutcomes(outcomes));
  }
  const open = closing ? [] : openCalls(plan, outcomes, oneCall);
  if (open.length === 0) return answer(answerFrom(plan, outcomes));
  const calls = open.map((call) => {
    const matched = matchTool(tools, call);
    if (matched === undefined) throw refusalWithoutTool(question, call.tool);
    return matched;
  });
  return { kind: "calls", calls: oneCall ? calls.slice(0, 1) : calls };
}

/** The calls still to make: all of them, or those without an outcome where one is made a turn. */
function openCalls(
  { calls }: Plan,
  outcomes: readonly ToolOutcome[],
  oneCall: boolean,
): readonly PlannedCall[] {
  if (outcomes.length === 0) return calls;
  const ours = outcomes.every((outcome) => calls.some((call) => isOutcomeOf(call, outcome)));
  if (!oneCall || !ours || outcomes.length >= calls.length) return [];
  return calls.filter((call) => !outcomes.some((outcome) => isOutcomeOf(call, outcome)));
}

function planFor({ question, history }: Exchange): Plan | undefined {
  for (const intent of intents) {
    const plan = intent.plan({ text: question, history });
    if (plan !== undefined) return plan;
  }
  return undefined;
}

function answerFrom(plan: Plan, outcomes: readonly ToolOutcome[]): string {
  if (plan.calls.length === 0 || outcomes.length === 0) return plan.answer([]);
  const own = plan.calls.map((call) => outcomes.findLast((outcome) => isOutcomeOf(call, outcome)));
  if (own.some((outcome) => outcome !== undefined)) return plan.answer(own);
  // Calls that another engine wrote in its own way answer the same question in the same order.
  return outcomes.length === plan.calls.length ? plan.answer(outcomes) : describeOutcomes(outcomes);
}

/** Whether an outcome is that of a planned call: its arguments hold the same values, under whatever names. */
function isOutcomeOf(call: PlannedCall, outcome: ToolOutcome): boolean {
  try {
    const parsed: unknown = JSON.parse(outcome.arguments);
    if (typeof parsed !== "object" || parsed === null) return false;
    const values = new Set(Object.values(parsed).map((value) => JSON.stringify(value)));
    return Object.values(call.arguments).every((value) => values.has(JSON.stringify(value)));
  } catch {
    // Another engine's arguments need not be JSON; then the call is not one of ours.
    return false;
  }
}
