import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { discoverPlugins, type PluginOrigin, readPluginRoot } from "../src/index.js";
import { installCore, tempDir, writeFiles } from "./support.js";

// vitest puts itself before `import()` and takes an escaped address for a path; paths that need escaping are tested in a
// process of their own.
const plainName = "openjarvis-plugins-";

export const log = globalThis as { imported?: string[] };

export interface Plugin {
  provides?: Record<string, string[]>;
  /** What its module does beside noting that it was imported. @default registers its tools */
  code?: string;
  /** Fields of its package.json. */
  json?: Record<string, unknown>;
  /** Files beside index.js. */
  files?: Record<string, string>;
}

export function moduleOf(name: string, code: string): string {
  return `import { defineTool, ToolRegistry } from "@openjarvis/core";
(globalThis.imported ??= []).push(${JSON.stringify(name)});
const tool = (name) => ToolRegistry.register(name)(() => defineTool({ name, description: ${JSON.stringify(name)}, run: () => "" }));
${code}`;
}

export function writePlugin(
  dir: string,
  name: string,
  { provides = { tools: ["calculator"] }, code, json, files }: Plugin,
): void {
  const registers = (provides.tools ?? []).map((id) => `tool(${JSON.stringify(id)});`).join("\n");
  writeFiles(dir, {
    "package.json": {
      name,
      version: "1.0.0",
      type: "module",
      exports: { ".": "./index.js", "./package.json": "./package.json" },
      openjarvis: { apiVersion: 1, provides },
      ...json,
    },
    "index.js": moduleOf(name, code ?? registers),
    ...files,
  });
}

/** Plugins installed as npm does, beside a real copy of core; nothing of them has run. */
export function install(plugins: Readonly<Record<string, Plugin>>, origin: PluginOrigin = "project") {
  log.imported = [];
  const dir = tempDir(plainName);
  installCore(dir);
  const dependencies = Object.fromEntries(Object.keys(plugins).map((name) => [name, "*"]));
  writeFiles(dir, { "package.json": { dependencies } });
  for (const [name, plugin] of Object.entries(plugins))
    writePlugin(join(dir, "node_modules", name), name, plugin);
  return { dir, plugins: discoverPlugins([readPluginRoot(dir, origin)]) };
}

/** A plugin installed as pnpm does: its folder is in a store, with what it depends on beside it, and linked. */
export function installWithPnpm(plugin: Plugin) {
  log.imported = [];
  const dir = tempDir(plainName);
  const store = join(dir, "node_modules/.pnpm/tool@1.0.0");
  installCore(store);
  writePlugin(join(store, "node_modules/tool"), "tool", plugin);
  symlinkSync(join(store, "node_modules/tool"), join(dir, "node_modules/tool"), "junction");
  writeFiles(dir, { "package.json": { dependencies: { tool: "1" } } });
  return discoverPlugins([readPluginRoot(dir, "project")]);
}

export const hello = { tools: ["calculator"] };
