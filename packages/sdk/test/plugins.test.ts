import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { AgentRegistry, EngineRegistry, EventBus, ToolRegistry } from "@openjarvis/core";
import { recordEvents } from "@openjarvis/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  discoverInstalled,
  firstPartyPackages,
  pluginRoots,
  trustProject,
  untrustProject,
} from "../src/index.js";
import { agentCode, engineCode, makeWorld, toolCode, type World } from "./world.js";

let world: World;
const program = process.argv[1];

beforeEach(async () => {
  world = await makeWorld();
});

afterEach(async () => {
  process.argv[1] = program ?? "";
  await world[Symbol.asyncDispose]();
});

/** What an ask needs, as plugins of the application. */
async function addBasics() {
  await world.addPlugin("app", "engine-a", { provides: { engines: ["rules"] }, code: engineCode("rules") });
  await world.addPlugin("app", "agent-a", { provides: { agents: ["simple"] }, code: agentCode("simple") });
  await world.addPlugin("app", "agent-t", {
    provides: { agents: ["orchestrator"] },
    code: `core.AgentRegistry.register("orchestrator")(class extends core.ToolUsingAgent {
      agentId = "orchestrator";
      async respond(run) {
        run.turns = 1;
        await this.generate(run, this.buildMessages(run));
        const calls = this.tools.map(({ spec }) => ({ id: spec.name, name: spec.name, arguments: "{}" }));
        for (const { result } of await this.callTools(run, calls, this.createLoopGuard())) run.lastContent += result.content;
        return this.result(run, run.lastContent, "final");
      }
    });`,
  });
}

describe("finding plugins", () => {
  it("answers with plugins on disk that no program imported", async () => {
    await addBasics();
    const result = await world.jarvis().askFull("hello");
    expect(result).toMatchObject({
      content: "rules: hello",
      agent: "simple",
      engine: "rules",
      model: "rules-model",
      usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 },
      turns: 1,
      stopReason: "final",
    });
  });

  it("loads the owners of the names an ask needs, and no other", async () => {
    await addBasics();
    await world.addPlugin("app", "tool-a", { provides: { tools: ["a"] }, code: toolCode("a", "A!") });
    await world.addPlugin("app", "tool-b", {
      provides: { tools: ["b"] },
      code: "throw new Error('loaded b');",
    });
    const { toolResults } = await world.jarvis().askFull("go", { tools: ["a"] });
    expect(toolResults.map(({ content }) => content)).toEqual(["A!"]);
    expect(ToolRegistry.keys()).toEqual(["a"]);
    expect(AgentRegistry.keys()).toEqual(["orchestrator"]);
  });

  it("a broken plugin stops only the ask that needs it", async () => {
    await addBasics();
    await world.addPlugin("app", "tool-broken", {
      provides: { tools: ["broken"] },
      code: "throw new Error('no');",
    });
    await world.write("app/node_modules/tool-torn/package.json", "{ torn");
    const jarvis = world.jarvis();
    await expect(jarvis.ask("hello", { tools: ["broken"] })).rejects.toMatchObject({
      code: "OJ_PLUGIN_LOAD",
      message: expect.stringContaining("tool-broken"),
    });
    expect(await jarvis.ask("hello")).toBe("rules: hello");
  });

  it("an id of two plugins is an error that names both, until the config prefers one", async () => {
    await addBasics();
    await world.addPlugin("app", "tool-1", { provides: { tools: ["t"] }, code: toolCode("t", "one") });
    await world.addPlugin("app", "tool-2", { provides: { tools: ["t"] }, code: toolCode("t", "two") });
    await expect(world.jarvis().ask("x", { tools: ["t"] })).rejects.toMatchObject({
      code: "OJ_DUPLICATE_ID",
      message: '"t" (tools) is provided by tool-1 (distribution) and tool-2 (distribution).',
    });
    await world.write("home/config.toml", '[plugins.prefer]\nt = "tool-2"\n');
    expect((await world.jarvis().askFull("x", { tools: ["t"] })).toolResults[0]?.content).toBe("two");
  });

  it("a plugin that is turned off is not loaded, and the error says what turns it off", async () => {
    await addBasics();
    await world.addPlugin("app", "tool-a", { provides: { tools: ["a"] }, code: toolCode("a") });
    await world.write("home/config.toml", '[plugins]\ndisabled = ["tool-a", "tool-z"]\n');
    const system = await world.jarvis().system();
    expect(system.plugins.map(({ name }) => name)).toEqual(["engine-a", "agent-a", "agent-t"]);
    await expect(system.askFull("x", { tools: ["a"] })).rejects.toMatchObject({
      code: "OJ_TOOL_NOT_INSTALLED",
      hint: "tool-a provides it, but plugins.disabled of the config turns it off.",
    });
  });

  it("a name in plugins.disabled that is probably mistyped is a warning with its line", async () => {
    await addBasics();
    await world.write("home/config.toml", '[plugins]\ndisabled = ["engine-aa"]\n');
    const bus = new EventBus();
    const events = recordEvents(bus);
    await world.jarvis({ bus }).ask("hello");
    expect(events.of("WARNING").map(({ data }) => data.message)).toEqual([
      `${world.home}/config.toml:2: plugins.disabled names "engine-aa", which is not installed. Did you mean "engine-a"?`,
    ]);
  });

  it("with plugins none, only what was imported by hand is there", async () => {
    await addBasics();
    await expect(world.jarvis({ plugins: "none" }).ask("hello")).rejects.toMatchObject({
      code: "OJ_AGENT_NOT_INSTALLED",
    });
    expect((await world.jarvis({ plugins: "none" }).system()).plugins).toEqual([]);
  });

  it("nothing is looked for when everything was registered by hand", async () => {
    const { ScriptedEngine } = await import("@openjarvis/testing");
    const { SimpleAgent } = await import("@openjarvis/agent-simple");
    AgentRegistry.registerValue("simple", SimpleAgent);
    EngineRegistry.registerValue("rules", () => new ScriptedEngine(() => "by hand"));
    // A root that cannot be resolved would be an error as soon as anything were looked for.
    const jarvis = world.jarvis({ root: join(world.path, "missing") });
    expect(await jarvis.ask("hello")).toBe("by hand");
  });
});

