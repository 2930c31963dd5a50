import { describe, expect, test, vi } from "vitest";
import { contextFor, factsOf } from "../src/model-facts.js";
import { cutPromptWarning, estimateTokens } from "../src/prompt-estimate.js";
import { ask, calculator, chatBodies, setUp } from "./support/setup.js";

function numCtx(body: Record<string, unknown> | undefined): unknown {
  return (body?.options as { num_ctx?: number } | undefined)?.num_ctx;
}

describe("the context window", () => {
  test.each([
    {
      name: "is the model's when that is small",
      model: { contextLength: 4096 },
      options: {},
      expected: 4096,
    },
    { name: "is at most 16384 by default", model: { contextLength: 131_072 }, options: {}, expected: 16_384 },
    {
      name: "is the Modelfile's when that has one",
      model: { contextLength: 131_072, parameters: 'stop "x"\nnum_ctx                        32768' },
      options: {},
      expected: 32_768,
    },
    {
      name: "is the option's before all",
      model: { contextLength: 131_072 },
      options: { numCtx: 65_536 },
      expected: 65_536,
    },
    {
      name: "is never more than the model can",
      model: { contextLength: 4096 },
      options: { numCtx: 65_536 },
      expected: 4096,
    },
  ])("$name", async ({ model, options, expected }) => {
    const { ollama, engine } = await setUp(
      { models: [{ name: "test-model", ...model }], replies: [{}] },
      options,
    );
    await ask(engine);
    expect(numCtx(chatBodies(ollama)[0])).toBe(expected);
    expect(await engine.capabilities("test-model")).toMatchObject({ contextLength: expected });
  });

  test("can be set by JARVIS_NUM_CTX", async () => {
    vi.stubEnv("JARVIS_NUM_CTX", "2048");
    const { ollama, engine } = await setUp({ replies: [{}] });
    vi.unstubAllEnvs();
    await ask(engine);
    expect(numCtx(chatBodies(ollama)[0])).toBe(2048);
  });

  test("is sent as 16384 to a server that cannot tell", async () => {
    const { ollama, engine } = await setUp({
      endpoints: { "/api/show": { error: { status: 404, body: "404 page not found" } } },
      replies: [{ text: "ok" }],
    });
    expect((await ask(engine)).content).toBe("ok");
    expect(numCtx(chatBodies(ollama)[0])).toBe(16_384);
  });

  test("is asked for once a model", async () => {
    const { ollama, engine } = await setUp({ replies: [{}, {}, {}] });
    await ask(engine);
    await Promise.all([ask(engine), ask(engine)]);
    await engine.capabilities("test-model");
    expect(ollama.requests.filter(({ path }) => path === "/api/show")).toHaveLength(1);
  });
});

describe("capabilities", () => {
  test("are what the server says", async () => {
    const { engine } = await setUp({
      models: [
        { name: "sees", capabilities: ["completion", "vision", "tools"] },
        { name: "plain", capabilities: ["completion"] },
        { name: "old", capabilities: null },
      ],
    });
    expect(await engine.capabilities("sees")).toEqual({ tools: true, vision: true, contextLength: 8192 });
    expect(await engine.capabilities("plain")).toEqual({ tools: false, vision: false, contextLength: 8192 });
    expect(await engine.capabilities("old")).toEqual({ contextLength: 8192 });
    await expect(engine.capabilities("none")).rejects.toMatchObject({ code: "OJ_ENGINE_MODEL_MISSING" });
  });

  test("survive answers that make no sense", () => {
    for (const shown of [null, "x", {}, { capabilities: "tools", model_info: [], parameters: 5 }]) {
      expect(factsOf(shown)).toEqual({});
    }
    expect(contextFor({}, undefined)).toBe(16_384);
  });
});

describe("a prompt the server cuts", () => {
  const long = "word ".repeat(30_000);

  test("is told by a warning that names the numbers", async () => {
    const { engine } = await setUp({
      replies: [{ text: "hm", usage: { promptTokens: 2051, completionTokens: 1 } }],
    });
    const result = await ask(engine, {}, [{ role: "user", content: long }]);
    expect(result.content).toBe("hm");
    expect(result.warnings).toHaveLength(1);
    expect(result.warnings[0]).toMatch(
      /prompt was cut: about 37500 tokens were sent, the model read 2051.*8192.*numCtx/,
    );
  });

  test("is not claimed for a count that fits, a short prompt, or no count", async () => {
    const { engine } = await setUp({
      replies: [
        { usage: { promptTokens: 30_001, completionTokens: 1 } },
        { usage: { promptTokens: 3, completionTokens: 1 } },
        { usage: null },
      ],
    });
    expect((await ask(engine, {}, [{ role: "user", content: long }])).warnings).toEqual([]);
    expect((await ask(engine)).warnings).toEqual([]);
    expect((await ask(engine, {}, [{ role: "user", content: long }])).warnings).toEqual([]);
  });

  test("counts tools and tool calls in the estimate", () => {
    const plain = estimateTokens([{ role: "user", content: "12345678" }]);
    expect(plain).toBe(2);
    expect(estimateTokens([{ role: "user", content: "12345678" }], [calculator])).toBeGreaterThan(plain + 20);
    const call = { id: "a", name: "calculator", arguments: "x".repeat(400) };
    expect(estimateTokens([{ role: "assistant", content: null, toolCalls: [call] }])).toBeGreaterThan(100);
    expect(cutPromptWarning(1000, 499, 4096)).toBeDefined();
    expect(cutPromptWarning(1000, 500, 4096)).toBeUndefined();
  });
});
