import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import {
  type DiscoveredPlugin,
  discoverPlugins,
  findPackageDir,
  isDistribution,
  JarvisError,
  nearestPackageDir,
  type PluginRoot,
  readPluginRoot,
} from "@openjarvis/core";
import type { ConfigInput } from "./config-types.js";
import { absolutePath, homePaths, resolveHome } from "./home.js";
import { realPathOf } from "./home-files.js";
import type { PluginOptions } from "./options.js";
import { isTrusted } from "./trust.js";

/** The places plugins come from. */
export interface PluginRoots {
  /** In the order in which a plugin is taken when several have it. */
  roots: PluginRoot[];
  /** Those of the project, when it is not trusted. */
  untrusted: PluginRoot[];
}

/** What is installed. */
export interface InstalledPlugins extends PluginRoots {
  /** Every plugin of the roots; those in `disabled` are among them. */
  plugins: DiscoveredPlugin[];
  /** Names of plugins the config turns off. */
  disabled: string[];
  /** The project whose plugins are left out because it is not trusted. */
  ignored: { dir: string; count: number } | undefined;
  /** How many these are. */
  ignoredProjectPlugins: number;
}

/**
 * Where plugins are looked for: the package of the program (or `root`), the home's plugin folder, and the project in
 * `projectDir`, when the program runs from inside it or it was trusted. A dependency that is a distribution brings its
 * own dependencies.
 *
 * Throws `OJ_OPTION` when `root` does not exist, and `OJ_HOME` when the list of trusted projects is damaged.
 */
export function pluginRoots(options: PluginOptions = {}): PluginRoots {
  const { env = process.env, projectDir = workingFolder(), plugins: mode = "discover" } = options;
  if (mode === "none") return { roots: [], untrusted: [] };
  const program = process.argv[1] ?? fileURLToPath(import.meta.url);
  const distribution = distributionDir(options.root, program);
  const roots =
    distribution === undefined ? [] : withDistributions(readPluginRoot(distribution, "distribution"));
  if (mode === "distribution") return { roots, untrusted: [] };
  const home = options.home === undefined ? resolveHome(env) : absolutePath(options.home, env);
  const { plugins } = homePaths(home);
  if (existsSync(join(plugins, "package.json"))) {
    roots.push(...withDistributions(readPluginRoot(realPathOf(plugins), "home")));
  }
  const project = projectDir === false ? undefined : packageDir(resolve(projectDir));
  if (project === undefined) return { roots, untrusted: [] };
  const own = withDistributions(readPluginRoot(project, "project"));
  const isEmpty = own.every(({ dependencies }) => dependencies.length === 0);
  if (isEmpty || runsInside(program, project) || isTrusted(home, project)) roots.push(...own);
  else if (project !== distribution) return { roots, untrusted: own };
  return { roots, untrusted: [] };
}

/** What is installed, from manifests alone: no code of a plugin runs. */
export function discoverInstalled(
  options: PluginOptions & { config?: ConfigInput | undefined } = {},
): InstalledPlugins {
  const { config, ...where } = options;
  const found = pluginRoots(where);
  const plugins = discoverPlugins(found.roots);
  const { length: count } = ignoredPlugins(found, plugins);
  const names = plugins.map(({ name }) => name);
  const [project] = found.untrusted;
  return {
    ...found,
    plugins,
    disabled: config?.plugins?.disabled?.filter((name) => names.includes(name)) ?? [],
    ignored: project === undefined || count === 0 ? undefined : { dir: project.dir, count },
    ignoredProjectPlugins: count,
  };
}

/** The plugins of an untrusted project that no other root has. */
export function ignoredPlugins(
  { untrusted }: PluginRoots,
  plugins: readonly DiscoveredPlugin[],
): DiscoveredPlugin[] {
  const known = new Set(plugins.map(({ root }) => root));
  return discoverPlugins(untrusted).filter(({ root }) => !known.has(root));
}

/** A root, and those of the distributions among its dependencies. A distribution itself is complete as it is. */
function withDistributions(root: PluginRoot): PluginRoot[] {
  if (isDistribution(readJson(root.dir))) return [root];
  const inner = root.dependencies.flatMap((name) => {
    const dir = findPackageDir(name, root.dir);
    if (dir === undefined || !isDistribution(readJson(dir))) return [];
    return [{ ...readPluginRoot(dir, "distribution"), origin: root.origin }];
  });
  return [root, ...inner];
}

/** The working folder; none when it was removed under the program. */
function workingFolder(): string | false {
  try {
    return process.cwd();
  } catch {
    return false;
  }
}

function distributionDir(root: string | URL | undefined, program: string): string | undefined {
  if (root === undefined) {
    if (process.argv[1] !== undefined) return packageDir(dirname(realPathOf(program)));
    // `node -e` and the REPL run no file; the package they are started in counts when this SDK belongs to it.
    const folder = workingFolder();
    const dir = folder === false ? undefined : packageDir(folder);
    return dir !== undefined && runsInside(program, dir) ? dir : undefined;
  }
  const path = root instanceof URL || root.startsWith("file:") ? fileURLToPath(root) : absolutePath(root);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new JarvisError("OJ_OPTION", `The option \`root\` names ${path}, which does not exist.`, {
      hint: "Give a file or folder of the package whose dependencies are plugins, such as import.meta.url.",
    });
  }
  const real = realPathOf(path);
  return packageDir(stats.isDirectory() ? real : dirname(real));
}

/** The nearest folder of a package; a package.json that only states a module type belongs to the package above. */
function packageDir(from: string): string | undefined {
  for (let dir = nearestPackageDir(from); dir !== undefined; dir = nearestPackageDir(dirname(dir))) {
    if (dirname(dir) === dir || !isTypeMarker(dir)) return realPathOf(dir);
  }
  return undefined;
}

function isTypeMarker(dir: string): boolean {
  const keys = Object.keys(readJson(dir));
  return keys.length > 0 && keys.every((key) => key === "type");
}

/** The package.json of a folder; empty when it cannot be read, which its reader in core reports. */
function readJson(dir: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/**
 * Whether the program is part of a project: a file of the project itself, or of a package in its node_modules. Then
 * its code runs already, and its plugins need no further permission. A program that merely lies somewhere below, such
 * as a global installation in a home folder that has a package.json, is none.
 */
function runsInside(program: string, project: string): boolean {
  return [program, realPathOf(program)].some((path) => {
    const inner = relative(project, resolve(path));
    if (inner === "" || inner.startsWith("..") || resolve(inner) === inner) return false;
    return inner.startsWith(`node_modules${sep}`) || packageDir(dirname(resolve(path))) === project;
  });
}
