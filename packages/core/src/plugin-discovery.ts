import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorText } from "./errors.js";
import { type PluginManifest, type PluginProblem, parseManifest } from "./plugin-manifest.js";
import type { RegistryKind } from "./registry.js";

/** Where a plugin was found. */
export type PluginOrigin = "distribution" | "home" | "project";

/** A package whose direct dependencies may be plugins. */
export interface PluginRoot {
  /** Its folder. */
  dir: string;
  origin: PluginOrigin;
  /** Names of its dependencies. */
  dependencies: readonly string[];
}

/** A plugin that was found; none of its code has run. */
export interface DiscoveredPlugin {
  name: string;
  version: string;
  description: string;
  /** Its real folder. */
  root: string;
  origin: PluginOrigin;
  manifest: PluginManifest;
  problems: PluginProblem[];
  packageJson: Record<string, unknown>;
}

/**
 * Reads the manifests of the plugins among the direct dependencies of the given roots. Runs no code, looks at nothing
 * deeper, and never throws for one bad package: what is wrong with it is in its `problems`. A package reached twice is
 * listed once, for the first root.
 */
export function discoverPlugins(roots: readonly PluginRoot[]): DiscoveredPlugin[] {
  const found = new Map<string, DiscoveredPlugin>();
  for (const root of roots) {
    for (const name of root.dependencies) {
      const plugin = readPlugin(name, root);
      if (plugin !== undefined && !found.has(plugin.root)) found.set(plugin.root, plugin);
    }
  }
  return [...found.values()];
}

/** The plugin root of a package folder. A folder without a readable package.json has no dependencies. */
export function readPluginRoot(dir: string, origin: PluginOrigin): PluginRoot {
  const { json } = readPackageJson(join(dir, "package.json"));
  const names = new Set(Object.keys(asRecord(json?.dependencies)));
  if (origin === "project") for (const name of Object.keys(asRecord(json?.devDependencies))) names.add(name);
  if (origin === "distribution")
    for (const name of Object.keys(asRecord(json?.optionalDependencies))) names.add(name);
  return { dir, origin, dependencies: [...names] };
}

/** The nearest folder with a package.json, from `dir` upward. */
export function nearestPackageDir(dir: string): string | undefined {
  for (let current = dir; ; current = dirname(current)) {
    if (existsSync(join(current, "package.json"))) return current;
    if (dirname(current) === current) return undefined;
  }
}

/**
 * A dependency's folder, from the folder of the package that depends on it: every `node_modules` on the way up, as
 * Node resolves. It reads the folder itself, since `exports` may hide a package's package.json.
 */
export function findPackageDir(name: string, ownerDir: string): string | undefined {
  for (let current = ownerDir; ; current = dirname(current)) {
    if (basename(current) !== "node_modules") {
      const dir = join(current, "node_modules", name);
      if (existsSync(join(dir, "package.json"))) return realpathSync(dir);
    }
    if (dirname(current) === current) return undefined;
  }
}

/** The names a plugin provides of one kind. */
export function providedIds(plugin: DiscoveredPlugin, kind: RegistryKind): readonly string[] {
  return plugin.manifest.provides[kind] ?? [];
}

/** Whether a package.json is that of a distribution: it brings plugins as its dependencies and is none itself. */
export function isDistribution(packageJson: Record<string, unknown>): boolean {
  return asRecord(packageJson.openjarvis).distribution === true;
}

function readPlugin(name: string, root: PluginRoot): DiscoveredPlugin | undefined {
  const dir = findPackageDir(name, root.dir);
  if (dir === undefined) return undefined;
  const { json, error } = readPackageJson(join(dir, "package.json"));
  if (json === undefined) {
    const message = `Its package.json cannot be read: ${error}`;
    return describe(name, dir, root, {}, [{ level: "error", code: "OJ_PLUGIN_MANIFEST", message }]);
  }
  if (json.openjarvis === undefined || isDistribution(json)) return undefined;
  return describe(name, dir, root, json, []);
}

function describe(
  name: string,
  dir: string,
  root: PluginRoot,
  packageJson: Record<string, unknown>,
  readProblems: PluginProblem[],
): DiscoveredPlugin {
  const { manifest, problems } =
    readProblems.length > 0
      ? { manifest: { apiVersion: 0, provides: {}, env: [] }, problems: readProblems }
      : parseManifest(packageJson);
  return {
    name: typeof packageJson.name === "string" ? packageJson.name : name,
    version: typeof packageJson.version === "string" ? packageJson.version : "0.0.0",
    description: typeof packageJson.description === "string" ? packageJson.description : "",
    root: dir,
    origin: root.origin,
    manifest,
    problems,
    packageJson,
  };
}

function readPackageJson(file: string): { json?: Record<string, unknown>; error?: string } {
  try {
    return { json: asRecord(JSON.parse(readFileSync(file, "utf8"))) };
  } catch (error) {
    return { error: errorText(error) };
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
