import { startOpenAIDouble, toDoubleReply } from "@openjarvis/testing";
import { testEngine } from "@openjarvis/testing/vitest";
import { OpenAIEngine } from "../src/index.js";

testEngine(
  async (replies) => {
    const server = await startOpenAIDouble({ replies: replies.map(toDoubleReply) });
    const engine = new OpenAIEngine({ engineId: "vllm", baseUrl: server.url });
    return { engine, model: "test-model", close: () => server.close() };
  },
  { unreachable: () => new OpenAIEngine({ engineId: "vllm", baseUrl: "127.0.0.1:9" }) },
);
