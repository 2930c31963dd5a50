import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  discoverPlugins,
  findPackageDir,
  isDistribution,
  nearestPackageDir,
  type PluginRoot,
  providedIds,
  readPluginRoot,
} from "../src/index.js";
import { tempDir, writeFiles } from "./support.js";

const manifest = { apiVersion: 1, provides: { tools: ["calculator"] } };

function packageJson(name: string, more: object = {}): object {
  return { name, version: "1.2.3", description: `About ${name}.`, openjarvis: manifest, ...more };
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(target, path, "junction");
}

/** Writes the packages of an npm project and gives its root. */
function project(dir: string, packages: Readonly<Record<string, unknown>>): PluginRoot {
  const dependencies = Object.fromEntries(Object.keys(packages).map((name) => [name, "*"]));
  writeFiles(dir, { "package.json": { name: "project", dependencies } });
  for (const [name, content] of Object.entries(packages)) {
    writeFiles(dir, { [`node_modules/${name}/package.json`]: content });
  }
  return readPluginRoot(dir, "project");
}

describe("discoverPlugins", () => {
  it("describes the plugins among the dependencies and no other package", () => {
    const dir = tempDir();
    const root = project(dir, {
      "tool-a": packageJson("tool-a"),
      "@acme/tool-b": packageJson("@acme/tool-b"),
      lodash: { name: "lodash", version: "4.0.0" },
    });
    const plugins = discoverPlugins([root]);
    expect(plugins.map((plugin) => plugin.name)).toEqual(["tool-a", "@acme/tool-b"]);
    expect(plugins[1]).toMatchObject({
      version: "1.2.3",
      description: "About @acme/tool-b.",
      root: join(dir, "node_modules/@acme/tool-b"),
      origin: "project",
      manifest: { ...manifest, env: [] },
      problems: [],
    });
    expect(plugins.map((plugin) => providedIds(plugin, "tools"))).toEqual([["calculator"], ["calculator"]]);
    expect(plugins.map((plugin) => providedIds(plugin, "agents"))).toEqual([[], []]);
  });

  it("finds what pnpm links", () => {
    const dir = tempDir();
    const store = join(dir, "node_modules/.pnpm/@acme+tool@1.0.0/node_modules/@acme/tool");
    writeFiles(store, { "package.json": packageJson("@acme/tool") });
    link(store, join(dir, "node_modules/@acme/tool"));
    writeFiles(dir, { "package.json": { dependencies: { "@acme/tool": "1" } } });
    expect(discoverPlugins([readPluginRoot(dir, "project")])).toMatchObject([
      { name: "@acme/tool", root: store },
    ]);
  });

  it("finds a workspace package's plugins in its own and in the workspace's node_modules", () => {
    const dir = tempDir();
    writeFiles(dir, {
      "node_modules/hoisted/package.json": packageJson("hoisted"),
      "packages/app/node_modules/own/package.json": packageJson("own"),
      "packages/app/package.json": { dependencies: { hoisted: "1" }, devDependencies: { own: "1" } },
    });
    const root = readPluginRoot(join(dir, "packages/app"), "project");
    expect(discoverPlugins([root]).map((plugin) => plugin.name)).toEqual(["hoisted", "own"]);
  });

  it("reads a package whose exports hide its package.json", () => {
    const root = project(tempDir(), { hidden: packageJson("hidden", { exports: { ".": "./index.js" } }) });
    expect(discoverPlugins([root])).toMatchObject([{ name: "hidden", problems: [] }]);
  });

  it("lists a package once that several roots reach, for the first", () => {
    const dir = tempDir();
    const root = project(dir, { "tool-a": packageJson("tool-a") });
    const home = tempDir();
    writeFiles(home, { "package.json": { dependencies: { linked: "*" } } });
    link(join(dir, "node_modules/tool-a"), join(home, "node_modules/linked"));
    const plugins = discoverPlugins([root, readPluginRoot(home, "home")]);
    expect(plugins.map(({ name, origin }) => [name, origin])).toEqual([["tool-a", "project"]]);
  });

  it("records what is wrong with one package and goes on", () => {
    const root = project(tempDir(), {
      broken: "{ not json",
      old: packageJson("old", { openjarvis: { apiVersion: 7, provides: {} } }),
      odd: packageJson("odd", { openjarvis: "yes" }),
      good: packageJson("good"),
    });
    const plugins = discoverPlugins([root]);
    expect(plugins.map(({ name, problems }) => [name, problems[0]?.code])).toEqual([
      ["broken", "OJ_PLUGIN_MANIFEST"],
      ["old", "OJ_PLUGIN_API"],
      ["odd", "OJ_PLUGIN_MANIFEST"],
      ["good", undefined],
    ]);
    expect(plugins[0]?.problems[0]?.message).toMatch(/^Its package\.json cannot be read: .*JSON/);
  });

  it("names a package as its package.json does, and as its folder without one", () => {
    const root = project(tempDir(), { alias: packageJson("@acme/real"), nameless: { openjarvis: manifest } });
    expect(discoverPlugins([root]).map(({ name, version }) => [name, version])).toEqual([
      ["@acme/real", "1.2.3"],
      ["nameless", "0.0.0"],
    ]);
  });

  it("passes over dependencies that are not installed, and distributions", () => {
    const dir = tempDir();
    const distribution = packageJson("openjarvis", { openjarvis: { distribution: true } });
    project(dir, { openjarvis: distribution, "tool-a": packageJson("tool-a") });
    const root: PluginRoot = { dir, origin: "home", dependencies: ["openjarvis", "missing", "tool-a"] };
    expect(discoverPlugins([root]).map((plugin) => plugin.name)).toEqual(["tool-a"]);
    expect(
      [distribution, packageJson("x"), {}, { openjarvis: null }].map((json) => isDistribution(json as never)),
    ).toEqual([true, false, false, false]);
  });

  it("runs no code and looks at nothing deeper", () => {
    const dir = tempDir();
    const root = project(dir, {
      "tool-a": packageJson("tool-a", { main: "bomb.js", dependencies: { deep: "1" } }),
    });
    writeFiles(dir, {
      "node_modules/tool-a/bomb.js": "throw new Error('must not run')",
      "node_modules/tool-a/node_modules/deep/package.json": packageJson("deep"),
      "node_modules/deep2/package.json": packageJson("deep2"),
    });
    expect(discoverPlugins([root]).map((plugin) => plugin.name)).toEqual(["tool-a"]);
  });
});

