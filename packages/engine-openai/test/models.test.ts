import { EngineRegistry, type InferenceEngine } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { isPrivateAddress, normalizeBaseUrl } from "../src/base-url.js";
import { OpenAIEngine, type OpenAIEngineOptions } from "../src/index.js";
import { resolveOptions } from "../src/options.js";
import { setUp } from "./support/setup.js";

describe("models", () => {
  test("are listed, with the window where the server tells it", async () => {
    const { engine } = await setUp({
      models: [
        { id: "a", max_model_len: 4096 },
        { id: "b", context_length: 9 },
        { id: "c", max_model_len: "x" },
        "d",
      ],
    });
    expect(await engine.listModels()).toEqual([
      { id: "a", contextLength: 4096 },
      { id: "b", contextLength: 9 },
      { id: "c" },
      { id: "d" },
    ]);
  });

  test("have the capabilities the server tells, asked for once", async () => {
    const { server, engine } = await setUp({ models: [{ id: "a", max_model_len: 4096 }, "d"] });
    expect(await engine.capabilities("a")).toEqual({ contextLength: 4096 });
    expect(await engine.capabilities("a")).toEqual({ contextLength: 4096 });
    expect(server.requests).toHaveLength(1);
    expect(await engine.capabilities("d")).toEqual({});
    expect(await engine.capabilities("unknown")).toEqual({});
  });

  test.each(["[]", "null", '{"models":[]}', '{"data":[{"name":"x"}]}', "<html>", ""])(
    "from something that does not speak the protocol (%s) are an error",
    async (body) => {
      const { engine } = await setUp({ endpoints: { "/v1/models": { body } } });
      await expect(engine.listModels()).rejects.toMatchObject({ code: "OJ_ENGINE_PROTOCOL" });
      expect(await engine.health()).toMatchObject({ ok: false });
    },
  );
});

test("health says how many models there are, or why not", async () => {
  const { server, engine } = await setUp({ models: ["a", "b"] });
  expect(await engine.health()).toEqual({ ok: true, detail: "vLLM, 2 models", address: server.url });
  expect(await engine.health({ signal: AbortSignal.abort() })).toMatchObject({ ok: false });
  const locked = await setUp({ apiKey: "k" });
  expect(await locked.engine.health()).toMatchObject({
    ok: false,
    detail: expect.stringMatching(/refused the key/),
  });
  const silent = await setUp(
    { endpoints: { "/v1/models": { faults: { stall: "headers" } } } },
    { healthTimeoutSeconds: 0.2 },
  );
  expect((await silent.engine.health()).detail).toMatch(/did not answer within 0\.2 s/);
});

describe("embeddings", () => {
  test("are one vector a text, in order, in batches, as plain numbers", async () => {
    const { server, engine } = await setUp({ dimensions: 4 });
    const texts = Array.from({ length: 130 }, (_, i) => `text ${i}`);
    const vectors = await engine.embed(texts, { model: "test-model" });
    expect(vectors.map(({ length }) => length)).toEqual(texts.map(() => 4));
    expect((await engine.embed(["text 129"], { model: "test-model" }))[0]).toEqual(vectors[129]);
    expect(server.requests[0]?.body).toMatchObject({ model: "test-model", encoding_format: "float" });
    expect(server.requests).toHaveLength(3);
    expect(await engine.embed([], { model: "test-model" })).toEqual([]);
  });

  test("are put in the order of their index", async () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ];
    const { engine } = await setUp({ endpoints: { "/v1/embeddings": { body: JSON.stringify({ data }) } } });
    expect(await engine.embed(["a", "b"], { model: "m" })).toEqual([Float32Array.of(1), Float32Array.of(2)]);
  });

  test.each([
    { data: [{ embedding: [1] }] },
    { data: [{ embedding: [1] }, { embedding: [1, 2] }] },
    { data: [{}, {}] },
    {},
  ])("that do not fit the texts (%j) are an error", async (answer) => {
    const { engine } = await setUp({ endpoints: { "/v1/embeddings": { body: JSON.stringify(answer) } } });
    await expect(engine.embed(["a", "b"], { model: "m" })).rejects.toMatchObject({
      code: "OJ_ENGINE_PROTOCOL",
    });
  });
});

