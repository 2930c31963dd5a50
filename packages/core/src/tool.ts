import { validatedBrand } from "./brand.js";
import { JarvisError } from "./errors.js";
import { checkOptionKeys } from "./options.js";
import { jsonSchemaOf, type ParametersOf, type ParametersSchema } from "./parameters.js";
import { failureOf, resultOf } from "./tool-outcome.js";
import { failedResult, type ToolContext, type ToolResult, type ToolSpec } from "./tool-types.js";
import { type Validation, validateParameters } from "./validate.js";

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
    let name = this.toolId;
    let result: ToolResult;
    try {
      name = this.spec.name;
      let checked = params;
      // A tool that hands its own context on to another tool does not vouch for the other's parameters.
      if (!isCallContext(ctx) || ctx[validatedBrand] !== params) {
        const validation = await this.checkParameters(params);
        if (!validation.ok) return failedResult(name, validation.message, "OJ_TOOL_ARGUMENTS");
        checked = validation.value;
      }
      result = resultOf(name, await this.run(checked as never, completeContext(ctx)));
    } catch (error) {
      result = failureOf(name, error);
    }
    result.latencySeconds = (performance.now() - started) / 1000;
    return result;
  }

  /** Coerces and validates parameters against the schema; `execute` and the executor call it before `run`. */
  checkParameters(params: Record<string, unknown>): Validation | Promise<Validation> {
    return validateParameters(this.spec.parameters, params);
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

const definitionKeys = [
  "name",
  "description",
  "parameters",
  "category",
  "costEstimate",
  "latencyEstimate",
  "requiresConfirmation",
  "timeoutSeconds",
  "metadata",
  "isLocal",
  "run",
] satisfies (keyof ToolDefinition)[];

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
  // A mistyped `requiresConfirmation` would otherwise let a tool run unasked.
  checkOptionKeys(`The tool "${definition.name}"`, definition, definitionKeys);
  const { run, isLocal = true, parameters, ...rest } = definition;
  const schema = jsonSchemaOf(parameters);
  return new (class extends BaseTool {
    readonly toolId = rest.name;
    override readonly isLocal = isLocal;
    readonly spec: ToolSpec = { ...rest, parameters: schema };

    /** The schema as it was given validates: it may transform, and its messages are its author's. */
    override checkParameters(params: Record<string, unknown>): Validation | Promise<Validation> {
      return validateParameters(parameters, params);
    }

    protected override run(params: never, ctx: ToolContext): unknown {
      return run.call(definition, params, ctx);
    }
  })();
}

const neverAborts = new AbortController().signal;

/** Whether a context is whole, as an executor of any copy of core makes it; a spread of one has lost its signal. */
function isCallContext(ctx: Partial<ToolContext>): ctx is ToolContext & { [validatedBrand]: object } {
  return validatedBrand in ctx && "signal" in ctx;
}

function completeContext(ctx: Partial<ToolContext>): ToolContext {
  if (isCallContext(ctx)) return ctx;
  return {
    signal: ctx.signal ?? neverAborts,
    callId: ctx.callId ?? "",
    agentId: ctx.agentId ?? "",
    runId: ctx.runId ?? "",
    emit: ctx.emit ?? (() => {}),
  };
}
