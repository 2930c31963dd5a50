import { validatedBrand } from "./brand.js";
import { isJarvisError, JarvisError } from "./errors.js";
import { jsonSchemaOf, type ParametersOf, type ParametersSchema } from "./parameters.js";
import {
  failedResult,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  type ToolSpec,
} from "./tool-types.js";
import { validateParameters } from "./validate.js";

/** A tool in the format of OpenAI function calling, as engines send it. */
export interface OpenAIFunction {
  type: "function";
  function: { name: string; description: string; parameters: Record<string, unknown> };
}

/**
 * Base class of all tools. A tool gives its `spec` and implements `run`; a tool that needs the last word on its
 * result may override `execute` instead.
 *
 * - `execute` validates, runs and times, and never throws: what `run` throws becomes a failed result.
 * - `run` gets parameters that match the schema, and must stop when `ctx.signal` fires.
 *
 * @example
 * class EchoTool extends BaseTool {
 *   readonly toolId = "echo";
 *   get spec() {
 *     return { name: "echo", description: "Repeats a text.", parameters: {
 *       type: "object", properties: { text: { type: "string" } }, required: ["text"] } };
 *   }
 *   protected override run({ text }: { text: string }) { return text; }
 * }
 */
export abstract class BaseTool {
  abstract readonly toolId: string;
  abstract get spec(): ToolSpec;

  /** Whether the tool keeps everything on this machine. */
  readonly isLocal: boolean = true;

  /** Does the work. What it throws becomes the text of a failed result. */
  protected run(_params: never, _ctx: ToolContext): unknown {
    throw new JarvisError("OJ_INTERNAL", `Tool "${this.toolId}" implements neither run nor execute.`);
  }

  /** Runs the tool. Never throws; a failure is a result with `success: false`. */
  async execute(params: Record<string, unknown> = {}, ctx: Partial<ToolContext> = {}): Promise<ToolResult> {
    const started = performance.now();
    const { spec } = this;
    let result: ToolResult;
    try {
      let checked = params;
      if (!(validatedBrand in ctx)) {
        const validation = await validateParameters(spec.parameters, params);
        if (!validation.ok) return failedResult(spec.name, validation.message, "OJ_TOOL_ARGUMENTS");
        checked = validation.value;
      }
      result = toToolResult(spec.name, await this.run(checked as never, completeContext(ctx)));
    } catch (error) {
      result = failureOf(spec.name, error);
    }
    result.latencySeconds = (performance.now() - started) / 1000;
    return result;
  }

  /** The tool in OpenAI function-calling format. */
  toOpenAIFunction(): OpenAIFunction {
    const { name, description, parameters } = this.spec;
    return { type: "function", function: { name, description, parameters: { ...jsonSchemaOf(parameters) } } };
  }
}

/** What {@link defineTool} takes: the spec, with the work beside it. */
export interface ToolDefinition<S extends ParametersSchema = ParametersSchema>
  extends Omit<ToolSpec, "parameters"> {
  /** A JSON Schema (written `as const` for exact types) or a Standard Schema such as a zod object. */
  parameters?: S;
  /** @default true */
  isLocal?: boolean;
  run(params: ParametersOf<S>, ctx: ToolContext): unknown;
}

/**
 * The short form of a tool: its spec and its work in one object.
 *
 * @example
 * const greet = defineTool({
 *   name: "greet",
 *   description: "Greets a person.",
 *   parameters: z.object({ name: z.string().describe("Who is greeted") }),
 *   run: ({ name }) => `Hello, ${name}.`,
 * });
 */
export function defineTool<const S extends ParametersSchema = ParametersSchema>(
  definition: ToolDefinition<S>,
): BaseTool {
  const { run, isLocal = true, parameters, ...rest } = definition;
  // Converted once here so that `spec.parameters` is JSON Schema; the original validates and types.
  const schema = jsonSchemaOf(parameters);
  return new (class extends BaseTool {
    readonly toolId = rest.name;
    override readonly isLocal = isLocal;
    readonly spec: ToolSpec = { ...rest, parameters: parameters ?? schema };

    protected override run(params: never, ctx: ToolContext): unknown {
      return run.call(definition, params, ctx);
    }
  })();
}

const neverAborts = new AbortController().signal;

function completeContext(ctx: Partial<ToolContext>): ToolContext {
  if (validatedBrand in ctx) return ctx as ToolContext;
  return {
    signal: ctx.signal ?? neverAborts,
    callId: ctx.callId ?? "",
    agentId: ctx.agentId ?? "",
    runId: ctx.runId ?? "",
    emit: ctx.emit ?? (() => {}),
  };
}

/** A result from whatever a tool returned. */
function toToolResult(toolName: string, output: unknown): ToolResult {
  if (typeof output === "string") return succeeded(toolName, output);
  if (isOutputObject(output)) {
    return {
      toolName,
      content: output.content,
      success: output.success ?? true,
      usage: output.usage ?? {},
      costUsd: output.costUsd ?? 0,
      latencySeconds: 0,
      metadata: output.metadata ?? {},
    };
  }
  if (output === undefined || output === null) return succeeded(toolName, "");
  return succeeded(toolName, JSON.stringify(output, bigintAsText) ?? String(output));
}

function isOutputObject(value: unknown): value is Exclude<ToolOutput, string> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { content?: unknown }).content === "string"
  );
}

function succeeded(toolName: string, content: string): ToolResult {
  return { toolName, content, success: true, usage: {}, costUsd: 0, latencySeconds: 0, metadata: {} };
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

/** The failed result of something a tool threw. */
export function failureOf(toolName: string, error: unknown): ToolResult {
  if (isJarvisError(error)) return failedResult(toolName, error.message, error.code, error.details);
  const message = error instanceof Error ? error.message || error.name : String(error);
  return failedResult(toolName, message, "OJ_TOOL_FAILED");
}
