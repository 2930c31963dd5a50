import {
  type AgentContext,
  type AgentOptions,
  type AgentResult,
  type AgentRun,
  type AnsweredCall,
  BaseAgent,
  type EventMap,
  type InferenceOptions,
  type InferenceResult,
  type LoopGuard,
  type Message,
  type RunOptions,
  type ToolCall,
  type ToolResult,
} from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { type AgentProtocol, agentChecks, functionCalling, type MakeAgent } from "../src/index.js";
import { testAgent } from "../src/vitest.js";
import { failing } from "./failing.js";
import { LoopAgent, PlainAgent, TextAgent } from "./reference-agent.js";

const textProtocol: AgentProtocol = {
  call: (name, params) => `CALL ${name} ${JSON.stringify(params)}`,
  final: (text) => `ANSWER ${text}`,
  badCall: (name) => `CALL ${name} {bad`,
};

testAgent((options) => new PlainAgent(options));
testAgent((options) => new LoopAgent(options));
testAgent((options) => new TextAgent(options), { protocol: textProtocol });

type Broken = [what: string, makeAgent: MakeAgent, fails: string[]];

/** A loop agent in which each call's outcome can be changed. */
class BrokenLoop extends LoopAgent {
  protected override async callTools(
    run: AgentRun,
    calls: readonly ToolCall[],
    guard: LoopGuard,
  ): Promise<AnsweredCall[]> {
    const answered = await super.callTools(run, calls, guard);
    for (const entry of answered) this.changed(entry.result, run);
    return answered;
  }
  protected changed(_result: ToolResult, _run: AgentRun): void {}
}

/** Makes an agent that throws as soon as a call failed with a code. */
const throwsOn =
  (code: string): MakeAgent =>
  (options) =>
    new (class extends BrokenLoop {
      protected override changed(result: ToolResult): void {
        if (result.metadata.code === code) throw new Error(result.content);
      }
    })(options);