describe("the roots", () => {
  const dirs = (options: Parameters<typeof pluginRoots>[0]) =>
    pluginRoots(world.options(options)).roots.map(({ dir, origin }) => [origin, dir]);

  it("takes a file, a folder, a URL and import.meta.url for the root", async () => {
    const file = await world.write("app/src/deep/main.js", "");
    await world.write("app/src/package.json", '{ "type": "module" }');
    for (const root of [world.app, file, pathToFileURL(file), pathToFileURL(file).href]) {
      expect(dirs({ root })).toEqual([["distribution", world.app]]);
    }
  });

  it("a root that does not exist is an error", () => {
    expect(() => pluginRoots(world.options({ root: "/no/such/folder" }))).toThrow(
      "The option `root` names /no/such/folder, which does not exist.",
    );
  });

  it("the package of the running program is the default, also through a link", async () => {
    const bin = await world.write("app/bin/program.js", "");
    await mkdir(join(world.path, "links"));
    await symlink(bin, join(world.path, "links/program"));
    process.argv[1] = join(world.path, "links/program");
    expect(dirs({ root: undefined })).toEqual([["distribution", world.app]]);
  });

  it("plugins of the home come after those of the program; a package reached twice is listed once", async () => {
    await world.addPlugin("app", "tool-a", { provides: { tools: ["a"] }, code: toolCode("a") });
    await world.addPlugin("home/plugins", "tool-h", { provides: { tools: ["h"] }, code: toolCode("h") });
    await world.addPlugin("home/plugins", "tool-s", { provides: { tools: ["s"] }, code: toolCode("s") });
    await symlink(join(world.home, "plugins/node_modules/tool-s"), join(world.app, "node_modules/tool-s"));
    await world.write("app/package.json", '{ "dependencies": { "tool-a": "*", "tool-s": "*" } }');
    const { plugins } = discoverInstalled(world.options());
    expect(plugins.map(({ name, origin }) => [name, origin])).toEqual([
      ["tool-a", "distribution"],
      ["tool-s", "distribution"],
      ["tool-h", "home"],
    ]);
  });

  it("with plugins distribution, those of the home and the project are left out", async () => {
    await world.addPlugin("app", "tool-a", { provides: { tools: ["a"] }, code: "" });
    await world.addPlugin("home/plugins", "tool-h", { provides: { tools: ["h"] }, code: "" });
    const installed = discoverInstalled(
      world.options({ plugins: "distribution", projectDir: join(world.home, "plugins") }),
    );
    expect(installed.plugins.map(({ name }) => name)).toEqual(["tool-a"]);
    expect(installed.ignored).toBeUndefined();
  });

  it("a listing tells which plugins the config turns off", async () => {
    await world.addPlugin("app", "tool-a", { provides: { tools: ["a"] }, code: "" });
    const config = { plugins: { disabled: ["tool-a", "tool-elsewhere"], prefer: {} } };
    const { plugins, disabled } = discoverInstalled(world.options({ config }));
    expect(plugins.map(({ name }) => name)).toEqual(["tool-a"]);
    expect(disabled).toEqual(["tool-a"]);
  });

  it("optional dependencies of the program count, its development dependencies do not", async () => {
    await world.addPlugin("app", "tool-o", { provides: { tools: ["o"] }, code: "" });
    await world.addPlugin("app", "tool-d", { provides: { tools: ["d"] }, code: "" });
    await world.write(
      "app/package.json",
      '{ "optionalDependencies": { "tool-o": "*" }, "devDependencies": { "tool-d": "*" } }',
    );
    expect(discoverInstalled(world.options()).plugins.map(({ name }) => name)).toEqual(["tool-o"]);
  });
});

