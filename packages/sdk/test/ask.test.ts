import { OrchestratorAgent } from "@openjarvis/agent-orchestrator";
import { SimpleAgent } from "@openjarvis/agent-simple";
import {
  AgentRegistry,
  BaseTool,
  defineTool,
  EngineRegistry,
  EventBus,
  isJarvisError,
  type JarvisError,
  ToolRegistry,
  type ToolRequest,
} from "@openjarvis/core";
import { recordEvents, ScriptedEngine, type ScriptedEngineOptions } from "@openjarvis/testing";
import { CalculatorTool } from "@openjarvis/tool-calculator";
import { ThinkTool } from "@openjarvis/tool-think";
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import {
  type AskOptions,
  type AskResult,
  type Jarvis,
  type JarvisOptions,
  SystemBuilder,
} from "../src/index.js";
import { makeWorld, type World } from "./world.js";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
  AgentRegistry.registerValue("simple", SimpleAgent);
  AgentRegistry.registerValue("orchestrator", OrchestratorAgent);
  ToolRegistry.registerValue("calculator", CalculatorTool);
  ToolRegistry.registerValue("think", ThinkTool);
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

type Script = ConstructorParameters<typeof ScriptedEngine>[0];

/** A Jarvis whose only engine follows a script. */
function scripted(
  script: Script,
  options: JarvisOptions = {},
  engineOptions: ScriptedEngineOptions = {},
): { jarvis: Jarvis; engine: ScriptedEngine } {
  const engine = new ScriptedEngine(script, { engineId: "rules", models: ["m1"], ...engineOptions });
  EngineRegistry.registerValue("rules", () => engine);
  return { jarvis: world.jarvis(options), engine };
}

async function failure(promise: Promise<unknown>): Promise<JarvisError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (isJarvisError(error)) return error;
  throw new Error(`No JarvisError: ${String(error)}`);
}

const callCalculator = { toolCalls: [{ name: "calculator", arguments: { expression: "0.15 * 340" } }] };

describe("an ask", () => {
  it("resolves with the text of the answer", async () => {
    const { jarvis } = scripted(["Paris."]);
    expect(await jarvis.ask("What is the capital of France?")).toBe("Paris.");
  });

  it("in full, says what ran, with what, why, and what it cost", async () => {
    const { jarvis } = scripted([
      { ...callCalculator, usage: { promptTokens: 10, completionTokens: 5 } },
      { text: "15% of 340 is 51.", usage: { promptTokens: 20, completionTokens: 8 } },
    ]);
    const result = await jarvis.askFull("Calculate 15% of 340", {
      agent: "orchestrator",
      tools: ["calculator"],
    });
    expect(result).toMatchObject({
      content: "15% of 340 is 51.",
      turns: 2,
      agent: "orchestrator",
      engine: "rules",
      model: "m1",
      engineReason: "rules: no engine was named",
      stopReason: "final",
      usage: { promptTokens: 30, completionTokens: 13, totalTokens: 43 },
      metadata: { inferenceCalls: 2, engine: "rules" },
    });
    expect(result.toolResults).toMatchObject([{ toolName: "calculator", content: "51.0", success: true }]);
    expectTypeOf(result).toEqualTypeOf<AskResult>();
  });

  it("adds up what tools spent at models, too", async () => {
    ToolRegistry.registerValue(
      "llm",
      defineTool({
        name: "llm",
        description: "Asks.",
        run: () => ({ content: "sub", usage: { promptTokens: 7, completionTokens: 3 } }),
      }),
    );
    const { jarvis } = scripted([
      { toolCalls: [{ name: "llm", arguments: {} }], usage: { promptTokens: 1, completionTokens: 1 } },
      { text: "done", usage: { promptTokens: 1, completionTokens: 1 } },
    ]);
    const { usage, metadata } = await jarvis.askFull("go", { tools: ["llm"] });
    expect(usage).toEqual({ promptTokens: 9, completionTokens: 5, totalTokens: 14 });
    expect(metadata.usage.totalTokens).toBe(4);
  });

  it("publishes exactly one start and one end for each inference call, run and tool call", async () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const { jarvis } = scripted([callCalculator, "51"], { bus });
    expect(jarvis.bus).toBe(bus);
    await jarvis.askFull("15% of 340?", { tools: ["calculator"], runId: "run-1" });
    events.assertBalanced();
    expect(events.counts).toMatchObject({
      INFERENCE_START: 2,
      INFERENCE_END: 2,
      AGENT_TURN_START: 1,
      AGENT_TURN_END: 1,
      TOOL_CALL_START: 1,
      TOOL_CALL_END: 1,
    });
    expect(new Set(events.list.map(({ runId }) => runId))).toEqual(new Set(["run-1"]));
  });

  it("wraps an engine that was given just as it wraps its own", async () => {
    const bus = new EventBus();
    const seen = recordEvents(bus);
    const jarvis = world.jarvis({ bus, engine: new ScriptedEngine(["hi"], { engineId: "given" }) });
    expect(await jarvis.askFull("hello")).toMatchObject({
      content: "hi",
      engine: "given",
      model: "scripted-model",
    });
    expect(seen.counts).toMatchObject({ INFERENCE_START: 1, INFERENCE_END: 1 });
  });
});

