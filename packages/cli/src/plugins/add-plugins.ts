import { basename } from "node:path";
import { type DiscoveredPlugin, isJarvisError, JarvisError } from "@openjarvis/core";
import { type NpmOptions, runNpm } from "./npm.js";
import { coreName, ownCore, packOwnCore, supportPackages } from "./own-core.js";
import { resolveSpec } from "./package-specs.js";
import type { Dependencies, PluginHome } from "./plugin-home.js";
import { packagesWithScripts, type StagedPackages, stagePackages } from "./staged-plugins.js";

/** Options of {@link addPlugins}. */
export interface AddOptions {
  npm: NpmOptions;
  /** Packages whose install scripts may run. */
  allowScripts: readonly string[];
  /** Shows what is about to be added and asks; nothing is added unless it resolves with true. */
  approve: (staged: StagedPackages) => Promise<boolean>;
}

/** What {@link addPlugins} did. */
export interface Added {
  plugins: DiscoveredPlugin[];
  /** Packages whose install scripts were not run. */
  withoutScripts: string[];
}

/**
 * Adds plugins to the plugin home: fetches them, lets them be approved, installs exactly what was looked at, together
 * with this program's own version of core. Resolves with nothing when they were not approved.
 */
export async function addPlugins(
  home: PluginHome,
  specs: readonly string[],
  options: AddOptions,
): Promise<Added | undefined> {
  return home.change(() => add(home, specs, options));
}

async function add(
  home: PluginHome,
  specs: readonly string[],
  options: AddOptions,
): Promise<Added | undefined> {
  const resolved = [];
  for (const spec of specs) resolved.push(await resolveSpec(spec, home, options.npm));
  const arguments_ = resolved.map((item) =>
    item.kind === "local" ? `file:../local/${item.file}` : item.spec,
  );
  const staged = await stagePackages(home, arguments_, options.npm);
  await refuseUnusable(staged);
  if (!(await options.approve(staged))) return undefined;
  const allLocal = resolved.every(({ kind }) => kind === "local");
  await install(home, staged.dependencies, allLocal, options.npm);
  const withoutScripts = await runAllowedScripts(home, options);
  return { plugins: staged.plugins, withoutScripts };
}

/** Throws for a package that is no plugin, or one that cannot work here. */
async function refuseUnusable({ plugins, others, dependencies }: StagedPackages): Promise<void> {
  const support = supportPackages();
  const stranger = others.find((name) => !support.includes(name));
  if (stranger !== undefined) {
    throw new JarvisError(
      "OJ_PLUGIN_INSTALL",
      `${stranger} is no plugin: its package.json has no "openjarvis".`,
      {
        hint: "Nothing was added. A package that only a program of yours uses belongs into that program's project.",
      },
    );
  }
  for (const { name, version, problems } of plugins) {
    const error = problems.find(({ level }) => level === "error");
    if (error === undefined) continue;
    throw new JarvisError(error.code, `${name} ${version} cannot be used: ${error.message}`, {
      hint: "Nothing was added. Ask its author, or try another version.",
    });
  }
  if (coreName in dependencies) return;
  const { default: satisfies } = await import("semver/functions/satisfies.js");
  const core = ownCore().version;
  for (const { name, version, packageJson } of plugins) {
    const range = (packageJson.peerDependencies as Record<string, unknown> | undefined)?.[coreName];
    if (range === undefined || satisfies(core, String(range), { includePrerelease: true })) continue;
    const message = `${name} ${version} is made for ${coreName} ${String(range)}; this OpenJarvis has ${core}.`;
    throw new JarvisError("OJ_PLUGIN_INSTALL", message, {
      hint: `Nothing was added. Add a version that fits (${name}@VERSION), or update OpenJarvis.`,
    });
  }
}

async function install(
  home: PluginHome,
  wanted: Dependencies,
  allLocal: boolean,
  npm: NpmOptions,
): Promise<void> {
  const specs = Object.entries(wanted).map(([name, version]) => `${name}@${inHome(version)}`);
  const run = (core: readonly string[]) =>
    runNpm(["install", "--save-exact", "--ignore-scripts", `--prefix=${home.dir}`, ...core, ...specs], {
      ...npm,
      cwd: home.dir,
    });
  const { version } = ownCore();
  if (
    coreName in wanted ||
    (home.installedVersion(coreName) === version && coreName in home.dependencies())
  ) {
    await run([]);
    return;
  }
  // A registry without this core (a build of one's own, no network): our own copy serves as well.
  if (!allLocal && (await isPublished(version, npm))) {
    await run([`${coreName}@${version}`]);
    return;
  }
  const packed = await packOwnCore(home, npm);
  await run(packed.map(({ name, file }) => `${name}@file:local/${file}`));
}

async function isPublished(version: string, npm: NpmOptions): Promise<boolean> {
  try {
    return (await runNpm(["view", `${coreName}@${version}`, "version"], npm)).trim() === version;
  } catch (error) {
    if (isJarvisError(error, "OJ_PLUGIN_INSTALL")) return false;
    throw error;
  }
}

/** A version or file as package.json of the staging folder has it, as the plugin home has to name it. */
function inHome(version: string): string {
  return version.startsWith("file:") ? `file:local/${basename(version)}` : version;
}

/** Runs the install scripts that were allowed. Resolves with the packages whose scripts were not. */
async function runAllowedScripts(home: PluginHome, { allowScripts, npm }: AddOptions): Promise<string[]> {
  const all = packagesWithScripts(home.dir);
  const allowed = all.filter((name) => allowScripts.includes(name));
  if (allowed.length > 0) {
    const flags = ["--ignore-scripts=false", "--foreground-scripts", `--prefix=${home.dir}`];
    await runNpm(["rebuild", ...flags, ...allowed], { ...npm, cwd: home.dir });
  }
  return all.filter((name) => !allowed.includes(name));
}
