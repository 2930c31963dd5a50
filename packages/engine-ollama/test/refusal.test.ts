import { isJarvisError } from "@openjarvis/core";
import { describe, expect, test } from "vitest";
import { OllamaEngine } from "../src/index.js";
import { ask, calculator, chatBodies, hello, setUp } from "./support/setup.js";

describe("a model without tools", () => {
  test("is asked once more without them when the server refuses, and the person is told", async () => {
    const { ollama, engine } = await setUp({
      models: [{ name: "test-model", capabilities: null }],
      replies: [{ error: "tools_unsupported" }, { text: "hi" }, { text: "again" }],
    });
    const result = await ask(engine, { tools: [calculator] });
    expect(result.content).toBe("hi");
    expect(result.warnings).toEqual(['The model "test-model" cannot call tools; it was asked without them.']);
    expect(chatBodies(ollama).map(({ tools }) => tools !== undefined)).toEqual([true, false]);

    const next = await ask(engine, { tools: [calculator] });
    expect(next).toMatchObject({ content: "again", warnings: result.warnings });
    expect(chatBodies(ollama)).toHaveLength(3);
    expect(await engine.capabilities("test-model")).toMatchObject({ tools: false });
  });

  test("is asked without them at once when the server says so beforehand", async () => {
    const { ollama, engine } = await setUp({
      models: [{ name: "test-model", capabilities: ["completion"] }],
      replies: [{ text: "hi" }],
    });
    const result = await ask(engine, { tools: [calculator] });
    expect(result.warnings).toHaveLength(1);
    expect(chatBodies(ollama).map(({ tools }) => tools)).toEqual([undefined]);
  });
});

test("a model that cannot think is asked to answer at once", async () => {
  const refusal = { status: 400, body: { error: '"test-model" does not support thinking' } };
  const { ollama, engine } = await setUp(
    { replies: [{ error: refusal }, { text: "hi" }] },
    { think: "high" },
  );
  const result = await ask(engine);
  expect(result.content).toBe("hi");
  expect(result.warnings[0]).toMatch(/cannot think/);
  expect(chatBodies(ollama).map(({ think }) => think)).toEqual(["high", undefined]);
});

test.each([
  { error: "does not support tools", tools: false },
  { error: "invalid tool schema", tools: true },
  { error: "does not support thinking", tools: true },
])("another 400 ($error) is not tried again", async ({ error, tools }) => {
  const { ollama, engine } = await setUp({ replies: [{ error: { status: 400, body: { error } } }] });
  await expect(ask(engine, tools ? { tools: [calculator] } : {})).rejects.toMatchObject({
    code: "OJ_ENGINE_BAD_REQUEST",
    details: { status: 400, serverMessage: error },
  });
  expect(chatBodies(ollama)).toHaveLength(1);
});

test("a model that keeps refusing is not asked for ever", async () => {
  const { engine } = await setUp({
    models: [{ name: "test-model", capabilities: null }],
    replies: [{ error: "tools_unsupported" }, { error: "tools_unsupported" }],
  });
  await expect(ask(engine, { tools: [calculator] })).rejects.toMatchObject({ code: "OJ_ENGINE_BAD_REQUEST" });
});

