import { startOllamaDouble, toDoubleReply } from "@openjarvis/testing";
import { testEngine } from "@openjarvis/testing/vitest";
import { OllamaEngine } from "../src/index.js";

testEngine(
  async (replies) => {
    const ollama = await startOllamaDouble({ replies: replies.map(toDoubleReply) });
    return {
      engine: new OllamaEngine({ host: ollama.url }),
      model: "test-model",
      close: () => ollama.close(),
    };
  },
  { unreachable: () => new OllamaEngine({ host: "127.0.0.1:9" }) },
);