const brokenPlain: Broken[] = [
  [
    "an answer that is changed",
    (options) =>
      new (class extends PlainAgent {
        protected override result(run: AgentRun, content: string, ...rest: ["final"]): AgentResult {
          return super.result(run, `Answer: ${content}`, ...rest);
        }
      })(options),
    ["answers directly"],
  ],
  [
    "a bus that is taken for granted",
    (options) =>
      new (class extends PlainAgent {
        protected override async respond(run: AgentRun): Promise<AgentResult> {
          const { publish } = this.bus as NonNullable<typeof this.bus>;
          publish.call(this.bus, "WARNING", { message: "hello", source: "x" }, run.ref);
          return super.respond(run);
        }
      })(options),
    ["works without a bus"],
  ],
  [
    "a conversation that is left out",
    (options) =>
      new (class extends PlainAgent {
        protected override buildMessages(run: AgentRun): Message[] {
          return [{ role: "user", content: run.input }];
        }
      })(options),
    ["sends the conversation before the input, with all system texts in one leading message"],
  ],
  [
    "system messages that are scattered",
    (options) =>
      new (class extends PlainAgent {
        protected override buildMessages(run: AgentRun): Message[] {
          return [
            { role: "system", content: "x" },
            ...run.conversation,
            { role: "user", content: run.input },
          ];
        }
      })(options),
    ["sends the conversation before the input, with all system texts in one leading message"],
  ],
  [
    "a start without an end when the engine fails",
    (options) =>
      new (class extends PlainAgent {
        protected override emitTurnEnd(run: AgentRun, facts: Partial<EventMap["AGENT_TURN_END"]>): void {
          if (facts.error === undefined) super.emitTurnEnd(run, facts);
        }
      })(options),
    ["ends its events when the engine fails, and rethrows"],
  ],
  [
    "a failure that is passed off as an answer",
    (options) =>
      new (class extends PlainAgent {
        protected override respond(run: AgentRun): Promise<AgentResult> {
          return super.respond(run).catch(() => this.result(run, "Sorry.", "final"));
        }
      })(options),
    ["ends its events when the engine fails, and rethrows", "is aborted during an inference call"],
  ],
  [
    "two ends",
    (options) =>
      new (class extends PlainAgent {
        protected override emitTurnEnd(run: AgentRun, facts: Partial<EventMap["AGENT_TURN_END"]>): void {
          super.emitTurnEnd(run, facts);
          super.emitTurnEnd(run, facts);
        }
      })(options),
    ["answers directly"],
  ],
  [
    "a signal that is dropped",
    (options) =>
      new (class extends PlainAgent {
        override run(input: string, context?: AgentContext): Promise<AgentResult> {
          return super.run(input, context);
        }
      })(options),
    ["is aborted before the run", "is aborted during an inference call"],
  ],
  [
    "an abort that rejects",
    (options) =>
      new (class extends PlainAgent {
        override async run(
          input: string,
          context: AgentContext = {},
          run: RunOptions = {},
        ): Promise<AgentResult> {
          const result = await super.run(input, context, run);
          run.signal?.throwIfAborted();
          return result;
        }
      })(options),
    ["is aborted before the run", "is aborted during an inference call"],
  ],
  [
    "nothing, passed off as an answer",
    (options) =>
      new (class extends PlainAgent {
        protected override async respond(run: AgentRun): Promise<AgentResult> {
          return this.result(run, (await super.respond(run)).content, "final");
        }
      })(options),
    ["ends, and says so, when the model gives nothing"],
  ],
  [
    "state on the agent",
    (options) =>
      new (class extends PlainAgent {
        #content = "";
        protected override async generate(
          run: AgentRun,
          messages: readonly Message[],
          extra?: Partial<InferenceOptions>,
        ): Promise<InferenceResult> {
          const result = await super.generate(run, messages, extra);
          this.#content = result.content;
          await new Promise((resolve) => setImmediate(resolve));
          return { ...result, content: this.#content };
        }
      })(options),
    ["keeps concurrent runs apart"],
  ],
  [
    "a history that is never forgotten",
    (options) =>
      new (class extends PlainAgent {
        readonly #history: Message[] = [];
        protected override buildMessages(run: AgentRun): Message[] {
          this.#history.push(...super.buildMessages(run));
          return this.#history;
        }
      })(options),
    ["starts clean in a second run"],
  ],
  [
    "options that are not looked at",
    ({ engine, model, bus, tools }) => new PlainAgent({ engine, model, bus, tools }),
    ["refuses an option it does not know"],
  ],
  [
    "tools although it takes none",
    (options) =>
      new (class extends PlainAgent {
        readonly #tools = options.tools ?? [];
        protected override generate(run: AgentRun, messages: readonly Message[]): Promise<InferenceResult> {
          const tools = this.#tools.map((tool) => tool.toOpenAIFunction());
          return super.generate(run, messages, tools.length > 0 ? { tools } : {});
        }
      })(options),
    ["takes tool options and ignores them"],
  ],
];

const brokenLoop: Broken[] = [
  [
    "results the model never sees",
    (options) =>
      new (class extends LoopAgent {
        protected override async callTools(
          ...args: Parameters<BrokenLoop["callTools"]>
        ): Promise<AnsweredCall[]> {
          const answered = await super.callTools(...args);
          return answered.map((entry) => ({ ...entry, result: { ...entry.result, content: "done" } }));
        }
      })(options),
    ["calls one tool and gives its result to the model", "goes on after a tool that does not exist"],
  ],
  ["a crash on unknown tools", throwsOn("OJ_TOOL_NOT_FOUND"), ["goes on after a tool that does not exist"]],
  [
    "a crash on wrong arguments",
    throwsOn("OJ_TOOL_ARGUMENTS"),
    ["goes on after arguments the tool does not take", "goes on after arguments that cannot be read"],
  ],
  ["a crash on tools that throw", throwsOn("OJ_TOOL_FAILED"), ["goes on after a tool that throws"]],
  [
    "a confirmation that always says yes",
    (options) => new LoopAgent({ ...options, confirm: () => true }),
    ["does not run a tool that nobody allows"],
  ],
  [
    "a context whose tools are not looked at",
    (options) =>
      new (class extends LoopAgent {
        override run(input: string, context: AgentContext = {}, run: RunOptions = {}): Promise<AgentResult> {
          return super.run(input, { ...context, tools: undefined }, run);
        }
      })(options),
    ["runs only the tools the context names"],
  ],
  [
    "turns without end",
    (options) => new LoopAgent({ ...options, maxTurns: 40 }),
    ["ends when its turns are used up"],
  ],
  [
    "results that are lost in an abort",
    (options) =>
      new (class extends BrokenLoop {
        protected override changed(_result: ToolResult, run: AgentRun): void {
          if (run.signal?.aborted) run.toolResults.splice(0);
        }
      })(options),
    ["is aborted during a tool call and keeps earlier results"],
  ],
  [
    "results of all runs in one list",
    (options) =>
      new (class extends BrokenLoop {
        readonly #all: ToolResult[] = [];
        protected override changed(result: ToolResult, run: AgentRun): void {
          this.#all.push(result);
          run.toolResults.splice(0, Number.POSITIVE_INFINITY, ...this.#all);
        }
      })(options),
    ["keeps the results of concurrent runs apart"],
  ],
];

describe("agentChecks", () => {
  it.each([...brokenPlain, ...brokenLoop])("catch %s", async (_what, makeAgent, fails) => {
    expect(await failing(agentChecks(makeAgent))).toEqual(expect.arrayContaining(fails));
  });

  it("have a broken agent for every check", () => {
    const caught = new Set([...brokenPlain, ...brokenLoop].flatMap(([, , fails]) => fails));
    const all = [PlainAgent, LoopAgent].flatMap((Agent) =>
      agentChecks((options: AgentOptions) => new Agent(options)),
    );
    expect(all.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
  });

  it("leave out calls that cannot be read for a protocol that has none", () => {
    const { badCall: _, ...protocol } = functionCalling;
    const names = agentChecks((options) => new LoopAgent(options), { protocol }).map(({ name }) => name);
    expect(names).not.toContain("goes on after arguments that cannot be read");
  });

  it("end a run that hangs", async () => {
    const makeAgent: MakeAgent = (options) =>
      new (class extends BaseAgent {
        readonly agentId = "stuck";
        protected override respond(): Promise<AgentResult> {
          return new Promise(() => {});
        }
      })(options);
    const [first] = agentChecks(makeAgent, { runSeconds: 0.05 });
    await expect(first?.run()).rejects.toThrow("The run had not settled after 0.05 s.");
  });
});
