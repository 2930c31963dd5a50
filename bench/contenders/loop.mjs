// One sample of loop.mjs: node loop.mjs CONTENDER TURNS, prints JSON.
const [contender, turnText] = process.argv.slice(2);
const turns = Number(turnText);

const makers = {
  async bare() {
    return async () => {
      const messages = [{ role: "user", content: "go" }];
      for (let turn = 1; ; turn += 1) {
        const done = messages.filter((message) => message.role === "tool").length;
        if (done >= turns - 1) return turn;
        const call = { name: "add_one", arguments: JSON.stringify({ value: done }) };
        messages.push({ role: "assistant", toolCalls: [call] });
        messages.push({ role: "tool", content: String(JSON.parse(call.arguments).value + 1) });
        await null;
      }
    };
  },

  async openjarvis() {
    const core = await import("../../packages/core/dist/index.js");
    const { OrchestratorAgent } = await import("../../packages/agent-orchestrator/dist/index.js");
    class InstantEngine extends core.InferenceEngine {
      engineId = "instant";
      async generate(messages) {
        let done = 0;
        for (const message of messages) if (message.role === "tool") done += 1;
        const usage = { promptTokens: 1, completionTokens: 1, totalTokens: 2 };
        const base = { reasoning: "", usage, model: "m", warnings: [] };
        if (done >= turns - 1) return { ...base, content: "done", toolCalls: [], finishReason: "stop" };
        const call = { id: `call_${done}`, name: "add_one", arguments: `{"value":${done}}` };
        return { ...base, content: "", toolCalls: [call], finishReason: "tool_calls" };
      }
      async *stream() {}
    }
    const tool = core.defineTool({
      name: "add_one",
      description: "Adds one.",
      parameters: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
      run: ({ value }) => String(value + 1),
    });
    const bus = new core.EventBus();
    const count = () => {};
    for (const type of ["AGENT_TURN_START", "AGENT_TURN_END", "TOOL_CALL_START", "TOOL_CALL_END"])
      bus.subscribe(type, count);
    for (const type of ["INFERENCE_START", "INFERENCE_END"]) bus.subscribe(type, count);
    const engine = new core.InstrumentedEngine(new InstantEngine(), bus);
    const agent = new OrchestratorAgent({ engine, model: "m", bus, tools: [tool], maxTurns: turns + 1 });
    return async () => (await agent.run("go")).turns;
  },

  async "ai-sdk"() {
    const { generateText, jsonSchema, stepCountIs, tool } = await import("ai");
    const model = {
      specificationVersion: "v3",
      provider: "instant",
      modelId: "m",
      supportedUrls: {},
      async doGenerate({ prompt }) {
        let done = 0;
        for (const message of prompt) if (message.role === "tool") done += 1;
        const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
        if (done >= turns - 1) {
          return {
            content: [{ type: "text", text: "done" }],
            finishReason: { unified: "stop" },
            usage,
            warnings: [],
          };
        }
        const call = {
          type: "tool-call",
          toolCallId: `call_${done}`,
          toolName: "add_one",
          input: `{"value":${done}}`,
        };
        return { content: [call], finishReason: { unified: "tool-calls" }, usage, warnings: [] };
      },
    };
    const addOne = tool({
      description: "Adds one.",
      inputSchema: jsonSchema({
        type: "object",
        properties: { value: { type: "number" } },
        required: ["value"],
      }),
      execute: async ({ value }) => String(value + 1),
    });
    return async () => {
      const result = await generateText({
        model,
        tools: { add_one: addOne },
        prompt: "go",
        stopWhen: stepCountIs(turns + 1),
      });
      return result.steps.length;
    };
  },
};

const run = await makers[contender]();
const check = async () => {
  const taken = await run();
  if (taken !== turns) throw new Error(`${contender} took ${taken} turns, not ${turns}`);
};
await check();
const until = async (milliseconds, inFlight = 1) => {
  const started = performance.now();
  let runs = 0;
  while (performance.now() - started < milliseconds) {
    if (inFlight === 1) await run();
    else await Promise.all(Array.from({ length: inFlight }, run));
    runs += inFlight;
  }
  return { runs, elapsed: performance.now() - started };
};

await until(1500);
const cpuBefore = process.cpuUsage();
const single = await until(1500);
const cpu = process.cpuUsage(cpuBefore);
const many = await until(1500, 100);
globalThis.gc();
const heapBefore = process.memoryUsage().heapUsed;
const heapRuns = Math.max(5, Math.round(400 / turns));
for (let index = 0; index < heapRuns; index += 1) await run();
const allocated = process.memoryUsage().heapUsed - heapBefore;

console.log(
  JSON.stringify({
    wall: (single.elapsed * 1000) / single.runs / turns,
    cpu: (cpu.user + cpu.system) / single.runs / turns,
    kilobytes: allocated / heapRuns / turns / 1024,
    inFlightRatio: many.runs / many.elapsed / (single.runs / single.elapsed),
  }),
);
