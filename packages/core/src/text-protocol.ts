import type { BaseTool } from "./tool.js";

/** The dialects of model replies a protocol reads; see `@openjarvis/model-output`. */
export type ReplyDialects = "react" | "structured" | "codeact" | "any";

/** What a call brought, as a text agent tells the model. */
export interface Observed {
  /** The tool's name. */
  tool: string;
  /** The bounded text of the result, marked when the call failed. */
  text: string;
  success: boolean;
}

/** How an agent and a model speak in plain text: the prompt that teaches the form, and the words around results. */
export interface TextProtocol {
  readonly dialects: ReplyDialects;
  /** The languages of code blocks that are run; none when nothing runs code. */
  readonly codeLanguages?: readonly string[];
  /** Texts at which the model stops, so that it does not invent what comes next. */
  readonly stop?: readonly string[];
  /** The system prompt that teaches the form, with the tools of the run. */
  systemPrompt(tools: readonly BaseTool[]): string;
  /** What the model is told of the calls of a turn, in their order. */
  observation(results: readonly Observed[]): string;
}
