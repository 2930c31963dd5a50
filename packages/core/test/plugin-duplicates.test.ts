import { afterEach, describe, expect, it } from "vitest";
import { AgentRegistry, loadPlugins, Registry, registryKinds, ToolRegistry } from "../src/index.js";
import { hello, install, log } from "./plugin-support.js";

afterEach(() => {
  for (const kind of registryKinds) new Registry(kind).clear();
});

describe("an id of several plugins", () => {
  const both = { "@acme/calc": {}, "tool-calculator": {} };

  it("is an error that names them and says how to choose", async () => {
    const { plugins } = install(both, "home");
    await expect(loadPlugins(plugins, hello)).rejects.toMatchObject({
      code: "OJ_DUPLICATE_ID",
      message: '"calculator" (tools) is provided by @acme/calc (home) and tool-calculator (home).',
      hint: 'Choose one in config.toml:\n  [plugins.prefer]\n  calculator = "@acme/calc"',
    });
    expect(log.imported).toEqual([]);
  });

  it("is taken from the preferred one", async () => {
    const { plugins } = install(both);
    await loadPlugins(plugins, hello, { prefer: { calculator: "tool-calculator" } });
    expect(log.imported).toEqual(["tool-calculator"]);
  });

  it("is still an error when the preferred one does not provide it", async () => {
    const { plugins } = install(both);
    const loaded = loadPlugins(plugins, hello, { prefer: { calculator: "none" } });
    await expect(loaded).rejects.toMatchObject({ code: "OJ_DUPLICATE_ID" });
  });

  it("does not matter while it is not wanted", async () => {
    const { plugins } = install({ ...both, think: { provides: { tools: ["think"] } } });
    expect(await loadPlugins(plugins, { tools: ["think"] })).toHaveLength(1);
  });

  it("is taken from the first root when it is one package in two places", async () => {
    const first = install({ "tool-calculator": {} }, "distribution");
    const second = install(
      { "tool-calculator": { json: { version: "2.0.0", openjarvis: { apiVersion: 1, provides: hello } } } },
      "project",
    );
    const loaded = await loadPlugins([...first.plugins, ...second.plugins], hello);
    expect(loaded.map(({ origin, version }) => [origin, version])).toEqual([["distribution", "1.0.0"]]);
  });

  it("is an error that names both when a plugin registers another's id", async () => {
    const { plugins } = install({
      one: {},
      two: { provides: { tools: ["other"] }, code: 'tool("other"); tool("calculator");' },
    });
    await loadPlugins(plugins, hello);
    await expect(loadPlugins(plugins, { tools: ["other"] })).rejects.toMatchObject({
      code: "OJ_DUPLICATE_ID",
      message: 'The registry of tools already has "calculator": first from one, now from two.',
    });
  });

  it("may be an alias in another registry", async () => {
    const code =
      'import { AgentRegistry } from "@openjarvis/core"; AgentRegistry.register("calculator")(class {}); tool("calculator");';
    const { plugins } = install({
      both: { provides: { tools: ["calculator"], agents: ["calculator"] }, code },
    });
    await loadPlugins(plugins, { agents: ["calculator"] });
    expect([AgentRegistry.contains("calculator"), ToolRegistry.contains("calculator")]).toEqual([true, true]);
  });
});