describe("a distribution among the dependencies", () => {
  beforeEach(async () => {
    await addBasics();
    await world.write(
      "app/node_modules/my-jarvis/package.json",
      JSON.stringify({
        name: "my-jarvis",
        dependencies: { "engine-a": "*", "tool-in": "*" },
        optionalDependencies: { "tool-opt": "*" },
        openjarvis: { distribution: true },
      }),
    );
    for (const id of ["in", "opt"]) {
      await world.addPlugin("app", `tool-${id}`, { provides: { tools: [id] }, code: toolCode(id) });
    }
  });

  it("brings its plugins to the program that depends on it", async () => {
    await world.write("app/package.json", '{ "dependencies": { "my-jarvis": "*", "agent-t": "*" } }');
    const { plugins, roots } = discoverInstalled(world.options());
    expect(plugins.map(({ name, origin }) => [name, origin])).toEqual([
      ["agent-t", "distribution"],
      ["engine-a", "distribution"],
      ["tool-in", "distribution"],
      ["tool-opt", "distribution"],
    ]);
    expect(roots.map(({ dir }) => dir)).toEqual([world.app, join(world.app, "node_modules/my-jarvis")]);
    expect((await world.jarvis().askFull("q", { tools: ["in"] })).toolResults[0]?.content).toBe(
      "result of in",
    );
  });

  it("brings them to a trusted project only", async () => {
    await world.write(
      "project/package.json",
      '{ "name": "project", "devDependencies": { "my-jarvis": "*" } }',
    );
    await mkdir(join(world.path, "project/node_modules"), { recursive: true });
    await symlink(
      join(world.app, "node_modules/my-jarvis"),
      join(world.path, "project/node_modules/my-jarvis"),
    );
    const options = world.options({ projectDir: join(world.path, "project") });
    expect(discoverInstalled(options).ignored).toBeUndefined();
    await world.write("app/package.json", "{}");
    expect(discoverInstalled(options).ignored).toEqual({ dir: join(world.path, "project"), count: 3 });
    trustProject(world.home, join(world.path, "project"));
    expect(discoverInstalled(options).plugins).toHaveLength(3);
  });
});

describe("a project in the working folder", () => {
  beforeEach(async () => {
    await world.addPlugin("project", "tool-p", {
      provides: { tools: ["p"] },
      code: toolCode("p", "from project"),
    });
    await addBasics();
  });

  const project = () => join(world.path, "project");

  it("adds no plugin before it is trusted; how many are left out can be asked", async () => {
    const jarvis = world.jarvis({ projectDir: project() });
    const system = await jarvis.system();
    expect(system.ignoredProjectPlugins).toBe(1);
    expect(system.plugins.map(({ name }) => name)).not.toContain("tool-p");
    await expect(jarvis.ask("x", { tools: ["p"] })).rejects.toMatchObject({
      code: "OJ_TOOL_NOT_INSTALLED",
      hint: "tool-p of this project provides it, but the project is not trusted. Run: jarvis plugins trust",
    });
    expect(ToolRegistry.contains("p")).toBe(false);
  });

  it("adds its plugins once it is trusted, also from a folder inside it, and no more when that is taken back", async () => {
    expect(trustProject(world.home, project())).toBe(project());
    await mkdir(join(project(), "src/deep"), { recursive: true });
    const jarvis = world.jarvis({ projectDir: join(project(), "src/deep") });
    const result = await jarvis.askFull("x", { tools: ["p"] });
    expect(result.toolResults[0]?.content).toBe("from project");
    expect((await jarvis.system()).ignoredProjectPlugins).toBe(0);
    expect(untrustProject(world.home, project())).toBe(true);
    expect(untrustProject(world.home, project())).toBe(false);
    expect(discoverInstalled(world.options({ projectDir: project() })).ignoredProjectPlugins).toBe(1);
  });

  it("is trusted when the running program is a file of it or of a package in its node_modules", async () => {
    const options = world.options({ projectDir: project() });
    for (const file of ["project/scripts/run.js", "project/node_modules/openjarvis/dist/bin.js"]) {
      process.argv[1] = await world.write(file, "");
      if (file.includes("openjarvis"))
        await world.write("project/node_modules/openjarvis/package.json", '{"name":"openjarvis"}');
      expect(discoverInstalled(options).ignoredProjectPlugins).toBe(0);
    }
  });

  it("is not trusted because a program of another package lies somewhere below it", async () => {
    process.argv[1] = await world.write("project/.tools/lib/node_modules/openjarvis/dist/bin.js", "");
    await world.write("project/.tools/lib/node_modules/openjarvis/package.json", '{"name":"openjarvis"}');
    expect(discoverInstalled(world.options({ projectDir: project() })).ignoredProjectPlugins).toBe(1);
  });

  it("trust is for one folder, not for what is beside or below it", async () => {
    await world.addPlugin("project/inner", "tool-q", { provides: { tools: ["q"] }, code: toolCode("q") });
    trustProject(world.home, project());
    const inner = discoverInstalled(world.options({ projectDir: join(project(), "inner") }));
    expect(inner.ignoredProjectPlugins).toBe(1);
  });

  it("development dependencies of a trusted project count", async () => {
    await world.write("project/package.json", '{ "name": "project", "devDependencies": { "tool-p": "*" } }');
    trustProject(world.home, project());
    const { plugins } = discoverInstalled(world.options({ projectDir: project() }));
    expect(plugins.map(({ name, origin }) => [name, origin])).toContainEqual(["tool-p", "project"]);
  });

  it("a damaged list of trusted projects is an error, not an empty list", async () => {
    await world.write("home/trusted-projects.json", '{"projects": "all"}');
    expect(() => discoverInstalled(world.options({ projectDir: project() }))).toThrow(
      `${world.home}/trusted-projects.json cannot be used: it has no list "projects".`,
    );
  });
});

