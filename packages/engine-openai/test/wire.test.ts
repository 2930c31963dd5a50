import { collect, type OpenAIFunction } from "@openjarvis/core";
import { engineCases, startOpenAIDouble } from "@openjarvis/testing";
import { describe, expect, test } from "vitest";
import { OpenAIEngine } from "../src/index.js";

const tools: OpenAIFunction[] = [
  {
    type: "function",
    function: { name: "calculator", description: "Calculates.", parameters: { type: "object" } },
  },
];

describe("what a reply becomes", () => {
  test.each(engineCases)("$name", async ({ reply, expected = {}, error }) => {
    const server = await startOpenAIDouble({ replies: [reply] });
    const engine = new OpenAIEngine({ engineId: "vllm", baseUrl: server.url });
    const answer = collect(
      engine.stream([{ role: "user", content: "hi" }], { model: "test-model", tools }),
      "test-model",
    );
    if (error !== undefined) {
      await expect(answer).rejects.toMatchObject({
        code: error.code,
        message: expect.stringMatching(error.message ?? /./),
      });
    } else {
      const { toolCalls, ...result } = await answer;
      const { toolCalls: expectedCalls = [], ...rest } = expected;
      expect(result).toMatchObject(rest);
      expect(toolCalls.map(({ id: _id, ...call }) => call)).toEqual(expectedCalls);
      const ids = toolCalls.map(({ id }) => id);
      expect(new Set(ids.filter((id) => id !== "")).size).toBe(toolCalls.length);
    }
    await engine.close();
    await server.close();
  });
});
