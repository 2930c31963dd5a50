import { symlink, unlink } from "node:fs/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { checkPlugin, type Problem, pluginChecks, type TempDir, tempDir } from "../src/index.js";

const coreDir = fileURLToPath(new URL("../../core", import.meta.url));

const entry = `
import { ToolRegistry } from "@openjarvis/core";
ToolRegistry.registerValue("demo", () => {});
`;

const packageJson = {
  name: "openjarvis-plugin-demo",
  version: "1.0.0",
  type: "module",
  keywords: ["openjarvis-plugin"],
  engines: { node: ">=20.19.0" },
  exports: {
    ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
    "./package.json": "./package.json",
  },
  sideEffects: true,
  peerDependencies: { "@openjarvis/core": ">=0.1.0 <1.0.0" },
  openjarvis: { apiVersion: 1, provides: { tools: ["demo"] } },
};

interface Demo {
  /** Fields of package.json in place of the good ones. */
  json?: Record<string, unknown>;
  entry?: string;
  change?: (dir: TempDir) => Promise<unknown>;
}

/** Writes a plugin that is like the good one except for what the demo changes. */
async function writePlugin(demo: Demo): Promise<TempDir> {
  const dir = await tempDir();
  await dir.write("package.json", JSON.stringify({ ...packageJson, ...demo.json }));
  await dir.write("dist/index.js", demo.entry ?? entry);
  await dir.write("dist/index.d.ts", "export {};");
  await dir.write("node_modules/@openjarvis/.keep", "");
  await symlink(coreDir, dir.join("node_modules", "@openjarvis", "core"), "junction");
  await demo.change?.(dir);
  return dir;
}

async function problemsOf(demo: Demo): Promise<Problem[]> {
  await using dir = await writePlugin(demo);
  return await checkPlugin(dir.path, { importMilliseconds: 400, endSeconds: 3 });
}

const broken: [what: string, demo: Demo, check: string, message: string][] = [
  [
    "a manifest with an unknown kind",
    { json: { openjarvis: { apiVersion: 1, provides: { tool: ["demo"] } } } },
    "has a manifest without problems that provides something",
    "openjarvis.provides.tool is no kind of plugin",
  ],
  [
    "a manifest that provides nothing",
    { json: { openjarvis: { apiVersion: 1, provides: { tools: [] } } } },
    "has a manifest without problems that provides something",
    "openjarvis.provides is empty",
  ],
  [
    "exports with an import condition only",
    {
      json: {
        exports: { ...packageJson.exports, ".": { types: "./dist/index.d.ts", import: "./dist/index.js" } },
      },
    },
    "is an ES module that any application can resolve",
    'needs a "default" condition',
  ],
  [
    "a hidden package.json",
    { json: { exports: { ".": packageJson.exports["."] } } },
    "is an ES module that any application can resolve",
    'must hold "./package.json"',
  ],
  [
    "a package that was not built",
    { change: (dir) => unlink(dir.join("dist", "index.js")) },
    "has the files its exports name",
    "./dist/index.js is missing; build the package",
  ],
  [
    "side effects that are denied",
    { json: { sideEffects: false } },
    "may not be dropped by a bundler",
    "lets bundlers drop the registration",
  ],
  [
    "core as a dependency",
    { json: { dependencies: { "@openjarvis/core": "^0.1.0" } } },
    "takes core as a peer",
    "must not be a dependency",
  ],
  ["no peer", { json: { peerDependencies: {} } }, "takes core as a peer", "must be a peerDependency"],
  [
    "an old zod",
    { json: { dependencies: { zod: "^4.1.8" } } },
    "takes zod in a version whose schemas keep their descriptions",
    "zod must be 4.2 or newer",
  ],
  [
    "no keyword",
    { json: { keywords: [] } },
    "can be found by its keyword and says which Node it needs",
    'the keyword "openjarvis-plugin" is missing',
  ],
  [
    "another name than the manifest says",
    { entry: entry.replace("demo", "demos") },
    "registers exactly what its manifest provides, also when it is imported twice",
    "registered and provided differ",
  ],
  [
    "more than the manifest says",
    { entry: `${entry}ToolRegistry.registerValue("extra", () => {});` },
    "registers exactly what its manifest provides, also when it is imported twice",
    "registered and provided differ",
  ],
  [
    "an import that throws",
    { entry: 'throw new Error("no luck today");' },
    "registers exactly what its manifest provides, also when it is imported twice",
    "no luck today",
  ],
  [
    "an import that prints",
    { entry: `${entry}console.warn("hello from the plugin");` },
    "prints nothing when it is imported, and leaves nothing running",
    "hello from the plugin",
  ],
  [
    "an import that leaves a failure behind",
    { entry: `${entry}setTimeout(() => process.exit(3), 50);` },
    "prints nothing when it is imported, and leaves nothing running",
    "it ended with exit code 3",
  ],
  [
    "an import that takes long",
    { entry: `${entry}await new Promise((resolve) => setTimeout(resolve, 600));` },
    "imports quickly",
    "import heavy libraries in their first use",
  ],
];

describe("pluginChecks", () => {
  it("find nothing wrong with a good plugin, by path or URL", async () => {
    await using dir = await writePlugin({});
    expect(await checkPlugin(dir.path)).toEqual([]);
    expect(await checkPlugin(pathToFileURL(dir.path))).toEqual([]);
  });

  it("accept zod in a new version, and an entry of its own", async () => {
    const openjarvis = { ...packageJson.openjarvis, entry: "./dist/register.js" };
    const json = { dependencies: { zod: "^4.6.0" }, openjarvis };
    const change = (dir: TempDir) => dir.write("dist/register.js", entry);
    expect(await problemsOf({ json, change, entry: 'throw new Error("not the entry");' })).toEqual([]);
  });

  it.each(broken)("catch %s", async (_what, demo, check, message) => {
    const problems = await problemsOf(demo);
    expect(problems).toContainEqual({ check, message: expect.stringContaining(message) });
  });

  it("catch an import that leaves something running", async () => {
    const problems = await problemsOf({ entry: `${entry}setInterval(() => {}, 1000);` });
    const check = "prints nothing when it is imported, and leaves nothing running";
    const message = expect.stringContaining("did not end by itself");
    expect(problems).toContainEqual({ check, message });
  });

  it("have a broken plugin for every check", () => {
    const caught = new Set(broken.map(([, , check]) => check));
    const names = pluginChecks(".").map(({ name }) => name);
    expect(names.filter((name) => !caught.has(name))).toEqual([]);
  });
});
