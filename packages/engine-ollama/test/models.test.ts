import { EngineRegistry, type InferenceEngine, type PullOptions } from "@openjarvis/core";
import { describe, expect, expectTypeOf, test, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { OllamaEngine, type OllamaEngineOptions } from "../src/index.js";
import { resolveOptions } from "../src/options.js";
import { setUp } from "./support/setup.js";

describe("models", () => {
  test("are listed with their size, those of other machines last", async () => {
    const { engine } = await setUp({
      models: [
        { name: "far:cloud", size: 5, remoteHost: "https://ollama.com" },
        { name: "near:latest", size: 7 },
      ],
    });
    expect(await engine.listModels()).toEqual([
      { id: "near:latest", sizeBytes: 7 },
      { id: "far:cloud", sizeBytes: 5 },
    ]);
  });

  test.each([{ body: "[]" }, { body: "null" }, { body: '{"data":[]}' }, { body: "<html>" }, { body: "" }])(
    "from something that is not Ollama ($body) are an error",
    async ({ body }) => {
      const { engine } = await setUp({ endpoints: { "/api/tags": { body }, "/api/version": { body } } });
      await expect(engine.listModels()).rejects.toMatchObject({ code: "OJ_ENGINE_PROTOCOL" });
      expect(await engine.health()).toMatchObject({ ok: false });
    },
  );

  test("are fetched with progress summed over the layers, and can then be used", async () => {
    const { engine } = await setUp({ library: ["new"], replies: [{ text: "ok" }] });
    const progress: { completed: number; total: number; status: string }[] = [];
    await engine.pullModel("new", { onProgress: (step) => progress.push(step) });
    expect(progress.at(0)).toEqual({ completed: 0, total: 0, status: "pulling manifest" });
    expect(progress).toContainEqual({ completed: 400, total: 1000, status: "pulling aaaa" });
    expect(progress.at(-1)).toEqual({ completed: 1050, total: 1050, status: "success" });
    expect((await engine.generate([{ role: "user", content: "x" }], { model: "new" })).content).toBe("ok");
  });

  test("that do not exist anywhere cannot be fetched", async () => {
    const { engine } = await setUp();
    await expect(engine.pullModel("nonsense")).rejects.toMatchObject({
      code: "OJ_ENGINE_MODEL_MISSING",
      message: expect.stringMatching(/"nonsense".*file does not exist/),
      hint: expect.stringMatching(/ollama\.com\/library/),
    });
  });

  test("are fetched no further when the listener fails, whose error it is", async () => {
    const { engine } = await setUp({ library: ["new"] });
    const failing = new Error("the progress bar broke");
    const pull = engine.pullModel("new", {
      onProgress: () => {
        throw failing;
      },
    });
    await expect(pull).rejects.toBe(failing);
  });

  test("that were fetched only in part are an error", async () => {
    const { engine } = await setUp({
      endpoints: { "/api/pull": { frames: [{ status: "pulling manifest" }] } },
    });
    await expect(engine.pullModel("x")).rejects.toMatchObject({ code: "OJ_ENGINE_PROTOCOL" });
  });
});

test("a healthy server says its version", async () => {
  const { ollama, engine } = await setUp({ version: "0.99.1" });
  expect(await engine.health()).toEqual({ ok: true, detail: "Ollama 0.99.1", address: ollama.url });
  expect(await engine.health({ signal: AbortSignal.abort() })).toMatchObject({ ok: false });
});

describe("embeddings", () => {
  test("are one vector a text, in order, in batches", async () => {
    const { ollama, engine } = await setUp({ dimensions: 4 });
    const texts = Array.from({ length: 300 }, (_, i) => `text ${i}`);
    const vectors = await engine.embed(texts, { model: "test-model" });
    expect(vectors).toHaveLength(300);
    expect(vectors.every((vector) => vector instanceof Float32Array && vector.length === 4)).toBe(true);
    expect((await engine.embed(["text 299"], { model: "test-model" }))[0]).toEqual(vectors[299]);
    expect(ollama.requests.map(({ body }) => (body as { input: string[] }).input.length)).toEqual([
      128, 128, 44, 1,
    ]);
  });

  test("of nothing ask nobody", async () => {
    const { ollama, engine } = await setUp();
    expect(await engine.embed([], { model: "test-model" })).toEqual([]);
    expect(ollama.requests).toEqual([]);
  });

  test.each([{ embeddings: [[1, 2]] }, { embeddings: [[1, 2], [1]] }, { embeddings: [["x"], ["y"]] }, {}])(
    "that do not fit the texts (%j) are an error",
    async (answer) => {
      const { engine } = await setUp({ endpoints: { "/api/embed": { body: JSON.stringify(answer) } } });
      await expect(engine.embed(["a", "b"], { model: "m" })).rejects.toMatchObject({
        code: "OJ_ENGINE_PROTOCOL",
      });
    },
  );

  test("by a model that is missing are an error", async () => {
    const { engine } = await setUp();
    await expect(engine.embed(["a"], { model: "none" })).rejects.toMatchObject({
      code: "OJ_ENGINE_MODEL_MISSING",
    });
  });
});

describe("options", () => {
  test("that do not exist are refused, with the nearest name", () => {
    expect(() => new OllamaEngine({ hots: "x" } as OllamaEngineOptions)).toThrow(
      /has no option "hots". Did you mean "host"/,
    );
  });

  test.each<[OllamaEngineOptions, RegExp]>([
    [{ numCtx: 0 }, /numCtx/],
    [{ numCtx: 1.5 }, /numCtx/],
    [{ timeoutSeconds: -1 }, /timeoutSeconds/],
    [{ timeoutSeconds: Number.NaN }, /timeoutSeconds/],
    [{ healthTimeoutSeconds: 0 }, /healthTimeoutSeconds/],
    [{ think: "very" as "high" }, /think/],
    [{ host: "not an address" }, /not an address/],
  ])("with wrong values (%j) are refused", (options, message) => {
    expect(() => new OllamaEngine(options)).toThrow(message);
  });

  test("take the host from the option, then OLLAMA_HOST, then the default", () => {
    expect(resolveOptions({ host: "a:1" }, { OLLAMA_HOST: "b:2" }).host).toBe("http://a:1");
    expect(resolveOptions({}, { OLLAMA_HOST: "b:2" }).host).toBe("http://b:2");
    expect(resolveOptions({}, { OLLAMA_HOST: " " }).host).toBe("http://127.0.0.1:11434");
    expect(resolveOptions({}, {}).host).toBe("http://127.0.0.1:11434");
    expect(() => resolveOptions({}, { JARVIS_NUM_CTX: "many" })).toThrow(/JARVIS_NUM_CTX/);
  });
});

describe("the plugin", () => {
  test("registers what its manifest provides", () => {
    expect(manifest.openjarvis.provides.engines).toEqual(["ollama"]);
    expect(EngineRegistry.get("ollama")).toBe(OllamaEngine);
    vi.stubEnv("OLLAMA_HOST", "example.test:1234");
    const engine = EngineRegistry.create("ollama");
    vi.unstubAllEnvs();
    expect(engine).toBeInstanceOf(OllamaEngine);
    expect(engine).toMatchObject({ engineId: "ollama", hosted: false, host: "http://example.test:1234" });
  });

  test("is hosted only at ollama.com", () => {
    const hosted = (host: string): boolean => new OllamaEngine({ host }).hosted;
    expect(hosted("https://ollama.com")).toBe(true);
    expect(hosted("https://api.ollama.com")).toBe(true);
    expect(hosted("https://notollama.com")).toBe(false);
    expect(hosted("http://192.168.1.5:11434")).toBe(false);
  });
});

test("the types say what the engine can do", () => {
  expectTypeOf<OllamaEngine>().toExtend<InferenceEngine>();
  expectTypeOf<OllamaEngine["engineId"]>().toEqualTypeOf<"ollama">();
  expectTypeOf<OllamaEngine["embed"]>().returns.resolves.toEqualTypeOf<Float32Array[]>();
  expectTypeOf<OllamaEngine["pullModel"]>().parameters.toEqualTypeOf<
    [model: string, options?: PullOptions]
  >();
  expectTypeOf<{ numCtx: "8192" }>().not.toExtend<OllamaEngineOptions>();
});
