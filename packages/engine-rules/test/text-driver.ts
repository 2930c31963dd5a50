import {
  type AgentOptions,
  type AgentResult,
  type AgentRun,
  type BaseTool,
  buildToolDescriptions,
  defineTool,
  type InferenceDelta,
  type InferenceOptions,
  type Message,
  TextAgent,
  type TextProtocol,
  type TextRun,
} from "@openjarvis/core";
import { RulesEngine } from "../src/rules-engine.js";
import { calculator } from "./driver.js";

const observe: TextProtocol["observation"] = (results) =>
  results.map(({ text }) => `Observation: ${text}`).join("\n");

/** The texts of the agent `native_react`. */
export const react: TextProtocol = {
  dialects: "react",
  stop: ["\nObservation:"],
  systemPrompt: (tools) => `Answer the question, step by step. Write each reply in one of two forms.

To use a tool:
Thought: what you want to find out
Action: the name of one tool
Action Input: a JSON object with its parameters

When you know the answer, or no tool helps:
Thought: why it is the answer
Final Answer: the answer

Tools:

${buildToolDescriptions(tools)}`,
  observation: observe,
};

/** The texts of the orchestrator's structured mode. */
export const structured: TextProtocol = {
  dialects: "structured",
  stop: ["\nObservation:"],
  systemPrompt: (tools) =>
    tools.length === 0
      ? `Answer the question. There are no tools.

=== RESPONSE FORMAT ===
THOUGHT: what you think
FINAL_ANSWER: the answer`
      : `Answer the question, with the tools where they help.

=== AVAILABLE TOOLS ===
${buildToolDescriptions(tools, { includeCost: true })}

=== TOOL SELECTION GUIDE ===
OTHER: ${tools.map((tool) => tool.spec.name).join(", ")}

=== RESPONSE FORMAT ===
To use a tool:
THOUGHT: what you want to find out
TOOL: the name of one tool
INPUT: a JSON object with its parameters

When you know the answer, or no tool helps:
THOUGHT: why it is the answer
FINAL_ANSWER: the answer`,
  observation: (results) =>
    results
      .map(({ tool, text, success }) =>
        success ? `Observation: ${text}` : `Observation: Tool '${tool}' failed: ${text}`,
      )
      .join("\n"),
};

/** The texts of the agent `native_openhands`; programs are run by a tool `code_interpreter` when there is one. */
export const codeact: TextProtocol = {
  dialects: "codeact",
  codeLanguages: ["python", "py", "python3", "javascript", "js"],
  stop: ["\nObservation:"],
  systemPrompt(tools) {
    const others = tools.filter(({ spec }) => spec.name !== "code_interpreter");
    const parts = ["Answer the question, step by step. What you can do is below."];
    if (others.length < tools.length) {
      parts.push(`To run a program, write it in one block, and stop after it:
\`\`\`python
the program
\`\`\`
What it prints, and the value of its last expression, comes back to you as "Output:"; never write that yourself.
Languages: python, javascript.`);
    }
    if (others.length > 0) {
      parts.push(
        "To use a tool:\nAction: the name of one tool\nAction Input: a JSON object with its parameters",
      );
    }
    parts.push("When you know the answer, write it as plain text without a block of code.");
    if (others.length > 0) parts.push(`Tools:\n\n${buildToolDescriptions(others)}`);
    return parts.join("\n\n");
  },
  observation: observe,
};

/** An interpreter whose programs are looked up, for tests of what is said to it and of it. */
export function interpreterOf(outputs: Readonly<Record<string, string>>) {
  return defineTool({
    name: "code_interpreter",
    description: "Runs a program.",
    category: "code",
    parameters: {
      type: "object",
      properties: { code: { type: "string" }, language: { type: "string" } },
      required: ["code"],
    },
    run: ({ code }) => {
      const output = outputs[code];
      if (output === undefined) {
        const line = 'Traceback (most recent call last):\n  File "<cell>", line 1, in <module>\n';
        throw new Error(`${line}NameError: name '${code}' is not defined`);
      }
      return output;
    },
  });
}

class PlayedAgent extends TextAgent {
  readonly agentId = "played";
  readonly #protocol: TextProtocol;

  constructor(options: AgentOptions, protocol: TextProtocol) {
    super(options);
    this.#protocol = protocol;
  }

  protected override respond(run: AgentRun): Promise<AgentResult> {
    return this.answerByText(run, this.#protocol);
  }

  protected override async runCode(
    { run, guard }: TextRun,
    { blocks }: Parameters<NonNullable<TextAgent["runCode"]>>[1],
  ): Promise<string> {
    const calls = blocks.map(({ code, language }, index) => ({
      id: `code_${index}`,
      name: "code_interpreter",
      arguments: JSON.stringify({ code, language }),
    }));
    const answered = await this.callTools(run, calls, guard);
    return answered.map(({ result }) => `Output:\n${result.content}`).join("\n\n");
  }
}

/** The engine, with what it was asked and what it replied. */
class RecordedEngine extends RulesEngine {
  readonly replies: string[] = [];
  readonly prompts: (readonly Message[])[] = [];
  /** Replies that are given instead of its own, first to last. */
  readonly scripted: string[] = [];

  override async *stream(
    messages: readonly Message[],
    options: InferenceOptions,
  ): AsyncGenerator<InferenceDelta> {
    this.prompts.push([...messages]);
    const scripted = this.scripted.shift();
    if (scripted !== undefined) {
      yield { type: "text", text: scripted };
      yield { type: "finish", reason: "stop" };
      return;
    }
    let reply = "";
    for await (const delta of super.stream(messages, options)) {
      if (delta.type === "text") reply += delta.text;
      yield delta;
    }
    this.replies.push(reply);
  }
}

export interface PlayTextOptions {
  tools?: readonly BaseTool[];
  history?: readonly Message[];
  maxTurns?: number;
  systemPrompt?: string;
  /** Replies that come instead of the engine's own. */
  scripted?: readonly string[];
}

/** Plays the loop of an agent that reads text. */
export async function playText(
  protocol: TextProtocol,
  question: string,
  { tools = [calculator], history = [], scripted = [], ...options }: PlayTextOptions = {},
) {
  const engine = new RecordedEngine();
  engine.scripted.push(...scripted);
  const agent = new PlayedAgent({ engine, model: "rules", tools, ...options }, protocol);
  const result = await agent.run(question, { conversation: [...history] });
  const { replies, prompts } = engine;
  return { ...result, replies, prompts, calls: result.toolResults.map(({ toolName }) => toolName) };
}