describe("the agent", () => {
  it("is orchestrator when there are tools and simple when there are none", async () => {
    const { jarvis } = scripted(() => "x");
    expect((await jarvis.askFull("q")).agent).toBe("simple");
    expect((await jarvis.askFull("q", { tools: [] })).agent).toBe("simple");
    expect((await jarvis.askFull("q", { tools: ["think"] })).agent).toBe("orchestrator");
  });

  it("is taken from the ask, then the program, then the config", async () => {
    await world.write("home/config.toml", '[agent]\ndefault_agent = "orchestrator"\n');
    const { jarvis } = scripted(() => "x");
    expect((await jarvis.askFull("q")).agent).toBe("orchestrator");
    expect((await world.jarvis({ agent: "simple" }).askFull("q")).agent).toBe("simple");
    expect((await world.jarvis({ agent: "simple" }).askFull("q", { agent: " orchestrator " })).agent).toBe(
      "orchestrator",
    );
  });

  it("of the config gives way to the orchestrator when the ask names tools it cannot use", async () => {
    const { jarvis } = scripted(() => "x", { config: { agent: { defaultAgent: "simple" } } });
    const result = await jarvis.askFull("q", { tools: ["think"] });
    expect([result.agent, result.metadata.warnings]).toEqual(["orchestrator", undefined]);
    expect((await jarvis.askFull("q")).agent).toBe("simple");
    expect((await jarvis.askFull("q", { agent: "simple", tools: ["think"] })).agent).toBe("simple");
  });

  it("that nobody knows is an error with the list and the nearest name", async () => {
    const { jarvis, engine } = scripted(() => "x");
    const error = await failure(jarvis.ask("q", { agent: "orchestrater" }));
    expect(error.format()).toBe(
      'OJ_AGENT_NOT_FOUND  Unknown agent "orchestrater".\n' +
        '  Installed agents: simple, orchestrator. Did you mean "orchestrator"?',
    );
    expect(engine.callCount).toBe(0);
  });

  it("of this project that is not installed is named with its package", async () => {
    const { jarvis } = scripted(() => "x");
    const error = await failure(jarvis.ask("q", { agent: "react" }));
    expect(error.code).toBe("OJ_AGENT_NOT_INSTALLED");
    expect(error.hint).toContain(
      "It is provided by @openjarvis/agent-react. Run: jarvis plugins add @openjarvis/agent-react",
    );
  });

  it("without tools ignores them, with a warning in the result and on the bus", async () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const { jarvis } = scripted(["Hi."], { bus });
    const result = await jarvis.askFull("q", { agent: "simple", tools: ["calculator", "no_such_tool"] });
    const message = 'Agent "simple" takes no tools; calculator, no_such_tool cannot be used.';
    expect(result.metadata.warnings).toEqual([message]);
    expect(events.of("WARNING").map(({ data, runId }) => [data, runId])).toEqual([
      [{ message, source: "simple" }, result.metadata.runId],
    ]);
  });

  it("without tools ignores those of the config in silence", async () => {
    const { jarvis } = scripted(["Hi."], { config: { tools: { enabled: ["calculator"] } } });
    expect((await jarvis.askFull("q", { agent: "simple" })).metadata.warnings).toBeUndefined();
  });

  it("takes the options of its class, and refuses those of the ask there", async () => {
    const { jarvis, engine } = scripted(() => "x");
    expect(
      (await failure(jarvis.ask("q", { agent: "orchestrator", agentOptions: { mode: "nonsense" } }))).code,
    ).toBe("OJ_OPTION");
    const error = await failure(jarvis.ask("q", { agentOptions: { model: "other" } }));
    expect(error.message).toBe('"model" cannot be given in `agentOptions`.');
    await jarvis.ask("q", { agentOptions: { maxTokens: 5 } });
    expect(engine.optionsOf(-1).maxTokens).toBe(5);
  });
});