describe("readPluginRoot", () => {
  const json = {
    dependencies: { a: "1" },
    devDependencies: { b: "1" },
    optionalDependencies: { c: "1" },
    peerDependencies: { d: "1" },
  };

  it.each([
    ["distribution", ["a", "c"]],
    ["home", ["a"]],
    ["project", ["a", "b"]],
  ] as const)("of a %s has the dependencies %j", (origin, dependencies) => {
    const dir = tempDir();
    writeFiles(dir, { "package.json": json });
    expect(readPluginRoot(dir, origin)).toEqual({ dir, origin, dependencies });
  });

  it.each([
    ["no package.json", undefined],
    ["a broken one", "{"],
    ["a list", "[]"],
    ["null", "null"],
    ["odd dependencies", { dependencies: 5 }],
  ])("has no dependencies with %s", (_name, content) => {
    const dir = tempDir();
    if (content !== undefined) writeFiles(dir, { "package.json": content });
    expect(readPluginRoot(dir, "project").dependencies).toEqual([]);
  });
});

describe("nearestPackageDir", () => {
  it("looks upward from a folder, which need not exist", () => {
    const dir = tempDir();
    writeFiles(dir, { "package.json": {}, "src/deep/x.txt": "", "packages/app/package.json": {} });
    expect(nearestPackageDir(join(dir, "src/deep/none"))).toBe(dir);
    expect(nearestPackageDir(join(dir, "packages/app"))).toBe(join(dir, "packages/app"));
    expect(nearestPackageDir(join(dir, "packages"))).toBe(dir);
  });
});

describe("findPackageDir", () => {
  /** What Node finds for a module in a folder. */
  function nodeFinds(name: string, ownerDir: string): string | undefined {
    try {
      return realpathSync(
        dirname(createRequire(join(ownerDir, "module.js")).resolve(`${name}/package.json`)),
      );
    } catch {
      return undefined;
    }
  }

  it("agrees with Node on any layout of folders, links and holes", () => {
    const names = ["one", "@scope/two", "three"];
    const level = fc.record({
      folder: fc.constantFrom("app", "packages", "node_modules", "@scope", "node_modules_not"),
      installed: fc.tuple(
        ...names.map(() => fc.constantFrom("none", "none", "folder", "link", "hole", "broken")),
      ),
    });
    const base = tempDir();
    let run = 0;
    fc.assert(
      fc.property(fc.array(level, { minLength: 1, maxLength: 4 }), (levels) => {
        run += 1;
        let dir = join(base, String(run));
        const owners: string[] = [];
        for (const [depth, { folder, installed }] of levels.entries()) {
          dir = join(dir, folder);
          mkdirSync(dir, { recursive: true });
          owners.push(dir);
          for (const [index, kind] of installed.entries()) {
            const name = names[index] ?? "";
            const path = join(dir, "node_modules", name);
            const store = join(base, `store-${run}`, String(depth), name);
            if (kind === "folder") writeFiles(path, { "package.json": { name } });
            if (kind === "hole") mkdirSync(path, { recursive: true });
            if (kind === "link") writeFiles(store, { "package.json": { name } });
            if (kind === "link" || kind === "broken") link(store, path);
          }
        }
        for (const owner of owners) {
          for (const name of names) expect(findPackageDir(name, owner)).toBe(nodeFinds(name, owner));
        }
      }),
      { numRuns: 80 },
    );
  });

  it("finds a package beside its owner in a pnpm store", () => {
    const dir = tempDir();
    const store = join(dir, "node_modules/.pnpm/tool@1/node_modules");
    writeFiles(store, { "tool/package.json": {}, "@openjarvis/core/package.json": {} });
    expect(findPackageDir("@openjarvis/core", join(store, "tool"))).toBe(join(store, "@openjarvis/core"));
  });
});
