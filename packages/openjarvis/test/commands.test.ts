import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { startOllamaDouble } from "@openjarvis/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outcomeOf, TestHome } from "./helpers/jarvis.js";

let home: TestHome;
beforeEach(() => {
  home = new TestHome(["engine-echo", "tool-danger"]);
});
afterEach(() => home.remove());

const json = async (args: readonly string[]) => JSON.parse((await home.run(args)).stdout) as unknown;

describe("the lists", () => {
  it("show tools with their package and origin", async () => {
    const { code, stdout } = await home.run(["tool", "list"]);
    expect(stdout).toMatch(/^NAME +PACKAGE +ORIGIN +DESCRIPTION\n/);
    expect(stdout).toMatch(/^calculator +@openjarvis\/tool-calculator \S+ +distribution +\S/m);
    expect(stdout).toMatch(/^danger +@fixture\/tool-danger 0\.3\.0 +home +A tool that must be allowed\.$/m);
    expect(code).toBe(0);
  });

  it("are JSON for programs", async () => {
    expect(await json(["tool", "list", "--json"])).toContainEqual({
      name: "danger",
      package: "@fixture/tool-danger",
      version: "0.3.0",
      origin: "home",
      description: "A tool that must be allowed.",
    });
    expect(await json(["agent", "list", "--json"])).toContainEqual(
      expect.objectContaining({ name: "orchestrator" }),
    );
  });

  it("say which engine is the configured one, and which can be used", async () => {
    home.write("home/config.toml", '[engine]\ndefault = "echo"\n');
    expect((await home.run(["engine", "list"])).stdout).toMatch(/^echo \(default\) /m);
    const checked = await home.run(["engine", "list", "--check"]);
    expect(checked.stdout).toMatch(/^echo \(default\) +ok /m);
    expect(checked.stdout).toMatch(/^ollama +down .*127\.0\.0\.1:9/m);
    expect(checked.code).toBe(0);
    home.write("home/config.toml", '[engine]\ndefault = "ollama"\n');
    expect((await home.run(["engine", "list", "--check"])).code).toBe(1);
  });
});

describe("jarvis tool inspect", () => {
  it("shows what a tool does and takes", async () => {
    const { code, stdout } = await home.run(["tool", "inspect", "danger"]);
    expect(stdout).toMatch(
      /### danger\nDoes what only a person may allow\.\nParameters:\n {2}- text \(string\): Anything/,
    );
    expect(stdout).toContain("Asks before each call.");
    expect(code).toBe(0);
  });

  it("gives the whole specification as JSON", async () => {
    expect(await json(["tool", "inspect", "danger", "--json"])).toMatchObject({
      name: "danger",
      requires_confirmation: true,
      parameters: { type: "object", properties: { text: { type: "string" } } },
    });
  });

  it("does not know every tool", async () => {
    const { code, stderr } = await home.run(["tool", "inspect", "dangr"]);
    expect(stderr).toMatch(/OJ_TOOL_NOT_FOUND.*\n.*Did you mean "danger"/);
    expect(code).toBe(1);
  });
});

describe("jarvis model", () => {
  it("lists the models of an engine", async () => {
    const { stdout } = await home.run(["model", "list", "--engine", "echo"]);
    expect(stdout).toMatch(/^MODEL +SIZE +CONTEXT\necho-1 +1\.5 GB +4096 tokens\necho-2\n$/);
    expect(await json(["model", "list", "-e", "echo", "--json"])).toEqual([
      { id: "echo-1", engine: "echo", size_bytes: 1_500_000_000, context_length: 4096 },
      { id: "echo-2", engine: "echo" },
    ]);
  });

  it("fetches one and says how far it is", async () => {
    const { code, stdout, stderr } = await home.run(["model", "pull", "echo-3", "--engine", "echo"]);
    expect(stderr).toMatch(/100 MB/);
    expect(stdout).toBe("echo-3 is ready.\n");
    expect(code).toBe(0);
  });

  it("fetches from Ollama when no engine is named and the one that answers cannot", async () => {
    await using ollama = await startOllamaDouble({ models: [] });
    const { stderr } = await home.run(["model", "pull", "tiny"], { env: { OLLAMA_HOST: ollama.url } });
    expect(stderr).toContain("engine: ollama");
    expect(ollama.requests.map(({ path }) => path)).toContain("/api/pull");
  });

  it("says which engine can, when the named one cannot", async () => {
    const { code, stderr } = await home.run(["model", "pull", "x", "--engine", "rules"]);
    expect(stderr).toMatch(/"rules" cannot fetch models.*\n.*--engine ollama/);
    expect(code).toBe(1);
  });

  it("reports what the engine says of a model that does not exist", async () => {
    const { code, stderr } = await home.run(["model", "pull", "nothing", "--engine", "echo"]);
    expect(stderr).toContain("OJ_ENGINE_MODEL_MISSING");
    expect(code).toBe(1);
  });

  it("can be cancelled", async () => {
    const child = home.start(["model", "pull", "endless", "--engine", "echo"]);
    child.stderr.on("data", (text: string) => {
      if (String(text).includes("pulling layer")) child.kill("SIGINT");
    });
    expect((await outcomeOf(child)).code).toBe(130);
  });
});

