import { JarvisError } from "@openjarvis/core";
import { ScriptedEngine } from "@openjarvis/testing";
import { testPlugin, testTool } from "@openjarvis/testing/vitest";
import { describe, expect, it } from "vitest";
import { LLMTool } from "../src/index.js";

testPlugin(new URL("..", import.meta.url));

testTool(
  new LLMTool({
    engine: new ScriptedEngine(([message]) => (message?.content === "wait" ? { hang: true } : "Paris")),
    model: "m",
  }),
  {
    valid: { prompt: "Capital of France?" },
    invalid: [{}, { prompt: 5, system: [] }],
    cases: [[{ prompt: "Capital of France?" }, "Paris"]],
    slow: { prompt: "wait" },
  },
);

const usage = { promptTokens: 7, completionTokens: 2, totalTokens: 9 };

describe("a question to a model", () => {
  it("is sent alone, and answered with what it cost", async () => {
    const engine = new ScriptedEngine([{ text: "A short text.", usage }]);
    const tool = new LLMTool({ engine, model: "qwen3:8b" });
    const result = await tool.execute(
      { prompt: "Summarize: …", system: "You are concise." },
      { runId: "run_1" },
    );
    expect(result).toMatchObject({
      toolName: "llm",
      success: true,
      content: "A short text.",
      usage,
      metadata: { model: "qwen3:8b", engine: "scripted", finish_reason: "stop" },
    });
    const [call] = engine.calls;
    expect(call?.messages).toEqual([
      { role: "system", content: "You are concise." },
      { role: "user", content: "Summarize: …" },
    ]);
    expect(call?.options).toMatchObject({ model: "qwen3:8b", run: { runId: "run_1" } });
    expect(call?.options.tools).toBeUndefined();
  });

  it("has no system message when none is given, or an empty one", async () => {
    const engine = new ScriptedEngine(["yes", "yes"]);
    const tool = new LLMTool({ engine, model: "m" });
    await tool.execute({ prompt: "Is it?" });
    await tool.execute({ prompt: "Is it?", system: " " });
    for (const { messages } of engine.calls) expect(messages).toEqual([{ role: "user", content: "Is it?" }]);
  });

  it("is marked when the token limit cut the answer", async () => {
    const engine = new ScriptedEngine([{ text: "It was the best of", finishReason: "length" }]);
    const result = await new LLMTool({ engine, model: "m" }).execute({ prompt: "Go on." });
    expect(result).toMatchObject({ success: true, metadata: { truncated: true } });
    expect(result.content).toBe("It was the best of\n[The answer was cut by the token limit.]");
  });
});

describe("a failure", () => {
  const of = async (tool: LLMTool, prompt = "Hello") => {
    const { success, content, metadata } = await tool.execute({ prompt });
    return { success, content, code: metadata.code };
  };

  it("names what is missing", async () => {
    const engine = new ScriptedEngine([]);
    expect(await of(new LLMTool())).toMatchObject({ content: expect.stringMatching(/^No inference engine/) });
    expect(await of(new LLMTool({ engine }))).toMatchObject({
      content: expect.stringMatching(/^No model/),
      code: "OJ_MODEL_NOT_SET",
    });
    expect(await of(new LLMTool({ engine, model: "m" }), "  ")).toEqual({
      success: false,
      content: "The prompt is empty.",
      code: "OJ_TOOL_ARGUMENTS",
    });
  });

  it("of the engine keeps its code", async () => {
    const error = new JarvisError("OJ_ENGINE_UNREACHABLE", "Ollama does not answer at 127.0.0.1:11434.");
    const engine = new ScriptedEngine([error, new TypeError("boom")]);
    const tool = new LLMTool({ engine, model: "m" });
    expect(await of(tool)).toEqual({
      success: false,
      content: "LLM error: Ollama does not answer at 127.0.0.1:11434.",
      code: "OJ_ENGINE_UNREACHABLE",
    });
    expect(await of(tool)).toEqual({ success: false, content: "LLM error: boom", code: "OJ_TOOL_FAILED" });
  });

  it("is an answer without a text", async () => {
    const engine = new ScriptedEngine([" \n"]);
    const told = await of(new LLMTool({ engine, model: "m" }));
    expect(told).toMatchObject({ success: false, content: "LLM error: the model gave an empty answer." });
  });
});

describe("the tool", () => {
  it("has a deadline of its own, and is local when its engine is", () => {
    expect(new LLMTool().spec.timeoutSeconds).toBe(300);
    const hosted = new ScriptedEngine([], { hosted: true });
    expect(new LLMTool({ engine: hosted }).isLocal).toBe(false);
    expect(new LLMTool({ engine: new ScriptedEngine([]) }).isLocal).toBe(true);
  });
});