describe("tools", () => {
  it("are trimmed and each taken once", async () => {
    const { jarvis, engine } = scripted(["x"]);
    await jarvis.ask("q", { tools: [" calculator", "think", "calculator", ""] });
    expect(engine.optionsOf(0).tools?.map((tool) => tool.function.name)).toEqual(["calculator", "think"]);
  });

  it("that nobody knows are an error, before any engine is asked", async () => {
    const { jarvis, engine } = scripted(["x"]);
    const error = await failure(jarvis.ask("q", { tools: ["calculater"] }));
    expect(error.format()).toBe(
      'OJ_TOOL_NOT_FOUND  Unknown tool "calculater".\n' +
        '  Installed tools: calculator, think. Did you mean "calculator"?',
    );
    expect(engine.callCount).toBe(0);
  });

  it("of this project that are not installed are named with their package", async () => {
    const { jarvis } = scripted(["x"]);
    const error = await failure(jarvis.ask("q", { tools: ["web_search"] }));
    expect(error.code).toBe("OJ_TOOL_NOT_INSTALLED");
    expect(error.message).toBe('No installed plugin provides tool "web_search".');
    expect(error.hint).toContain("It is provided by @openjarvis/tool-web-search.");
  });

  it("come from tools.enabled, else agent.tools, when the ask names none", async () => {
    await world.write("home/config.toml", '[tools]\nenabled = "think"\n[agent]\ntools = ["calculator"]\n');
    const { jarvis, engine } = scripted(() => "x");
    const offered = () => engine.optionsOf(-1).tools?.map((tool) => tool.function.name);
    expect((await jarvis.askFull("q")).agent).toBe("orchestrator");
    expect(offered()).toEqual(["think"]);
    await jarvis.ask("q", { tools: ["calculator"] });
    expect(offered()).toEqual(["calculator"]);
    await jarvis.ask("q", { tools: [] });
    expect(offered()).toBeUndefined();
    await world.write("home/config.toml", '[agent]\ntools = ["calculator"]\n');
    await world.jarvis().ask("q");
    expect(offered()).toEqual(["calculator"]);
    const built = await new SystemBuilder(world.options()).tools(["think"]).build();
    await built.ask("q");
    expect(offered()).toEqual(["think"]);
    await built.close();
  });

  it("are made with the engine and model of the ask, the bus and the home", async () => {
    const made: Record<string, unknown>[] = [];
    class NeedyTool extends BaseTool {
      readonly toolId = "needy";
      readonly spec = { name: "needy", description: "Needs." };
      constructor(dependencies: Record<string, unknown>) {
        super();
        made.push(dependencies);
      }
    }
    ToolRegistry.register("needy")(NeedyTool);
    const { jarvis } = scripted(["x"]);
    await jarvis.ask("q", { tools: ["needy"], model: "m1" });
    const [dependencies] = made;
    expect(dependencies).toMatchObject({ model: "m1", bus: jarvis.bus, home: world.home });
    expect(dependencies).toHaveProperty("engine.engineId", "rules");
  });

  it("have the deadline of the config", async () => {
    await world.write("home/config.toml", "[tools]\ntimeout_seconds = 0.02\n");
    ToolRegistry.registerValue(
      "stuck",
      defineTool({ name: "stuck", description: "Hangs.", run: () => new Promise(() => {}) }),
    );
    const { jarvis } = scripted([{ toolCalls: [{ name: "stuck", arguments: {} }] }, "gave up"]);
    const { toolResults } = await jarvis.askFull("q", { tools: ["stuck"] });
    expect(toolResults[0]).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_TIMEOUT" } });
  });
});