describe("what a person is told", () => {
  test("when nothing listens", async () => {
    const engine = new OllamaEngine({ host: "127.0.0.1:9" });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_UNREACHABLE",
      message: expect.stringMatching(
        /^Ollama does not answer at http:\/\/127\.0\.0\.1:9: connect ECONNREFUSED 127\.0\.0\.1:9\.$/,
      ),
      hint: "Start it with `ollama serve`, or choose another engine with --engine.",
      details: { address: "http://127.0.0.1:9" },
    });
    await expect(engine.listModels()).rejects.toMatchObject({ code: "OJ_ENGINE_UNREACHABLE" });
    expect(await engine.health()).toEqual({
      ok: false,
      detail: expect.stringContaining("ECONNREFUSED"),
      address: "http://127.0.0.1:9",
      code: "OJ_ENGINE_UNREACHABLE",
      hint: expect.stringContaining("ollama serve"),
    });
    await engine.close();
  });

  test("when the name of the server does not resolve", async () => {
    const engine = new OllamaEngine({ host: "http://ollama.invalid:11434" });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_UNREACHABLE",
      message: expect.stringMatching(/ollama\.invalid/),
    });
    await engine.close();
  });

  test("when the model is not there", async () => {
    const { engine } = await setUp();
    await expect(ask(engine, { model: "qwen3:8b" })).rejects.toMatchObject({
      code: "OJ_ENGINE_MODEL_MISSING",
      message: expect.stringMatching(/does not have the model "qwen3:8b"/),
      hint: "Fetch it with `jarvis model pull qwen3:8b` or `ollama pull qwen3:8b`.",
    });
  });

  test("when the model went away after it was first used", async () => {
    const { ollama, engine } = await setUp({
      replies: [{ text: "ok" }, { error: "model_missing" }, { text: "back" }],
    });
    await ask(engine);
    await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_MODEL_MISSING" });
    await ask(engine);
    expect(ollama.requests.filter(({ path }) => path === "/api/show")).toHaveLength(2);
  });

  test("when the server asks to wait", async () => {
    const { engine } = await setUp({ replies: [{ error: "rate_limited" }] });
    await expect(ask(engine)).rejects.toMatchObject({
      code: "OJ_ENGINE_RATE_LIMIT",
      hint: "Wait 7 s, then try again.",
      details: { retryAfterSeconds: 7 },
    });
  });

  test("when the model runs on other machines", async () => {
    const { engine } = await setUp({
      models: [{ name: "test-model", remoteHost: "https://ollama.com:443" }],
      replies: [{ text: "ok" }],
    });
    const result = await ask(engine);
    expect(result.warnings).toEqual([
      '"test-model" runs at https://ollama.com:443: the conversation leaves this machine.',
    ]);
  });

  test("never with the login that an address may hold", async () => {
    const engine = new OllamaEngine({ host: "http://user:secret@127.0.0.1:9" });
    const error = await ask(engine).catch((thrown: unknown) => thrown);
    expect(isJarvisError(error) && `${error.message} ${JSON.stringify(error.details)}`).not.toContain(
      "secret",
    );
    await engine.close();
  });
});

test("lines that are no JSON are an error, never skipped", async () => {
  const line = (content: string, done: boolean): string =>
    `${JSON.stringify({ model: "m", message: { role: "assistant", content }, done, done_reason: "stop" })}\n`;
  const bodies = [
    `${line("a", false)}garbage\n${line("b", true)}`,
    `${line("a", false)}{"half":\n${line("b", true)}`,
    "[1]\n",
  ];
  const { engine } = await setUp({ replies: bodies.map((body) => ({ body })) });
  for (const _ of bodies) await expect(ask(engine)).rejects.toMatchObject({ code: "OJ_ENGINE_PROTOCOL" });
});

test("a line of JSON that breaks inside is an error too", async () => {
  const good = JSON.stringify({ model: "m", message: { content: "b" }, done: true });
  const { engine } = await setUp({ replies: [{ body: `{"message":{"content":"a"}}{}\n${good}\n` }] });
  await expect(ask(engine)).rejects.toMatchObject({
    code: "OJ_ENGINE_PROTOCOL",
    message: expect.stringMatching(/not valid JSON/),
  });
});

test("null and missing fields of a chunk count as empty", async () => {
  const frames = [
    { message: null },
    {},
    { message: { content: null, tool_calls: null } },
    { done: true, done_reason: null },
  ];
  const { engine } = await setUp({ replies: [{ frames }] });
  expect(await ask(engine)).toMatchObject({ content: "", toolCalls: [], finishReason: "stop" });
  expect(hello).toHaveLength(1);
});
