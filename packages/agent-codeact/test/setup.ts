import {
  type AgentResult,
  BaseTool,
  type CodeSessionSource,
  defineTool,
  EventBus,
  InstrumentedEngine,
  type SandboxSession,
  type SandboxSessionOptions,
  type ToolSpec,
} from "@openjarvis/core";
import {
  type EventRecorder,
  recordEvents,
  ScriptedEngine,
  type ScriptedResponder,
  type ScriptedStep,
  VmSandbox,
} from "@openjarvis/testing";
import { type CodeActOptions, NativeOpenHandsAgent } from "../src/index.js";

/** A code interpreter on a {@link VmSandbox} for each of its languages. */
export class TestInterpreter extends BaseTool implements CodeSessionSource {
  readonly toolId = "code_interpreter";
  readonly codeLanguages: readonly string[];
  readonly sandboxes: ReadonlyMap<string, VmSandbox>;
  readonly #timeoutMs: number | undefined;

  constructor(languages: readonly string[] = ["python"], timeoutMs?: number) {
    super();
    this.codeLanguages = languages;
    this.sandboxes = new Map(languages.map((language) => [language, new VmSandbox(language)]));
    this.#timeoutMs = timeoutMs;
  }

  get spec(): ToolSpec {
    return {
      name: "code_interpreter",
      description: "Runs code.",
      parameters: {
        type: "object",
        properties: {
          code: { type: "string", description: "Code" },
          language: { type: "string", description: "Language", enum: [...this.codeLanguages] },
        },
        required: ["code"],
      },
      timeoutSeconds: 60,
    };
  }

  get sessions() {
    return [...this.sandboxes.values()].flatMap(({ sessions }) => sessions);
  }

  /** The code of all cells, in the order of the sessions. */
  get cells(): string[] {
    return this.sessions.flatMap(({ cells }) => cells);
  }

  get open(): number {
    return this.sessions.filter(({ closed }) => !closed).length;
  }

  async createCodeSession(language: string, options: SandboxSessionOptions = {}): Promise<SandboxSession> {
    const sandbox = this.sandboxes.get(language);
    if (sandbox === undefined) throw new Error(`no sandbox for ${language}`);
    const limits = this.#timeoutMs === undefined ? {} : { totalTimeoutMs: this.#timeoutMs };
    return sandbox.createSession({ ...options, limits });
  }

  protected override run(): string {
    throw new Error("The interpreter was called outside a session.");
  }
}

/** Adds numbers, the second one optional. */
export const add: BaseTool = defineTool({
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: {
      b: { type: "number", description: "The second; 1 when left out" },
      a: { type: "number", description: "The first" },
    },
    required: ["a"],
  } as const,
  run: ({ a, b = 1 }) => String(a + b),
});

export interface Setup {
  agent: NativeOpenHandsAgent;
  engine: ScriptedEngine;
  events: EventRecorder;
  interpreter: TestInterpreter;
}

/** An agent with a script, an interpreter and the tool `add`, on a bus that is recorded. */
export function setup(
  script: readonly ScriptedStep[] | ScriptedResponder,
  options: Partial<CodeActOptions> & { interpreter?: TestInterpreter } = {},
): Setup {
  const { interpreter = new TestInterpreter(), ...rest } = options;
  const bus = new EventBus();
  const events = recordEvents(bus);
  const engine = new ScriptedEngine(script);
  const agent = new NativeOpenHandsAgent({
    engine: new InstrumentedEngine(engine, bus),
    model: "scripted-model",
    bus,
    tools: [interpreter, add],
    ...rest,
  });
  return { agent, engine, events, interpreter };
}

/** A block of Python. */
export function block(code: string, language = "python"): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}

/** What the model was told last before a call at a position. */
export function told(engine: ScriptedEngine, position = -1): string {
  return engine.messagesOf(position).at(-1)?.content ?? "";
}

/** What the tools of a run brought, as `tool:text` or `tool!code`. */
export function outcomes({ toolResults }: AgentResult): string[] {
  return toolResults.map(({ toolName, success, content, metadata }) =>
    success ? `${toolName}:${content}` : `${toolName}!${String(metadata.code)}`,
  );
}