describe("permission", () => {
  const ask = (options: AskOptions = {}) => ({ tools: ["calculator"], ...options });

  it("tools.always_confirm asks a person, and refuses when there is nobody to ask", async () => {
    await world.write("home/config.toml", '[tools]\nalways_confirm = ["calculator"]\n');
    const engine = new ScriptedEngine([callCalculator, "no"], { engineId: "a" });
    const result = await world.jarvis({ engine }).askFull("q", ask());
    expect(result.toolResults[0]).toMatchObject({ success: false, metadata: { code: "OJ_TOOL_DENIED" } });

    const asked: ToolRequest[] = [];
    const confirm = (request: ToolRequest) => {
      asked.push(request);
      return true;
    };
    const second = new ScriptedEngine([callCalculator, "yes"], { engineId: "b" });
    const allowed = await world.jarvis({ engine: second, confirm }).askFull("q", ask());
    expect(allowed.toolResults[0]?.content).toBe("51.0");
    expect(asked.map(({ tool, arguments: args }) => [tool, args])).toEqual([
      ["calculator", { expression: "0.15 * 340" }],
    ]);
  });

  it("the callback of the ask goes before that of the program", async () => {
    const config = { tools: { alwaysConfirm: ["calculator"] } };
    const { jarvis } = scripted([callCalculator, "x"], { config, confirm: () => true });
    const confirm = () => ({ allow: false, reason: "not today" });
    const { toolResults } = await jarvis.askFull("q", ask({ confirm }));
    expect(toolResults[0]?.content).toBe('Tool "calculator" was not run: denied by user: not today.');
  });

  it("the config only tightens a policy", async () => {
    const config = { tools: { alwaysConfirm: ["calculator"] } };
    const deny = scripted([callCalculator, "x"], { config, confirm: () => true, policy: () => "deny" });
    expect((await deny.jarvis.askFull("q", ask())).toolResults[0]?.metadata.code).toBe("OJ_TOOL_DENIED");
    EngineRegistry.clear();
    const allow = scripted([callCalculator, "x"], { config, policy: () => "allow" });
    expect((await allow.jarvis.askFull("q", ask())).toolResults[0]?.metadata.code).toBe("OJ_TOOL_DENIED");
    EngineRegistry.clear();
    const broken = scripted([callCalculator, "x"], {
      config,
      confirm: () => true,
      policy: () => undefined as never,
    });
    expect((await broken.jarvis.askFull("q", ask())).toolResults[0]?.success).toBe(false);
  });

  it("holds for a tool whose key is not the name models call", async () => {
    ToolRegistry.registerValue("calc_key", new CalculatorTool());
    const config = { tools: { alwaysConfirm: ["calc_key"] } };
    const { jarvis } = scripted([callCalculator, "x"], { config });
    const { toolResults } = await jarvis.askFull("q", { tools: ["calc_key"] });
    expect(toolResults[0]?.metadata.code).toBe("OJ_TOOL_DENIED");
  });

  it("a name in always_confirm that means no tool is a start-up error with its line", async () => {
    await world.write("home/config.toml", '[tools]\nalways_confirm = ["calculater"]\n');
    const { jarvis } = scripted(["x"]);
    const error = await failure(jarvis.ask("q"));
    expect(error.code).toBe("OJ_CONFIG_VALUE");
    expect(error.message).toBe(
      `${world.home}/config.toml:2: tools.always_confirm names "calculater", and there is no such tool. ` +
        'Did you mean "calculator"?',
    );
  });
});