describe("the base URL", () => {
  test.each([
    ["http://localhost:8000", "http://localhost:8000/v1"],
    ["http://localhost:8000/", "http://localhost:8000/v1"],
    ["http://localhost:8000/v1", "http://localhost:8000/v1"],
    ["http://localhost:8000/v1/", "http://localhost:8000/v1"],
    ["http://localhost:8000/v1/v1", "http://localhost:8000/v1"],
    ["http://localhost:8000/v1/chat/completions", "http://localhost:8000/v1"],
    ["gpu-box:8000", "http://gpu-box:8000/v1"],
    ["0.0.0.0:8000", "http://127.0.0.1:8000/v1"],
    ["https://example.com/proxy", "https://example.com/proxy/v1"],
    ["https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"],
    ["https://example.com/v1beta/openai/", "https://example.com/v1beta/openai"],
    ["https://example.com/api/paas/v4", "https://example.com/api/paas/v4"],
    [' "http://localhost:1234" ', "http://localhost:1234/v1"],
  ])("%j is %s", (text, expected) => {
    expect(normalizeBaseUrl(text, "baseUrl")).toBe(expected);
  });

  test.each(["", "http://", "ftp://x", "host:port"])("%j is refused", (text) => {
    expect(() => normalizeBaseUrl(text, "VLLM_BASE_URL")).toThrow(/VLLM_BASE_URL is not a base URL/);
  });

  test("has /v1 once, however often it is normalised", () => {
    const path = fc.array(fc.constantFrom("v1", "api", "openai", ""), { maxLength: 4 });
    fc.assert(
      fc.property(fc.domain(), path, (domain, parts) => {
        const once = normalizeBaseUrl(`https://${domain}/${parts.join("/")}`, "baseUrl");
        expect(normalizeBaseUrl(once, "baseUrl")).toBe(once);
        expect(once).toMatch(/\/v1(\/|$)/);
        expect(once).not.toMatch(/\/v1\/v1$|\/$/);
      }),
    );
  });

  test.each([
    ["http://127.0.0.1:1", true],
    ["http://127.9.9.9", true],
    ["http://2130706433", true],
    ["http://localhost", true],
    ["http://localhost.", true],
    ["http://[::1]:1", true],
    ["http://[fd00::1]", true],
    ["http://[fe80::1]", true],
    ["http://[::ffff:10.0.0.1]", true],
    ["http://10.1.2.3", true],
    ["http://172.16.0.1", true],
    ["http://172.31.0.1", true],
    ["http://192.168.0.1", true],
    ["http://100.64.0.1", true],
    ["http://gpu-box:8000", true],
    ["http://gpu.local", true],
    ["http://172.32.0.1", false],
    ["http://11.0.0.1", false],
    ["http://100.128.0.1", false],
    ["http://8.8.8.8", false],
    ["http://[2606:4700::1]", false],
    ["https://api.openai.com", false],
    ["https://10.example.com", false],
    ["https://localhost.example.com", false],
  ])("%s is private: %s", (url, expected) => {
    expect(isPrivateAddress(url)).toBe(expected);
  });
});

describe("options", () => {
  test("come from the environment by the engine's id", () => {
    const env = {
      OPENAI_BASE_URL: "https://proxy.example.com",
      OPENAI_API_KEY: "sk",
      VLLM_HOST: "gpu:9000",
      VLLM_API_KEY: "vk",
      SGLANG_HOST: "ignored:1",
      SGLANG_BASE_URL: "http://s:2/v1",
    };
    expect(resolveOptions({}, env)).toMatchObject({
      engineId: "openai",
      baseUrl: "https://proxy.example.com/v1",
      apiKey: "sk",
      hosted: true,
      maxRetries: 2,
    });
    expect(resolveOptions({ engineId: "vllm" }, env)).toMatchObject({
      baseUrl: "http://gpu:9000/v1",
      apiKey: "vk",
      hosted: false,
      maxRetries: 0,
    });
    expect(resolveOptions({ engineId: "sglang" }, env)).toMatchObject({
      baseUrl: "http://s:2/v1",
      apiKey: undefined,
    });
    expect(resolveOptions({ engineId: "vllm", baseUrl: "x:1", apiKey: "own" }, env)).toMatchObject({
      baseUrl: "http://x:1/v1",
      apiKey: "own",
    });
  });

  test.each([
    ["openai", "https://api.openai.com/v1", true],
    ["vllm", "http://127.0.0.1:8000/v1", false],
    ["sglang", "http://127.0.0.1:30000/v1", false],
    ["llamacpp_server", "http://127.0.0.1:8080/v1", false],
    ["lmstudio", "http://127.0.0.1:1234/v1", false],
  ])("have a default address for %s", (engineId, baseUrl, hosted) => {
    expect(resolveOptions({ engineId }, {})).toMatchObject({ baseUrl, hosted });
  });

  test("make OpenAI's engine one's own on a private address", () => {
    expect(resolveOptions({ baseUrl: "http://192.168.1.2:8000" }, {}).hosted).toBe(false);
    expect(resolveOptions({ engineId: "vllm", baseUrl: "https://gpu.example.com" }, {}).hosted).toBe(false);
    expect(resolveOptions({ engineId: "other", baseUrl: "https://api.example.com" }, {}).hosted).toBe(true);
  });

  test("that are unknown or wrong are refused", () => {
    expect(() => new OpenAIEngine({ baseURL: "x" } as OpenAIEngineOptions)).toThrow(
      /no option "baseURL".*"baseUrl"/,
    );
    expect(() => new OpenAIEngine({ engineId: "my-own" })).toThrow(/needs the base URL/);
    expect(() => new OpenAIEngine({ engineId: "a b" })).toThrow(/engineId/);
    expect(() => new OpenAIEngine({ engineId: "vllm", maxRetries: -1 })).toThrow(/maxRetries/);
    expect(() => new OpenAIEngine({ engineId: "vllm", timeoutSeconds: -1 })).toThrow(/timeoutSeconds/);
    expect(() => new OpenAIEngine({ engineId: "constructor" })).toThrow(/needs the base URL/);
  });
});

test("the plugin registers what its manifest provides", () => {
  expect(EngineRegistry.keys()).toEqual(manifest.openjarvis.provides.engines);
  vi.stubEnv("LMSTUDIO_HOST", "desk:1234");
  const engine = EngineRegistry.create("lmstudio");
  vi.unstubAllEnvs();
  expect(engine).toMatchObject({ engineId: "lmstudio", hosted: false, baseUrl: "http://desk:1234/v1" });
  expect(engine).toBeInstanceOf(OpenAIEngine);
});

test("the types say what the engine can do", () => {
  expectTypeOf<OpenAIEngine>().toExtend<InferenceEngine>();
  expectTypeOf<OpenAIEngine["embed"]>().returns.resolves.toEqualTypeOf<Float32Array[]>();
  expectTypeOf<{ maxRetries: "2" }>().not.toExtend<OpenAIEngineOptions>();
});
