import type { CodeBlock } from "./fences.js";
import type { ParametersSchema } from "./parameters-schema.js";

/** A tool that a reply may call. */
export interface ReplyTool {
  readonly name: string;
  /** The JSON Schema of its parameters, of type object. @default nothing is known about them */
  readonly parameters?: ParametersSchema;
  /** Whether text that looks like an object may be its one text, as for tools that take code. @default false */
  readonly allowObjectText?: boolean;
}

/**
 * A way in which models write calls, answers or code.
 *
 * - `tokens`: the marks that models are trained on, see {@link tokenDialects}.
 * - `json`: JSON objects, alone, in a fence or after prose: `{"name", "arguments"}`, `{"thought", "action", "action_input"}`, …
 * - `react`: lines `Thought:`, `Action:`, `Action Input:`, `Observation:`, `Final Answer:`.
 * - `structured`: lines `THOUGHT:`, `TOOL:`, `INPUT:`, `FINAL_ANSWER:`.
 * - `python`: calls as Python has them, alone: `calculator(expression="1+1")`.
 * - `code`: code blocks in one of `codeLanguages`.
 */
export type Dialect = "tokens" | "json" | "react" | "structured" | "python" | "code";

/** The dialects an agent reads: its own and those that models fall back to. */
export type DialectSet = "react" | "structured" | "codeact" | "any";

/** Options of {@link parseReply}. */
export interface ReplyOptions {
  /** The tools a reply may call. */
  readonly tools: readonly ReplyTool[];
  /** Which dialects are read. @default "any" */
  readonly dialects?: DialectSet | readonly Dialect[];
  /**
   * The languages of blocks that are code to run, in lower case; none when nothing can run code, so that code is part
   * of the answer. `""` stands for fences without a language, which are run only when no block has one.
   *
   * @default ["python", "py", "python3"] for "codeact", none otherwise
   */
  readonly codeLanguages?: readonly string[];
  /** Why the model stopped. Of interest is `"length"`: then what is not complete is not run. */
  readonly finishReason?: string | undefined;
}

/** A tool call found in a reply. */
export interface ReplyCall {
  /** The tool's name; for a tool that does not exist the name as written, at most 64 characters. */
  name: string;
  /** Whether there is such a tool. An agent answers an unknown one with the names there are. */
  known: boolean;
  /** The arguments; as text, the way they were written, when they could not be read. */
  arguments: Record<string, unknown> | string;
  /** Why a tool's arguments could not be read and what to write instead: sentences for the model. */
  problem?: string;
  /** The call as it stands in the reply. */
  raw: string;
}

interface ReplyParts {
  /** What the model thought, in the answer: its `Thought:` lines, or the prose before a call. */
  thought: string;
  /** What stood between reasoning tags. */
  reasoning: string;
}

interface CutReply extends ReplyParts {
  /** The reply as it belongs into the history: without reasoning and without what is discarded. */
  kept: string;
  /** What came after the calls, the code or the answer: invented observations, and what the model concluded from them. */
  discarded: string;
}

/** An answer. */
export interface FinalReply extends CutReply {
  kind: "final";
  /** The answer, without labels. */
  text: string;
}

/** Calls to make, in order. */
export interface CallsReply extends CutReply {
  kind: "calls";
  calls: ReplyCall[];
}

/** Code to run, in order. */
export interface CodeReply extends CutReply {
  kind: "code";
  blocks: CodeBlock[];
}

/** What is wrong with a malformed reply: nothing in it, cut off, nothing but reasoning, or not in the required form. */
export type ReplyProblem = "empty" | "cut" | "reasoning" | "form";

/** A reply that is neither an answer nor a call; the model is told and asked again. */
export interface MalformedReply extends ReplyParts {
  kind: "malformed";
  problem: ReplyProblem;
  /** What is wrong: a sentence for the model. */
  reason: string;
  /** The form that is wanted: sentences for the model. */
  hint: string;
  /** What the reply says without labels, for the person when asking again does not help either; often empty. */
  remainder: string;
}

/** What a model's reply turned out to be. */
export type Reply = FinalReply | CallsReply | CodeReply | MalformedReply;