describe("settings", () => {
  it("of the ask go before the config's, and these before the class's defaults", async () => {
    await world.write(
      "home/config.toml",
      "[intelligence]\ntemperature = 0.1\nmax_tokens = 111\n[agent]\nmax_turns = 2\n[agent.orchestrator]\nmax_tokens = 222\n",
    );
    const { jarvis, engine } = scripted(() => "x");
    const last = () => {
      const { temperature, maxTokens } = engine.optionsOf(-1);
      return { temperature, maxTokens };
    };
    await jarvis.ask("q");
    expect(last()).toEqual({ temperature: 0.1, maxTokens: 111 });
    await jarvis.ask("q", { agent: "orchestrator" });
    expect(last()).toEqual({ temperature: 0.1, maxTokens: 222 });
    await jarvis.ask("q", { agent: "orchestrator", temperature: 0, maxTokens: 7 });
    expect(last()).toEqual({ temperature: 0, maxTokens: 7 });
    await world.write("home/config.toml", "");
    await world.jarvis().ask("q");
    expect(last()).toEqual({ temperature: 0.7, maxTokens: 1024 });
  });

  it("limit the turns", async () => {
    const { jarvis } = scripted(() => callCalculator, { config: { agent: { maxTurns: 2 } } });
    expect(await jarvis.askFull("q", { tools: ["calculator"] })).toMatchObject({
      turns: 2,
      stopReason: "max_turns",
    });
    expect(await jarvis.askFull("q", { tools: ["calculator"], maxTurns: 1 })).toMatchObject({ turns: 1 });
  });

  it("an option in an agent's table that its class does not have is told with file and line", async () => {
    await world.write("home/config.toml", "\n[agent.orchestrator]\nparallel_tool = true\n");
    const { jarvis } = scripted(["x"]);
    const error = await failure(jarvis.ask("q", { agent: "orchestrator" }));
    expect(error.code).toBe("OJ_CONFIG_KEY");
    expect(error.message).toBe(
      `${world.home}/config.toml:3: [agent.orchestrator] OrchestratorAgent has no option "parallel_tool". ` +
        'Did you mean "parallel_tools"?',
    );
  });

  it("a wrong default in an agent's table is told with file and line", async () => {
    await world.write("home/config.toml", '[agent.simple]\nmax_tokens = "many"\n');
    const { jarvis } = scripted(["x"]);
    expect(await failure(jarvis.ask("q"))).toMatchObject({
      code: "OJ_CONFIG_VALUE",
      message: `${world.home}/config.toml:2: [agent.simple] max_tokens must be a whole number, 1 or more; it is many.`,
    });
    expect(await failure(jarvis.ask("q", { maxTokens: 0 }))).toMatchObject({ code: "OJ_OPTION" });
  });

  it("a name in the config that nobody knows is told with its line", async () => {
    const { jarvis } = scripted(() => "x");
    await jarvis.close();
    const messages: string[] = [];
    for (const text of [
      '[agent]\ndefault_agent = "simpel"\n',
      '\n[tools]\nenabled = ["calculater"]\n',
      '[engine]\ndefault = "rulse"\n',
    ]) {
      await world.write("home/config.toml", text);
      const { code, message } = await failure(world.jarvis().ask("q"));
      messages.push(`${code} ${message.replace(`${world.home}/`, "")}`);
    }
    expect(messages).toEqual([
      'OJ_AGENT_NOT_FOUND config.toml:2: Unknown agent "simpel".',
      'OJ_TOOL_NOT_FOUND config.toml:3: Unknown tool "calculater".',
      'OJ_ENGINE_NOT_FOUND config.toml:2: Unknown engine "rulse".',
    ]);
  });

  it("a table for something that is not installed is a warning with its line", async () => {
    await world.write("home/config.toml", '[engine.olama]\nhost = "x"\n[agent.simpel]\nx = 1\n');
    const bus = new EventBus();
    const events = recordEvents(bus);
    const { jarvis } = scripted(["x"], { bus });
    await jarvis.ask("q");
    expect(events.of("WARNING").map(({ data }) => data.message)).toEqual([
      `${world.home}/config.toml:1: [engine.olama] has no effect: no engine "olama" is installed. Did you mean "ollama"?`,
      `${world.home}/config.toml:3: [agent.simpel] has no effect: no agent "simpel" is installed. Did you mean "simple"?`,
    ]);
  });

  it("an option that does not exist is an error everywhere", async () => {
    const { jarvis } = scripted(["x"]);
    expect((await failure(jarvis.ask("q", { maxtokens: 5 } as AskOptions))).message).toBe(
      'ask has no option "maxtokens". Did you mean "maxTokens"?',
    );
    expect(() => world.jarvis({ modle: "x" } as JarvisOptions)).toThrow(
      'Jarvis has no option "modle". Did you mean "model"?',
    );
    expect((await failure(jarvis.ask("q", { tools: "calculator" as never }))).code).toBe("OJ_OPTION");
    for (const query of ["", "  \n", 7 as never])
      expect((await failure(jarvis.ask(query))).code).toBe("OJ_OPTION");
  });
});

