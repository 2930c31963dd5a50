import type { OpenAIFunction } from "@openjarvis/core";
import type { ToolOutcome } from "../plan.js";
import type { Reply } from "../reply.js";

/** A call as a message holds it. */
export interface WrittenCall {
  tool: string;
  /** The arguments as JSON text. */
  arguments: string;
}

/** A way of talking in which tools, calls and results are plain text: what the system prompt of an agent teaches. */
export interface TextForm {
  readonly name: string;
  /** Whether an answer begins a line, and does not stand behind a label. */
  readonly answerBeginsLine: boolean;
  /**
   * Where a system prompt shows the form, before the texts of tools, which may show any; `undefined` when it does not.
   * The form that is shown first is spoken.
   */
  shownAt(prompt: string): number | undefined;
  /** The tools that a system prompt offers. */
  toolsIn(prompt: string): OpenAIFunction[];
  /** The calls an assistant message makes. */
  callsIn(text: string): WrittenCall[];
  /** What a user message says of the calls before it; `undefined` when it is no message with results. */
  resultsIn(text: string, calls: readonly WrittenCall[]): ToolOutcome[] | undefined;
  /** Whether a user message says that a reply could not be read. */
  isCorrection(text: string): boolean;
  /** A reply in the form. */
  write(reply: Reply): string;
}