describe("jarvis config", () => {
  it("sets, shows, gets and checks", async () => {
    expect((await home.run(["config", "set", "intelligence.temperature", "0.2"])).code).toBe(0);
    expect((await home.run(["config", "get", "intelligence.temperature"])).stdout).toBe("0.2\n");
    expect((await home.run(["config", "show"])).stdout).toMatch(/intelligence\.temperature +0\.2/);
    expect(await json(["config", "show", "--json"])).toMatchObject({
      exists: true,
      set: { "intelligence.temperature": 0.2 },
    });
    expect((await home.run(["config", "path"])).stdout).toBe(`${join(home.home, "config.toml")}\n`);
    expect(await home.run(["config", "validate"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("is valid"),
    });
  });

  it("keeps comments and the rest of the file", async () => {
    const file = home.write(
      "home/config.toml",
      "# mine\n[intelligence] # models\ntemperature = 0.5 # warm\n",
    );
    await home.run(["config", "set", "intelligence.temperature", "0.1"]);
    expect(readFileSync(file, "utf8")).toBe("# mine\n[intelligence] # models\ntemperature = 0.1 # warm\n");
  });

  it.each([
    [
      ["config", "set", "intelligence.temprature", "1"],
      /OJ_CONFIG_KEY.*Did you mean "intelligence\.temperature"/,
    ],
    [["config", "set", "intelligence.temperature", "hot"], /OJ_CONFIG_VALUE/],
    [["config", "get", "nothing.here"], /OJ_CONFIG_KEY/],
    [["config", "get", "intelligence.temperature"], /OJ_CONFIG_KEY.*not set/],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await home.run(args);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  it("reports every problem of a file, with its line", async () => {
    const file = home.write("broken.toml", "[engine]\ndefalt = 'x'\n[intelligence]\nmax_tokens = 'many'\n");
    const { code, stderr } = await home.run(["config", "validate", file]);
    expect(stderr).toMatch(/OJ_CONFIG_KEY.*broken\.toml:2.*defalt/);
    expect(stderr).toMatch(/OJ_CONFIG_VALUE.*broken\.toml:4/);
    expect(code).toBe(1);
    const report = (await json(["config", "validate", file, "--json"])) as { problems: object[] };
    expect(report.problems).toMatchObject([{ line: 2 }, { line: 4 }]);
  });
});

describe("jarvis init", () => {
  it("writes a first configuration that is valid and private, and says what comes next", async () => {
    const { code, stdout, stderr } = await home.run(["init", "--yes"]);
    const file = join(home.home, "config.toml");
    expect(stdout).toBe(`Wrote ${file}\n`);
    expect(stderr).toMatch(/jarvis ask.*\n.*jarvis model pull/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(code).toBe(0);
    expect((await home.run(["config", "validate"])).code).toBe(0);
    expect((await home.run(["ask", "--tools", "calculator", "What is 2+2?"])).stdout).toContain("4");
  });

  it("proposes the model server that answers", async () => {
    await using ollama = await startOllamaDouble({ models: ["qwen3:8b"] });
    await home.run(["init", "--yes"], { env: { OLLAMA_HOST: ollama.url } });
    const text = readFileSync(join(home.home, "config.toml"), "utf8");
    expect(text).toMatch(/^default = "ollama"$/m);
    expect(text).toMatch(/^default_model = "qwen3:8b"$/m);
  });

  it("overwrites only when it is told to, also a file that is broken", async () => {
    const file = home.write("home/config.toml", "broken = [");
    const { code, stderr } = await home.run(["init", "--yes"]);
    expect(stderr).toMatch(/exists already.*\n.*--force/);
    expect(code).not.toBe(0);
    expect(readFileSync(file, "utf8")).toBe("broken = [");
    expect((await home.run(["init", "--yes", "--force"])).code).toBe(0);
    expect((await home.run(["config", "validate"])).code).toBe(0);
  });

  it("writes the file that OPENJARVIS_CONFIG names, though it is not there yet", async () => {
    const file = join(home.dir, "elsewhere", "config.toml");
    expect((await home.run(["init", "--yes"], { env: { OPENJARVIS_CONFIG: file } })).code).toBe(0);
    expect(existsSync(file)).toBe(true);
  });
});

describe("jarvis doctor", () => {
  it("is content with a fresh installation, and says that the rules are no model", async () => {
    const { code, stdout } = await home.run(["doctor"]);
    expect(stdout).toMatch(/^node +\S+ +ok/m);
    expect(stdout).toMatch(/^engine +rules +ok/m);
    expect(stdout).toMatch(/^answer +rules .*warn/m);
    expect(stdout).toMatch(/^0 errors, 1 warning$/m);
    expect(code).toBe(0);
  });

  it.each([
    ["a broken configuration", "[engine\n", /^config .*ERROR.*OJ_CONFIG_SYNTAX/m],
    ["a configured engine that does not answer", '[engine]\ndefault = "ollama"\n', /^engine +ollama +ERROR/m],
    ["a configured engine that does not exist", '[engine]\ndefault = "olama"\n', /ERROR.*olama/],
  ])("ends with 1 for %s", async (_what, config, message) => {
    home.write("home/config.toml", config);
    const { code, stdout } = await home.run(["doctor"]);
    expect(stdout).toMatch(message);
    expect(code).toBe(1);
    const report = (await home.run(["doctor", "--json"])).stdout;
    expect(JSON.parse(report)).toMatchObject({ ok: false });
  });
});
