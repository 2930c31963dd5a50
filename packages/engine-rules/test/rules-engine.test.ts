import {
  EngineRegistry,
  type InferenceDelta,
  type InferenceEngine,
  isJarvisError,
  type Message,
} from "@openjarvis/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { RulesEngine } from "../src/index.js";
import { calculator, user } from "./driver.js";

const engine = new RulesEngine();
const tools = [calculator.toOpenAIFunction()];

async function deltasOf(messages: Message[], options: object = {}): Promise<InferenceDelta[]> {
  const deltas: InferenceDelta[] = [];
  for await (const delta of engine.stream(messages, { model: "rules", ...options })) deltas.push(delta);
  return deltas;
}

describe("the engine", () => {
  it("is registered as rules", () => {
    expect(EngineRegistry.get("rules")).toBe(RulesEngine);
    expect(EngineRegistry.create<InferenceEngine>("rules").engineId).toBe("rules");
    expectTypeOf(engine).toExtend<InferenceEngine>();
    expectTypeOf<typeof RulesEngine>().toBeConstructibleWith();
  });

  it("needs nothing and says so", async () => {
    expect(await engine.health()).toEqual({
      ok: true,
      detail: "built in: needs no model, no network and no download",
    });
    expect(await engine.listModels()).toEqual([{ id: "rules", contextLength: 1_000_000 }]);
    expect(await engine.capabilities()).toMatchObject({ tools: true, contextLength: 1_000_000 });
    expect(engine.hosted).toBe(false);
  });

  it("streams an answer in a few pieces, then usage and the finish reason", async () => {
    const deltas = await deltasOf([user("Hello")]);
    const texts = deltas.filter((delta) => delta.type === "text");
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.length).toBeLessThanOrEqual(8);
    expect(texts.map((delta) => delta.text).join("")).toContain("not a language model");
    expect(deltas.slice(texts.length).map((delta) => delta.type)).toEqual(["usage", "finish"]);
    expect(deltas.at(-1)).toEqual({ type: "finish", reason: "stop" });
  });

  it("gives tool calls with ids, their reason, and a usage that is not zero", async () => {
    const result = await engine.generate([user("What is 2+2 and 3*3?")], { model: "rules", tools });
    expect(result.toolCalls.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["calculator", '{"expression":"2 + 2"}'],
      ["calculator", '{"expression":"3 * 3"}'],
    ]);
    expect(new Set(result.toolCalls.map((call) => call.id)).size).toBe(2);
    expect(result.finishReason).toBe("tool_calls");
    expect(result.content).toBe("");
    expect(result.model).toBe("rules");
    expect(result.usage.promptTokens).toBe(5);
    expect(result.usage.completionTokens).toBeGreaterThan(0);
    expect(result.usage.totalTokens).toBe(result.usage.promptTokens + result.usage.completionTokens);
  });

  it("stops when the signal fires, before and between pieces", async () => {
    const aborted = AbortSignal.abort();
    await expect(deltasOf([user("Hello")], { signal: aborted })).rejects.toSatisfy((error) =>
      isJarvisError(error, "OJ_ABORTED"),
    );
    const controller = new AbortController();
    const seen: string[] = [];
    await expect(async () => {
      for await (const delta of engine.stream([user("Hello")], {
        model: "rules",
        signal: controller.signal,
      })) {
        seen.push(delta.type);
        controller.abort();
      }
    }).rejects.toSatisfy((error) => isJarvisError(error, "OJ_ABORTED"));
    expect(seen).toEqual(["text"]);
  });

  it("has one model", async () => {
    await expect(engine.generate([user("Hello")], { model: "qwen3:8b" })).rejects.toSatisfy((error) =>
      isJarvisError(error, "OJ_ENGINE_MODEL_MISSING"),
    );
  });

  it("takes no options", () => {
    expect(() => EngineRegistry.create("rules", { host: "x" })).toThrow('has no option "host"');
  });

  it("honours stop texts and the token limit", async () => {
    const stopped = await engine.generate([user("Hello")], {
      model: "rules",
      stop: ["", "rules", "nowhere"],
    });
    expect(stopped.content).toBe("Hello. I am the ");
    expect(stopped.finishReason).toBe("stop");
    const cut = await engine.generate([user("Hello")], { model: "rules", maxTokens: 4 });
    expect(cut.content).toBe("Hello. I am the ");
    expect(cut.finishReason).toBe("length");
  });
});

describe("greetings", () => {
  it.each([
    "Hello",
    "hi",
    "Hey Jarvis!",
    "Good morning.",
    "thanks",
    "Thank you!",
    "Who are you?",
    "What can you do?",
  ])("%s is answered honestly", async (text) => {
    for (const offered of [{}, { tools }]) {
      const { content, toolCalls } = await engine.generate([user(text)], { model: "rules", ...offered });
      expect(toolCalls).toEqual([]);
      expect(content).toContain("not a language model");
      expect(content).toContain("jarvis model pull");
    }
  });

  it.each(["Hello, who won the match?", "hi 5", "Hello 世界", "say hello to Bob"])(
    "%s is no greeting",
    async (text) => {
      await expect(engine.generate([user(text)], { model: "rules" })).rejects.toThrow("cannot answer");
    },
  );
});
