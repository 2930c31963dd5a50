import { type CodeBlock, extractCodeBlocks } from "../fences.js";
import type { ParametersSchema } from "../parameters-schema.js";
import type { ReplyTool } from "../reply-types.js";
import { ToolNames } from "../tool-name.js";

/** A call as a dialect found it, before its name is looked up and its arguments are read. */
export interface FoundCall {
  name: string;
  /** An object or the text that stands for it; undefined when there is none. */
  input: unknown;
  raw: string;
  /** Why the arguments cannot be read, when the dialect already knows. */
  problem?: string;
}

/** What a dialect made of a reply, and from where to where. */
export type Found =
  | {
      kind: "calls";
      start: number;
      end: number;
      calls: FoundCall[];
      thought: string;
      /** Whether the last call ends by itself; a call that only the end of the text ends may have been cut off. */
      complete: boolean;
    }
  | { kind: "final"; start: number; end: number; text: string; thought: string }
  | { kind: "code"; start: number; end: number; blocks: CodeBlock[]; thought: string; complete: boolean }
  | {
      kind: "malformed";
      start: number;
      reason: string;
      remainder: string;
      thought: string;
      complete: boolean;
    };

/** As many calls are read from one reply; what comes later is discarded. */
export const maxCalls = 64;

/** The text that all dialects read, without reasoning, and what they know about the run. */
export class ReplyText {
  readonly text: string;
  readonly names: ToolNames;
  readonly codeLanguages: readonly string[];
  /** Whether the model is known to have said all it wanted to say. */
  readonly isWhole: boolean;
  readonly #tools: ReadonlyMap<string, ReplyTool>;
  #blocks: CodeBlock[] | undefined;

  constructor(
    text: string,
    {
      tools,
      codeLanguages,
      isWhole,
    }: Pick<ReplyText, "codeLanguages" | "isWhole"> & { tools: readonly ReplyTool[] },
  ) {
    this.text = text;
    this.codeLanguages = codeLanguages;
    this.isWhole = isWhole;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.names = new ToolNames(this.#tools.keys());
  }

  /** The code blocks of the text. */
  get blocks(): readonly CodeBlock[] {
    this.#blocks ??= extractCodeBlocks(this.text);
    return this.#blocks;
  }

  /** The tool that a written name stands for. */
  tool(written: string): ReplyTool | undefined {
    const { name, known } = this.names.resolve(written);
    return known ? this.#tools.get(name) : undefined;
  }

  /** The parameters of the tool that a written name stands for. */
  parameters(written: string): ParametersSchema | undefined {
    return this.tool(written)?.parameters;
  }

  /** Whether a written name stands for a tool. */
  knows(written: string): boolean {
    return this.names.resolve(written).known;
  }
}

/** Reads one dialect; undefined when the reply holds nothing of it. */
export type DialectReader = (reply: ReplyText) => Found | undefined;
