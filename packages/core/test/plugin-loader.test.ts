import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { defineTool, loadPlugin, loadPlugins, Registry, registryKinds, ToolRegistry } from "../src/index.js";
import {
  hello,
  install,
  installWithPnpm,
  log,
  moduleOf,
  type Plugin,
  writePlugin,
} from "./plugin-support.js";
import { installCore, run, tempDir, writeFiles } from "./support.js";

afterEach(() => {
  for (const kind of registryKinds) new Registry(kind).clear();
});

describe("loadPlugins", () => {
  it("imports the owners of the wanted ids and no other plugin", async () => {
    const { plugins } = install({
      "tool-calculator": {},
      "@acme/tool-think": { provides: { tools: ["think"] } },
      "tool-bomb": { provides: { tools: ["bomb"] }, code: "throw new Error('must not run')" },
    });
    const loaded = await loadPlugins(plugins, { tools: ["think", "calculator"] });
    expect(loaded.map((plugin) => plugin.name)).toEqual(["@acme/tool-think", "tool-calculator"]);
    expect(log.imported).toEqual(["@acme/tool-think", "tool-calculator"]);
    expect(ToolRegistry.keys()).toEqual(["think", "calculator"]);
    expect(ToolRegistry.ownerOf("think")).toBe("@acme/tool-think");
    expect(ToolRegistry.create("calculator").spec.name).toBe("calculator");
  });

  it("leaves ids alone that nobody provides or that are registered already", async () => {
    const { plugins } = install({ "tool-calculator": {} });
    const own = defineTool({ name: "calculator", description: "own", run: () => "" });
    ToolRegistry.registerValue("calculator", own);
    expect(await loadPlugins(plugins, { tools: ["calculator", "unknown"], agents: ["react"] })).toEqual([]);
    expect(ToolRegistry.get("calculator")).toBe(own);
    expect(log.imported).toEqual([]);
  });

  it("imports a plugin once, however often and for however many ids it is wanted", async () => {
    const { plugins } = install({ "tool-two": { provides: { tools: ["one", "two"] } } });
    await Promise.all([
      loadPlugins(plugins, { tools: ["one"] }),
      loadPlugins(plugins, { tools: ["two", "one"] }),
    ]);
    await loadPlugins(plugins, { tools: ["one", "two"] });
    for (const plugin of plugins) await loadPlugin(plugin);
    expect(log.imported).toEqual(["tool-two"]);
  });

  it("keeps apart what plugins register that load at the same time", async () => {
    const slow = "await new Promise((resolve) => setTimeout(resolve, 20));\n";
    const { plugins } = install({
      one: { provides: { tools: ["t1"] }, code: `${slow}tool("t1");` },
      two: { provides: { tools: ["t2"] }, code: `await 0;\ntool("t2");` },
    });
    await Promise.all(plugins.map(loadPlugin));
    expect([ToolRegistry.ownerOf("t1"), ToolRegistry.ownerOf("t2")]).toEqual(["one", "two"]);
  });

  it("imports a plugin that pnpm links", async () => {
    await loadPlugins(installWithPnpm({}), hello);
    expect(ToolRegistry.contains("calculator")).toBe(true);
  });

  it.each<[string, Plugin]>([
    [
      "no exports, but a main",
      {
        json: { exports: undefined, main: "lib/main.js" },
        files: { "lib/main.js": moduleOf("p", 'tool("calculator")'), "index.js": "throw 1" },
      },
    ],
    ["neither exports nor main", { json: { exports: undefined } }],
    ["exports that hide its package.json", { json: { exports: { ".": { default: "./index.js" } } } }],
    ["exports that are a text", { json: { exports: "./index.js" } }],
    [
      "an entry of its own",
      {
        json: { openjarvis: { apiVersion: 1, provides: hello, entry: "./register.js" } },
        files: { "register.js": moduleOf("p", 'tool("calculator")'), "index.js": "throw 1" },
      },
    ],
    ["another name than its folder", { json: { name: "@acme/real-name" } }],
  ])("imports a plugin with %s", async (_name, plugin) => {
    const { plugins } = install({ plugin });
    await loadPlugins(plugins, hello);
    expect(ToolRegistry.keys()).toEqual(["calculator"]);
  });

  it.each<[string, Plugin, string, RegExp]>([
    [
      "another API",
      { json: { openjarvis: { apiVersion: 2, provides: hello } } },
      "OJ_PLUGIN_API",
      /^plugin 1\.0\.0 cannot be used\. It needs plugin API 2; this OpenJarvis provides 1\.$/,
    ],
    [
      "a wrong manifest",
      { json: { openjarvis: { apiVersion: 1, provides: hello, env: 5 } } },
      "OJ_PLUGIN_MANIFEST",
      /^plugin cannot be used: openjarvis\.env must be a list/,
    ],
    [
      "an exception on import",
      { code: "throw new Error('no licence')" },
      "OJ_PLUGIN_LOAD",
      /^plugin \(.*\) could not be loaded: no licence$/,
    ],
    ["a syntax error", { code: "const = 5" }, "OJ_PLUGIN_LOAD", /could not be loaded: Unexpected token/],
    [
      "no such file",
      { json: { exports: "./dist/none.js" } },
      "OJ_PLUGIN_LOAD",
      /could not be loaded: Cannot find module/,
    ],
    [
      "no such entry",
      { json: { openjarvis: { apiVersion: 1, provides: hello, entry: "./none.js" } } },
      "OJ_PLUGIN_LOAD",
      /could not be loaded: .*none\.js/,
    ],
    [
      "no main export",
      { json: { exports: { "./other": "./index.js" } } },
      "OJ_PLUGIN_LOAD",
      /No "exports" main defined/,
    ],
    [
      "exports for import only",
      { json: { exports: { ".": { import: "./index.js" } } } },
      "OJ_PLUGIN_LOAD",
      /No "exports" main defined/,
    ],
    [
      "a missing dependency",
      { code: 'import "not-installed-anywhere"' },
      "OJ_PLUGIN_LOAD",
      /not-installed-anywhere/,
    ],
    [
      "something else registered",
      { code: 'tool("calculater")' },
      "OJ_PLUGIN_MANIFEST",
      /^plugin declares tools \["calculator"\] but registered \["calculater"\]\.$/,
    ],
    ["nothing registered", { code: "" }, "OJ_PLUGIN_MANIFEST", /but registered \[\]/],
    [
      "a kind not registered",
      { provides: { ...hello, agents: ["react"] } },
      "OJ_PLUGIN_MANIFEST",
      /declares agents \["react"\] but registered \[\]/,
    ],
  ])("refuses a plugin with %s", async (_name, plugin, code, message) => {
    const { plugins } = install({ plugin });
    await expect(loadPlugins(plugins, hello)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  it("keeps the error of a plugin as the cause", async () => {
    const { plugins } = install({ plugin: { code: "throw new TypeError('no licence')" } });
    await expect(loadPlugins(plugins, hello)).rejects.toMatchObject({ cause: expect.any(TypeError) });
  });

  it("loads a good plugin beside a bad one that is not wanted", async () => {
    const { plugins } = install({
      bad: { provides: { tools: ["bad"] }, json: { exports: "./none.js" } },
      good: {},
    });
    expect(await loadPlugins(plugins, hello)).toHaveLength(1);
    await expect(loadPlugins(plugins, { tools: ["bad"] })).rejects.toMatchObject({ code: "OJ_PLUGIN_LOAD" });
    expect(ToolRegistry.keys()).toEqual(["calculator"]);
  });

  it("says how to build a native part, for the package manager that installed it", async () => {
    const native: Plugin = { code: "throw new Error('Could not locate the bindings file. Tried: …')" };
    const hint = (text: string) => ({ code: "OJ_PLUGIN_LOAD", hint: expect.stringContaining(text) });
    await expect(loadPlugins(install({ native }).plugins, hello)).rejects.toMatchObject(
      hint("Run npm rebuild"),
    );
    await expect(loadPlugins(installWithPnpm(native), hello)).rejects.toMatchObject(
      hint("Run pnpm approve-builds"),
    );
  });
});

describe("a plugin in a folder whose path needs escaping", () => {
  const program = `
import { discoverPlugins, loadPlugins, readPluginRoot, ToolRegistry } from "@openjarvis/core";
const plugins = discoverPlugins([readPluginRoot(process.cwd(), "project")]);
await loadPlugins(plugins, { tools: ["calculator"], agents: ["x"] });
process.stdout.write(JSON.stringify([ToolRegistry.keys(), ToolRegistry.ownerOf("calculator")]));
`;

  it.each<[string, Plugin]>([
    ["by its exports", {}],
    ["by its main file", { json: { exports: undefined } }],
    [
      "by its entry",
      {
        json: { openjarvis: { apiVersion: 1, provides: hello, entry: "./a #1 %20.js" } },
        files: { "a #1 %20.js": moduleOf("p", 'tool("calculator")') },
      },
    ],
  ])("is imported %s", async (_name, plugin) => {
    const dir = tempDir();
    installCore(dir);
    writeFiles(dir, { "package.json": { dependencies: { "@acme/tool": "1" } }, "main.mjs": program });
    writePlugin(join(dir, "node_modules/@acme/tool"), "@acme/tool", plugin);
    const output = await run(process.execPath, [join(dir, "main.mjs")], dir);
    expect(JSON.parse(output)).toEqual([["calculator"], "@acme/tool"]);
  });
});
