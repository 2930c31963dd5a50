import { EngineRegistry, isJarvisError, type JarvisError } from "@openjarvis/core";
import { ScriptedEngine, startOllamaDouble } from "@openjarvis/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { engineCode, makeWorld, type World } from "./world.js";

let world: World;

beforeEach(async () => {
  world = await makeWorld();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

async function failure(promise: Promise<unknown>): Promise<JarvisError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (isJarvisError(error)) return error;
  throw new Error(`No JarvisError: ${String(error)}`);
}

async function resolve(options: Parameters<World["jarvis"]>[0] = {}, request = {}) {
  const system = await world.jarvis(options).system();
  const { engine, name, model, reason } = await system.resolveEngine(request);
  return { engineId: engine.engineId, name, model, reason };
}

const scripted = (id: string, options = {}) => {
  const engine = new ScriptedEngine(() => "answer", { engineId: id, ...options });
  EngineRegistry.registerValue(id, () => engine);
  return engine;
};

describe("an engine that is named", () => {
  it("is taken from the ask, then the program, then the environment, then the config", async () => {
    for (const id of ["a", "b", "c", "d"]) scripted(id);
    await world.write("home/config.toml", '[engine]\ndefault = "d"\n');
    const env = { HOME: world.path, OPENJARVIS_ENGINE: "c" };
    expect(await resolve({ engine: "b", env }, { engine: "a" })).toMatchObject({
      name: "a",
      reason: "a: it was named for this question",
    });
    expect(await resolve({ engine: "b", env })).toMatchObject({
      name: "b",
      reason: "b: it was named for this program",
    });
    expect(await resolve({ env })).toMatchObject({ name: "c", reason: "c: OPENJARVIS_ENGINE names it" });
    expect(await resolve()).toMatchObject({
      name: "d",
      reason: `d: engine.default of ${world.home}/config.toml:2 names it`,
    });
    expect(await resolve({ config: { engine: { default: "a" } } })).toMatchObject({
      name: "a",
      reason: "a: engine.default of the option `config` names it",
    });
  });

  it("is never replaced when it cannot be reached; the error names address and reason", async () => {
    scripted("rules");
    scripted("vllm", {
      health: { ok: false, detail: "connection refused", address: "http://127.0.0.1:8000" },
    });
    const error = await failure(resolve({ engine: "vllm" }));
    expect(error.code).toBe("OJ_ENGINE_UNREACHABLE");
    expect(error.message).toBe('Engine "vllm" at http://127.0.0.1:8000 cannot be used: connection refused');
    expect(error.hint).toBe("Start it, or choose another with --engine. Installed beside it: rules.");
    expect(error.details).toEqual({ engine: "vllm", address: "http://127.0.0.1:8000" });
  });

  it("is asked for its health again after it failed, and no more once it is well", async () => {
    let asked = 0;
    const engine = scripted("mine");
    engine.health = async () => {
      asked += 1;
      return { ok: asked > 1, detail: "starting" };
    };
    const system = await world.jarvis({ engine: "mine" }).system();
    await expect(system.resolveEngine()).rejects.toMatchObject({ code: "OJ_ENGINE_UNREACHABLE" });
    await system.resolveEngine();
    await system.resolveEngine();
    expect(asked).toBe(2);
  });

  it("that breaks its promise not to throw is unreachable, not a crash", async () => {
    scripted("mine").health = async () => {
      throw new TypeError("boom");
    };
    const error = await failure(resolve({ engine: "mine" }));
    expect(error).toMatchObject({ code: "OJ_ENGINE_UNREACHABLE" });
    expect(error.message).toContain("boom");
  });

  it("of this project that is not installed is named with its package", async () => {
    const error = await failure(resolve({ engine: "ollama" }));
    expect(error.code).toBe("OJ_ENGINE_NOT_INSTALLED");
    expect(error.message).toBe('No installed plugin provides engine "ollama".');
    expect(error.hint).toBe(
      "It is provided by @openjarvis/engine-ollama. Run: jarvis plugins add @openjarvis/engine-ollama " +
        "(in an application: npm install @openjarvis/engine-ollama)",
    );
  });

  it("that nobody knows lists what there is, with the nearest name", async () => {
    scripted("rules");
    const error = await failure(resolve({}, { engine: "rulse" }));
    expect(error.code).toBe("OJ_ENGINE_NOT_FOUND");
    expect(error.message).toBe('Unknown engine "rulse".');
    expect(error.hint).toBe('Installed engines: rules. Did you mean "rules"?');
  });

  it("may be an instance, which stays the caller's to close", async () => {
    let closed = 0;
    const engine = new ScriptedEngine(() => "hi", { engineId: "own", models: ["m"] });
    engine.close = async () => {
      closed += 1;
    };
    const jarvis = world.jarvis({ engine });
    expect((await (await jarvis.system()).resolveEngine()).name).toBe("own");
    await jarvis.close();
    expect(closed).toBe(0);
  });
});

describe("without a named engine", () => {
  it("Ollama answers when it is there and has a model", async () => {
    await using server = await startOllamaDouble({ models: ["qwen3:8b", "llama3.2:1b"] });
    scripted("rules");
    scripted("ollama", { models: ["qwen3:8b", "llama3.2:1b"] });
    const host = server.url.replace("http://", "");
    const resolved = await resolve({ env: { HOME: world.path, OLLAMA_HOST: host } });
    expect(resolved).toMatchObject({ name: "ollama", model: "qwen3:8b" });
    expect(resolved.reason).toBe(
      `ollama: no engine was named and Ollama answers at ${host}; qwen3:8b is the first of its 2 models`,
    );
  });

  it("the address of the config goes before OLLAMA_HOST", async () => {
    await using server = await startOllamaDouble({ models: ["m"] });
    scripted("ollama", { models: ["m"] });
    await world.write("home/config.toml", `[engine.ollama]\nhost = "${server.url}"\n`);
    expect(await resolve()).toMatchObject({ name: "ollama", model: "m" });
  });

  it("the rules answer when Ollama does not", async () => {
    scripted("rules", { models: ["rules"] });
    scripted("ollama");
    expect(await resolve()).toEqual({
      engineId: "rules",
      name: "rules",
      model: "rules",
      reason: "rules: no engine was named and Ollama does not answer at 127.0.0.1:1",
    });
  });

  it("the rules answer when Ollama has no model, and say how to get one", async () => {
    await using server = await startOllamaDouble({ models: [] });
    scripted("rules");
    scripted("ollama", { models: [] });
    const { name, reason } = await resolve({ env: { HOME: world.path, OLLAMA_HOST: server.url } });
    expect(name).toBe("rules");
    expect(reason).toContain("has no model (fetch one with: jarvis model pull <name>)");
  });

  it("the rules answer when something else listens at Ollama's address", async () => {
    await using server = await startOllamaDouble({ models: [] });
    scripted("rules");
    scripted("ollama").listModels = async () => {
      const { JarvisError } = await import("@openjarvis/core");
      throw new JarvisError("OJ_ENGINE_PROTOCOL", "it answers with a web page");
    };
    const { name, reason } = await resolve({ env: { HOME: world.path, OLLAMA_HOST: server.url } });
    expect(name).toBe("rules");
    expect(reason).toContain("cannot be used: it answers with a web page");
  });

  it("a model that was named lets Ollama say that it does not have it", async () => {
    await using server = await startOllamaDouble({ models: [] });
    scripted("rules");
    scripted("ollama", { models: [] });
    const options = { env: { HOME: world.path, OLLAMA_HOST: server.url } };
    expect(await resolve(options, { model: "qwen3:8b" })).toMatchObject({
      name: "ollama",
      model: "qwen3:8b",
    });
  });

  it("a wrong address of Ollama in the config is an error with its line, not a silent fallback", async () => {
    await world.addPlugin("app", "ollama-plugin", {
      provides: { engines: ["ollama"] },
      code: `core.EngineRegistry.register("ollama")((options) => {
        throw new core.JarvisError("OJ_OPTION", '"' + options.host + '" is not an address.', { hint: "Write it in \`host\`." });
      });`,
    });
    await world.write("home/config.toml", '# mine\n[engine.ollama]\nhost = "http://a b"\n');
    const error = await failure(resolve());
    expect(error.code).toBe("OJ_CONFIG_VALUE");
    expect(error.message).toBe(
      `${world.home}/config.toml:3: [engine.ollama] "http://a b" is not an address.`,
    );
  });

  it("llamacpp answers before the rules when a model is named for it", async () => {
    scripted("rules");
    scripted("llamacpp", { models: ["given.gguf"] });
    expect(
      await resolve({ config: { engine: { options: { llamacpp: { modelPath: "x.gguf" } } } } }),
    ).toMatchObject({
      name: "llamacpp",
    });
    expect(await resolve()).toMatchObject({ name: "rules" });
  });

  it("a hosted engine is never chosen", async () => {
    scripted("cloud", { hosted: true });
    const error = await failure(resolve());
    expect(error.code).toBe("OJ_ENGINE_NOT_FOUND");
    expect(error.hint).toBe("Name one of: cloud. Hosted engines are never chosen by themselves.");
  });

  it("the one local engine a program registered answers when nothing of the order is there", async () => {
    scripted("mine");
    expect(await resolve()).toMatchObject({
      name: "mine",
      reason: "mine: it is the only engine of this program",
    });
  });

  it("nothing installed at all is an error that says what to install", async () => {
    const error = await failure(resolve());
    expect(error.code).toBe("OJ_ENGINE_NOT_INSTALLED");
    expect(error.hint).toContain("@openjarvis/engine-ollama");
  });

  it("engines registered by hand are all there is: plugins that are installed are not loaded", async () => {
    await world.addPlugin("app", "engine-rules-of-plugin", {
      provides: { engines: ["rules"] },
      code: engineCode("rules"),
    });
    scripted("mine");
    expect(await resolve()).toMatchObject({ name: "mine" });
    expect(EngineRegistry.keys()).toEqual(["mine"]);
  });

  it("is decided once for a system", async () => {
    scripted("rules");
    scripted("ollama", { models: ["m"] });
    const env: NodeJS.ProcessEnv = { HOME: world.path, OLLAMA_HOST: "127.0.0.1:1" };
    const system = await world.jarvis({ env }).system();
    expect((await system.resolveEngine()).name).toBe("rules");
    await using server = await startOllamaDouble({ models: ["m"] });
    env.OLLAMA_HOST = server.url;
    expect((await system.resolveEngine()).name).toBe("rules");
  });
});

describe("the model", () => {
  it("is taken from the ask, then the program, then the environment, then the config", async () => {
    scripted("mine", { models: ["first", "second"] });
    await world.write(
      "home/config.toml",
      '[engine]\ndefault = "mine"\n[intelligence]\ndefault_model = "fourth"\n',
    );
    const env = { HOME: world.path, OPENJARVIS_MODEL: "third" };
    expect((await resolve({ model: "second", env, engine: "mine" }, { model: "first" })).model).toBe("first");
    expect((await resolve({ model: "second", env })).model).toBe("second");
    expect((await resolve({ env })).model).toBe("third");
    expect((await resolve()).model).toBe("fourth");
  });

  it("is the only one or the first of the engine when none is named; models that embed are passed over", async () => {
    scripted("one", { models: ["only"] });
    scripted("many", { models: ["nomic-embed-text", "b", "a"] });
    expect(await resolve({ engine: "one" })).toMatchObject({
      model: "only",
      reason: "one: it was named for this program",
    });
    expect(await resolve({ engine: "many" })).toMatchObject({
      model: "b",
      reason: "many: it was named for this program; b is the first of its 2 models",
    });
  });

  it("that nobody named and the engine does not have is an error", async () => {
    scripted("mine", { models: [] });
    const error = await failure(resolve({ engine: "mine" }));
    expect(error.code).toBe("OJ_MODEL_NOT_SET");
    expect(error.message).toBe('No model was named, and engine "mine" has none.');
  });

  it("of a hosted engine with several is not chosen for the user", async () => {
    scripted("cloud", { hosted: true, models: ["big", "small"] });
    const error = await failure(resolve({ engine: "cloud" }));
    expect(error.code).toBe("OJ_MODEL_NOT_SET");
    expect(error.hint).toBe("Name one of its 2: big, small");
  });

  it("of the config belongs to the config's engine: another engine uses it only when it has it", async () => {
    scripted("mine", { models: ["m"] });
    scripted("other", { models: ["o"] });
    scripted("both", { models: ["o", "m"] });
    const config = { engine: { default: "mine" }, intelligence: { defaultModel: "m" } };
    expect((await resolve({ config })).model).toBe("m");
    expect((await resolve({ config }, { engine: "mine" })).model).toBe("m");
    expect((await resolve({ config }, { engine: "both" })).model).toBe("m");
    expect(await resolve({ config }, { engine: "other" })).toMatchObject({
      model: "o",
      reason:
        "other: it was named for this question; it does not have the model m of intelligence.default_model",
    });
  });

  it("of the config is left out, and said so, when only the rules can answer", async () => {
    scripted("rules", { models: ["rules"] });
    scripted("ollama");
    const resolved = await resolve({ config: { intelligence: { defaultModel: "qwen3:8b" } } });
    expect(resolved.model).toBe("rules");
    expect(resolved.reason).toBe(
      "rules: no engine was named and Ollama does not answer at 127.0.0.1:1; " +
        "it does not have the model qwen3:8b of intelligence.default_model",
    );
  });

  it("that the ask names reaches the rules, which say that they do not have it", async () => {
    scripted("rules", { models: ["rules"] });
    expect((await resolve({}, { model: "qwen3:8b" })).model).toBe("qwen3:8b");
  });
});

describe("waiting for an engine", () => {
  it("ends with the caller's signal and leaves the others waiting", async () => {
    scripted("slow").health = async () => {
      await new Promise((done) => setTimeout(done, 60));
      return { ok: true, detail: "" };
    };
    const system = await world.jarvis({ engine: "slow" }).system();
    const controller = new AbortController();
    const given = system.resolveEngine({ signal: controller.signal });
    const other = system.resolveEngine();
    controller.abort();
    await expect(given).rejects.toMatchObject({ code: "OJ_ABORTED" });
    expect((await other).name).toBe("slow");
  });

  it("ends when the system closes", async () => {
    scripted("stuck").health = () => new Promise(() => {});
    const jarvis = world.jarvis({ engine: "stuck" });
    const waiting = (await jarvis.system()).resolveEngine();
    const outcome = expect(waiting).rejects.toMatchObject({ code: "OJ_ABORTED" });
    await new Promise((done) => setTimeout(done, 20));
    await jarvis.close();
    await outcome;
  });
});

describe("listing", () => {
  it("names installed engines without loading one", async () => {
    await world.addPlugin("app", "engine-x", { provides: { engines: ["x"] }, code: engineCode("x") });
    scripted("mine");
    expect(await world.jarvis().listEngines()).toEqual(["mine", "x"]);
    expect(EngineRegistry.keys()).toEqual(["mine"]);
  });

  it("gives the models of the named engine, or of the one that would answer", async () => {
    scripted("rules", { models: ["rules"] });
    scripted("other", { models: ["a", "b"] });
    const jarvis = world.jarvis();
    expect(await jarvis.listModels()).toEqual([{ id: "rules" }]);
    expect(await jarvis.listModels({ engine: "other" })).toEqual([{ id: "a" }, { id: "b" }]);
    await expect(jarvis.listModels({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "OJ_ABORTED",
    });
  });
});
