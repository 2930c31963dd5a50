import {
  BaseTool,
  type CodeSessionSource,
  JarvisError,
  type JsonSchema,
  outputOfCell,
  type SandboxSession,
  type SandboxSessionOptions,
  type ToolContext,
  type ToolOutput,
  type ToolSpec,
  throwIfAborted,
} from "@openjarvis/core";
import { type CodeInterpreterOptions, type CodeRunner, checkOptions } from "./options.js";
import { createProcessRunner, type RunProgram } from "./process-runner.js";
import { Sandboxes } from "./sandboxes.js";

interface CodeParameters {
  code: string;
  language?: string;
}

/** What a sandbox allows for a cell in all, in milliseconds, when nothing else is said. */
const defaultTotalMs = 300_000;
/** Seconds an interpreter may take to start. */
const startSeconds = 90;

const descriptions: Readonly<Record<CodeRunner, string>> = {
  sandbox:
    "Runs Python code in a sandbox without network and files, and returns what it prints and the value of its last expression. Every call starts with nothing: no variables are kept.",
  system:
    "Runs Python code with this machine's own Python, with the rights of the user: it can reach files and the network. Returns what it prints. Every call starts with nothing: no variables are kept.",
  docker:
    "Runs Python code in a container without network, and returns what it prints. Every call starts with nothing: no variables are kept.",
};

/**
 * Runs a program and returns what it prints, each call in a session of its own. Agents that write programs get sessions
 * that keep their variables by {@link CodeInterpreterTool.createCodeSession}.
 *
 * A tool that was not given a `sandbox` makes its own, one of each language, and `close()` ends them.
 *
 * @example
 * const tool = new CodeInterpreterTool({ sandbox: () => new PyodideSandbox() });
 * const { content } = await tool.execute({ code: "print(6 * 7)" }); // "42"
 */
export class CodeInterpreterTool extends BaseTool implements CodeSessionSource {
  readonly toolId = "code_interpreter";
  readonly spec: ToolSpec;
  /** Languages it has sessions for, the default first; none with the runners `system` and `docker`. */
  readonly codeLanguages: readonly string[];
  readonly #limits: CodeInterpreterOptions["limits"];
  readonly #languages: readonly string[];
  readonly #sandboxes: Sandboxes;
  readonly #runProgram: RunProgram | undefined;

  constructor(options: CodeInterpreterOptions = {}) {
    super();
    checkOptions(options);
    const { runner = "sandbox", limits } = options;
    const isSandbox = runner === "sandbox";
    this.#languages = options.languages ?? (isSandbox ? ["python", "javascript"] : ["python"]);
    this.#limits = limits;
    this.#sandboxes = new Sandboxes(options.sandbox);
    this.#runProgram = isSandbox ? undefined : createProcessRunner(runner, options);
    this.codeLanguages = isSandbox ? this.#languages : [];
    const totalMs = limits?.totalTimeoutMs ?? Math.max(defaultTotalMs, limits?.timeoutMs ?? 0);
    this.spec = {
      name: "code_interpreter",
      description: descriptions[runner],
      parameters: parametersFor(this.#languages),
      category: "code",
      // The sandbox ends a program with what it printed so far; the executor could only say that there is no result.
      timeoutSeconds: totalMs / 1000 + startSeconds,
      requiresConfirmation: !isSandbox,
      metadata: { structured_allow_object_text: true },
    };
  }

  /**
   * A session that keeps its variables; the caller closes it. Rejects with `OJ_OPTION` for a language that is not among
   * {@link codeLanguages}, `OJ_SANDBOX_NOT_INSTALLED` when nothing runs it.
   */
  async createCodeSession(language: string, options: SandboxSessionOptions = {}): Promise<SandboxSession> {
    if (!this.codeLanguages.includes(language)) {
      const known = this.codeLanguages.join(", ") || "none";
      throw new JarvisError("OJ_OPTION", `This code interpreter has no sessions for "${language}".`, {
        hint: `Languages with sessions: ${known}.`,
      });
    }
    throwIfAborted(options.signal);
    const sandbox = await this.#sandboxes.get(language);
    const limits = { ...this.#limits, ...options.limits };
    return sandbox.createSession({ ...options, limits });
  }

  /** Ends the sandboxes that the tool made itself; one that was given is its owner's to close. Calling twice is fine. */
  close(): Promise<void> {
    return this.#sandboxes.close();
  }

  protected override async run(params: CodeParameters, { signal }: ToolContext): Promise<ToolOutput> {
    const { code, language = this.#languages[0] ?? "python" } = params;
    if (code.trim() === "") throw new JarvisError("OJ_TOOL_ARGUMENTS", "No code was given: `code` is empty.");
    if (this.#runProgram !== undefined)
      return outputOfCell(await this.#runProgram(code, signal), { language });
    const session = await this.createCodeSession(language, { signal });
    try {
      return outputOfCell(await session.run(code, { signal }), { language });
    } finally {
      await session.close();
    }
  }
}

function parametersFor(languages: readonly string[]): JsonSchema {
  const code: JsonSchema = { type: "string", description: "Python code to execute" };
  if (languages.length === 1 && languages[0] === "python") {
    return { type: "object", properties: { code }, required: ["code"] };
  }
  const language: JsonSchema = {
    type: "string",
    enum: [...languages],
    description: `The language of the code; ${languages[0]} when left out`,
  };
  return { type: "object", properties: { code, language }, required: ["code"] };
}
