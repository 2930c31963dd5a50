import type { Message } from "@openjarvis/core";

/** What is asked, and what was said before. */
export interface Question {
  text: string;
  /** The messages before the question. */
  history: readonly Message[];
}

/** A tool call that would answer a question. */
export interface PlannedCall {
  /** The name of the tool. */
  tool: string;
  arguments: Readonly<Record<string, unknown>>;
  /** Arguments for a tool that has such parameters. */
  optional?: Readonly<Record<string, unknown>>;
  /** Whether any tool serves whose only required parameter is the one text of `arguments`. @default false */
  bySchema?: boolean;
}

/** A tool call that has been answered, in any protocol. */
export interface ToolOutcome {
  tool: string;
  /** The arguments as JSON text; empty when they are not known. */
  arguments: string;
  /** What the tool said. */
  content: string;
  failed: boolean;
}

/** How a question is answered: the calls it needs, and the answer once they are answered. */
export interface Plan {
  /** Empty for an answer that needs no tool. */
  calls: readonly PlannedCall[];
  /** The final answer from the outcomes, which stand in the order of the calls; a missing one was not answered. */
  answer(outcomes: readonly (ToolOutcome | undefined)[]): string;
}

/** A kind of question the engine knows how to answer. */
export interface Intent {
  readonly name: string;
  /** The plan for a question, or `undefined` when it is not of this kind. Linear in the question, and never a guess. */
  plan(question: Question): Plan | undefined;
}