describe("the range of core a foreign plugin was made for", () => {
  it("is checked once, and only warned about", async () => {
    await addBasics();
    await world.addPlugin("home/plugins", "tool-old", {
      provides: { tools: ["old"] },
      code: toolCode("old", "still works"),
      version: "3.2.1",
      json: { peerDependencies: { "@openjarvis/core": "^99.0.0" } },
    });
    await world.addPlugin("home/plugins", "tool-fits", {
      provides: { tools: ["fits"] },
      code: toolCode("fits"),
      json: { peerDependencies: { "@openjarvis/core": ">=0.0.0-0" } },
    });
    const bus = new EventBus();
    const events = recordEvents(bus);
    const jarvis = world.jarvis({ bus });
    const { toolResults } = await jarvis.askFull("x", { tools: ["old", "fits"] });
    await jarvis.ask("again", { tools: ["old"] });
    expect(toolResults.map(({ content }) => content)).toEqual(["still works", "result of fits"]);
    expect(events.of("WARNING").map(({ data }) => data.message)).toEqual([
      "tool-old 3.2.1 is made for @openjarvis/core ^99.0.0, but 0.0.0-source is running.",
    ]);
  });

  it("a plugin for another plugin API is refused, whatever its range says", async () => {
    await addBasics();
    await world.addPlugin("home/plugins", "tool-new", {
      provides: { tools: ["n"] },
      code: "",
      apiVersion: 2,
    });
    await expect(world.jarvis().ask("x", { tools: ["n"] })).rejects.toMatchObject({ code: "OJ_PLUGIN_API" });
  });
});

describe("loading at the same time", () => {
  it("attributes each name to the package that registered it", async () => {
    await addBasics();
    for (const id of ["a", "b", "c", "d"]) {
      const code = `await new Promise((done) => setTimeout(done, 5));${toolCode(id)}`;
      await world.addPlugin("app", `tool-${id}`, { provides: { tools: [id] }, code });
    }
    const results = await Promise.all(
      ["a", "b", "c", "d"].map((id) => world.jarvis().askFull("x", { tools: [id] })),
    );
    expect(results.map(({ toolResults }) => toolResults[0]?.toolName)).toEqual(["a", "b", "c", "d"]);
    expect(["a", "b", "c", "d"].map((id) => ToolRegistry.ownerOf(id))).toEqual([
      "tool-a",
      "tool-b",
      "tool-c",
      "tool-d",
    ]);
  });
});

describe("names of this project", () => {
  it("has a package for each", () => {
    for (const [kind, ids] of Object.entries(firstPartyPackages)) {
      expect(Object.keys(ids).length, kind).toBeGreaterThan(0);
      for (const name of Object.values(ids)) expect(name).toMatch(/^@openjarvis\/[a-z-]+$/);
    }
    expect(firstPartyPackages.tools.web_search).toBe("@openjarvis/tool-web-search");
    expect(firstPartyPackages.agents.react).toBe(firstPartyPackages.agents.native_react);
    expect(firstPartyPackages.engines.vllm).toBe("@openjarvis/engine-openai");
  });
});