describe("what stands before the query", () => {
  it("is the system prompt, then the history; images stand in the query itself", async () => {
    const { jarvis, engine } = scripted(() => "x");
    await jarvis.ask("Now?", {
      systemPrompt: "Be short.",
      history: [
        { role: "user", content: "Before?" },
        { role: "assistant", content: "Yes." },
      ],
      images: ["data:image/png;base64,aGk=", "eW8="],
    });
    expect(engine.messagesOf(0)).toEqual([
      { role: "system", content: "Be short." },
      { role: "user", content: "Before?" },
      { role: "assistant", content: "Yes." },
      { role: "user", content: "Now?", images: ["aGk=", "eW8="] },
    ]);
  });

  it("takes the system prompt of the config unless the ask has one", async () => {
    const { jarvis, engine } = scripted(() => "x", { config: { agent: { systemPrompt: "From config." } } });
    await jarvis.ask("q");
    expect(engine.messagesOf(-1)[0]).toEqual({ role: "system", content: "From config." });
    await jarvis.ask("q", { systemPrompt: "Mine." });
    expect(engine.messagesOf(-1)[0]).toEqual({ role: "system", content: "Mine." });
    await jarvis.ask("q", { systemPrompt: "" });
    expect(engine.messagesOf(-1)).toEqual([{ role: "user", content: "q" }]);
  });
});

describe("many asks at once", () => {
  it("do not mix: each has its own run, events and answer", async () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const { jarvis } = scripted(
      async (messages) => {
        const last = messages.at(-1);
        const question = messages.find(({ role }) => role === "user")?.content ?? "";
        await new Promise((done) => setTimeout(done, Math.random() * 5));
        if (last?.role === "tool") return `${question} = ${last.content}`;
        return { toolCalls: [{ name: "calculator", arguments: { expression: question } }] };
      },
      { bus },
    );
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const results = await Promise.all(
      numbers.map((number) =>
        jarvis.askFull(`${number} + 1`, { tools: ["calculator"], runId: `run-${number}` }),
      ),
    );
    for (const [index, result] of results.entries()) {
      expect(result.content).toBe(`${index} + 1 = ${index + 1}`);
      expect(result.metadata.runId).toBe(`run-${index}`);
      const own = events.ofRun(`run-${index}`);
      expect(own.filter(({ type }) => type === "INFERENCE_START")).toHaveLength(2);
      expect(own.filter(({ type }) => type === "TOOL_CALL_END")).toHaveLength(1);
    }
    events.assertBalanced();
  });

  it("build one system and one engine", async () => {
    let made = 0;
    const engine = new ScriptedEngine(() => "x", { engineId: "rules" });
    EngineRegistry.registerValue("rules", () => {
      made += 1;
      return engine;
    });
    const jarvis = world.jarvis();
    await Promise.all(Array.from({ length: 10 }, () => jarvis.ask("q")));
    expect(made).toBe(1);
    expect(await jarvis.system()).toBe(await jarvis.system());
  });
});

describe("cancelling", () => {
  it("rejects an ask with OJ_ABORTED and ends the engine's call", async () => {
    const bus = new EventBus();
    const events = recordEvents(bus);
    const { jarvis } = scripted(() => ({ text: "par", hang: true }), { bus });
    const controller = new AbortController();
    bus.subscribe("INFERENCE_START", () => setTimeout(() => controller.abort(), 5));
    const error = await failure(jarvis.ask("q", { signal: controller.signal }));
    expect(error.code).toBe("OJ_ABORTED");
    events.assertBalanced();
  });

  it("resolves a full ask with what there is", async () => {
    const { jarvis } = scripted([callCalculator, { hang: true }]);
    const controller = new AbortController();
    jarvis.bus.subscribe("TOOL_CALL_END", () => setTimeout(() => controller.abort(), 5));
    const result = await jarvis.askFull("q", { tools: ["calculator"], signal: controller.signal });
    expect(result).toMatchObject({ stopReason: "aborted", turns: 2, engine: "rules" });
    expect(result.toolResults[0]?.content).toBe("51.0");
  });

  it("before the start asks nobody", async () => {
    const { jarvis, engine } = scripted(["x"]);
    const signal = AbortSignal.abort();
    expect((await failure(jarvis.ask("q", { signal }))).code).toBe("OJ_ABORTED");
    expect((await failure(jarvis.askFull("q", { signal }))).code).toBe("OJ_ABORTED");
    expect(engine.callCount).toBe(0);
  });

  it("leaves no listener on the caller's signal", async () => {
    const { jarvis } = scripted(() => "x");
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await jarvis.ask("q", { signal });
    for await (const _piece of jarvis.askStream("q", { signal })) expect(listeners).toBeGreaterThan(0);
    expect(listeners).toBe(0);
  });
});

