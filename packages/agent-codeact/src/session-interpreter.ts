import {
  BaseTool,
  outputOfCell,
  type ToolContext,
  type ToolResult,
  type ToolSpec,
  type Validation,
} from "@openjarvis/core";
import { languageOfBlock } from "./codeact-protocol.js";
import type { RunSessions } from "./run-sessions.js";

/**
 * Stands in front of a code interpreter among the tools of an agent: what a run calls it with runs in the session of
 * that run, by way of the executor, so that permission, events, deadline and guard are those of any tool.
 */
export class SessionInterpreter extends BaseTool {
  readonly toolId: string;
  override readonly isLocal: boolean;
  readonly inner: BaseTool;
  readonly #sessionsOf: (runId: string) => RunSessions | undefined;
  readonly #languages: readonly string[];

  constructor(
    inner: BaseTool & { readonly codeLanguages: readonly string[] },
    sessionsOf: (runId: string) => RunSessions | undefined,
  ) {
    super();
    this.inner = inner;
    this.toolId = inner.toolId;
    this.isLocal = inner.isLocal;
    this.#languages = inner.codeLanguages;
    this.#sessionsOf = sessionsOf;
  }

  get spec(): ToolSpec {
    return this.inner.spec;
  }

  override checkParameters(params: Record<string, unknown>): Validation | Promise<Validation> {
    return this.inner.checkParameters(params);
  }

  override execute(
    params: Record<string, unknown> = {},
    ctx: Partial<ToolContext> = {},
  ): Promise<ToolResult> {
    const { code } = params;
    const hasCode = typeof code === "string" && code.trim() !== "";
    // The interpreter knows best what to say of a call without code.
    return hasCode && this.#sessionsOf(ctx.runId ?? "") !== undefined
      ? super.execute(params, ctx)
      : this.inner.execute(params, ctx);
  }

  protected override async run(
    params: { code: string; language?: string },
    ctx: ToolContext,
  ): Promise<object> {
    const sessions = this.#sessionsOf(ctx.runId);
    const language = languageOfBlock(params.language ?? "", this.#languages);
    if (sessions === undefined) return this.inner.execute({ ...params }, ctx);
    return outputOfCell(await sessions.run(params.code, language, ctx.signal), { language, inSession: true });
  }
}
