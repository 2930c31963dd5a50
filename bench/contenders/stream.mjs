// One sample of stream.mjs: node stream.mjs CONTENDER URL, prints the CPU milliseconds of one answer as JSON.
const [contender, url] = process.argv.slice(2);
const model = "chunks512";
const messages = [{ role: "user", content: "go" }];

async function agentStream(engine) {
  const core = await import("../../packages/core/dist/index.js");
  const { SimpleAgent } = await import("../../packages/agent-simple/dist/index.js");
  const bus = new core.EventBus();
  let pieces = 0;
  bus.subscribe("INFERENCE_DELTA", () => {
    pieces += 1;
  });
  const agent = new SimpleAgent({ engine: new core.InstrumentedEngine(engine, bus), model, bus });
  return async () => {
    pieces = 0;
    await agent.run("go");
    return pieces;
  };
}

const makers = {
  async "openai-client"() {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "none" });
    return async () => {
      let pieces = 0;
      const stream = await client.chat.completions.create({ model, messages, stream: true });
      for await (const chunk of stream) if (chunk.choices[0]?.delta.content) pieces += 1;
      return pieces;
    };
  },
  async "ollama-client"() {
    const { Ollama } = await import("ollama");
    const client = new Ollama({ host: url });
    return async () => {
      let pieces = 0;
      for await (const part of await client.chat({ model, messages, stream: true }))
        if (part.message.content) pieces += 1;
      return pieces;
    };
  },
  async "openjarvis-openai"() {
    const { OpenAIEngine } = await import("../../packages/engine-openai/dist/index.js");
    return agentStream(new OpenAIEngine({ baseUrl: `${url}/v1`, apiKey: "none" }));
  },
  async "openjarvis-ollama"() {
    const { OllamaEngine } = await import("../../packages/engine-ollama/dist/index.js");
    return agentStream(new OllamaEngine({ host: url }));
  },
  async "ai-sdk"() {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const { streamText } = await import("ai");
    const provider = createOpenAICompatible({ name: "loopback", baseURL: `${url}/v1`, apiKey: "none" });
    return async () => {
      let pieces = 0;
      for await (const _ of streamText({ model: provider.chatModel(model), prompt: "go" }).textStream)
        pieces += 1;
      return pieces;
    };
  },
};

const run = await makers[contender]();
for (let index = 0; index < 20; index += 1) {
  const pieces = await run();
  if (pieces < 500) throw new Error(`${contender}: ${pieces} pieces`);
}
const before = process.cpuUsage();
const runs = 60;
for (let index = 0; index < runs; index += 1) await run();
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMs: (user + system) / 1000 / runs }));
process.exit(0);
