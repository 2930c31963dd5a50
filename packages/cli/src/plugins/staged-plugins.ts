import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type DiscoveredPlugin, discoverPlugins, readPluginRoot } from "@openjarvis/core";
import { type NpmOptions, runNpm } from "./npm.js";
import { coreName } from "./own-core.js";
import type { Dependencies, PluginHome } from "./plugin-home.js";

/** Packages that were fetched to be looked at. None of their code has run. */
export interface StagedPackages {
  /** Every package that was asked for, with the exact version or the file it came as. */
  dependencies: Dependencies;
  /** Those that are plugins. */
  plugins: DiscoveredPlugin[];
  /** Those that are none. */
  others: string[];
  /** Packages, among all that came along, that want to run a script when they are installed. */
  withScripts: string[];
}

/** Fetches packages into a folder of their own, looks at them, and removes the folder again. */
export async function stagePackages(
  home: PluginHome,
  specs: readonly string[],
  options: Omit<NpmOptions, "cwd">,
): Promise<StagedPackages> {
  const dir = mkdtempSync(join(home.dir, ".staging-"));
  try {
    writeFileSync(join(dir, "package.json"), '{ "private": true, "dependencies": {} }\n');
    // A registry that was set for the plugin folder counts here too.
    const npmrc = join(home.dir, ".npmrc");
    if (existsSync(npmrc)) copyFileSync(npmrc, join(dir, ".npmrc"));
    mkdirSync(join(dir, "node_modules"), { recursive: true });
    // Core comes with the plugin home; here it would only be fetched in vain.
    const flags = ["--save-exact", "--ignore-scripts", "--legacy-peer-deps", `--prefix=${dir}`];
    await runNpm(["install", ...flags, ...specs], { ...options, cwd: dir });
    const root = readPluginRoot(dir, "home");
    const plugins = discoverPlugins([root]);
    const names = new Set(plugins.map(({ name }) => name));
    return {
      dependencies: readDependencies(dir),
      plugins,
      others: root.dependencies.filter((name) => !names.has(name) && name !== coreName),
      withScripts: packagesWithScripts(dir),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The installed packages, in a folder's own lock of what npm put there, that have install scripts. */
export function packagesWithScripts(dir: string): string[] {
  const file = join(dir, "node_modules", ".package-lock.json");
  if (!existsSync(file)) return [];
  const lock = JSON.parse(readFileSync(file, "utf8")) as {
    packages?: Record<string, { hasInstallScript?: boolean }>;
  };
  const names = Object.entries(lock.packages ?? {})
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  return [...new Set(names)].sort();
}

function readDependencies(dir: string): Dependencies {
  const json = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { dependencies?: Dependencies };
  return json.dependencies ?? {};
}