describe("errors of an engine", () => {
  it("reach the caller as they are, with balanced events", async () => {
    const { JarvisError } = await import("@openjarvis/core");
    const bus = new EventBus();
    const seen = recordEvents(bus);
    const refusal = new JarvisError("OJ_ENGINE_CANNOT_ANSWER", "The rules cannot answer this.");
    const { jarvis } = scripted([refusal], { bus });
    expect(await failure(jarvis.ask("q"))).toBe(refusal);
    seen.assertBalanced();
  });
});

describe("the defaults of a distribution", () => {
  const defaults = { agent: "orchestrator", engine: "batteries", model: "m2", tools: ["think"] };

  it("hold where nobody else names anything, and go after everything else", async () => {
    EngineRegistry.registerValue(
      "batteries",
      () => new ScriptedEngine(() => "b", { engineId: "batteries", models: ["m1", "m2"] }),
    );
    const { jarvis } = scripted(() => "x", { defaults });
    expect(await jarvis.askFull("q")).toMatchObject({
      agent: "orchestrator",
      engine: "batteries",
      model: "m2",
      engineReason: "batteries: it is the default of this distribution",
    });
    expect(await jarvis.askFull("q", { engine: "rules", agent: "simple" })).toMatchObject({
      agent: "simple",
      engine: "rules",
    });
    await world.write("home/config.toml", '[engine]\ndefault = "rules"\n[agent]\ndefault_agent = "simple"\n');
    const { agent, engine, model } = await world.jarvis({ defaults }).askFull("q");
    expect([agent, engine, model]).toEqual(["simple", "rules", "m1"]);
    expect(() => world.jarvis({ defaults: { tool: [] } as never })).toThrow(
      'has no option "tool". Did you mean "tools"?',
    );
  });
});

describe("the builder", () => {
  it("wires a system with what it is given", async () => {
    const bus = new EventBus();
    const engine = new ScriptedEngine(() => "built", { engineId: "own", models: ["m"] });
    const system = await new SystemBuilder(world.options())
      .engine(engine)
      .model("m")
      .agent("orchestrator")
      .tools(["think"])
      .bus(bus)
      .confirm(() => true)
      .policy(() => "allow")
      .config({ intelligence: { temperature: 0.3 } })
      .build();
    const result = await system.askFull("q");
    expect(result).toMatchObject({ content: "built", agent: "orchestrator", model: "m", engine: "own" });
    expect(system.bus).toBe(bus);
    expect(system.config.intelligence.temperature).toBe(0.3);
    expect(engine.optionsOf(0).temperature).toBe(0.3);
    expect(system.home).toBe(world.home);
    await system.close();
  });

  it("hands out tools and agents for ways in of their own", async () => {
    const { jarvis } = scripted(() => "x");
    const system = await jarvis.system();
    const { engine, model } = await system.resolveEngine();
    const tools = await system.createTools(["think"], { engine, model });
    const agent = await system.createAgent({ agent: "orchestrator", engine, model, tools });
    expect((await agent.run("q")).content).toBe("x");
    expect(system.installed("tools")).toEqual(["calculator", "think"]);
    expect((await system.engine("rules")).engineId).toBe("rules");
    expect(await system.engine()).toBe(await system.engine("rules"));
    expect((await system.tool("calculator")).spec.name).toBe("calculator");
    await expect(system.tool("nope")).rejects.toMatchObject({ code: "OJ_TOOL_NOT_FOUND" });
  });
});
