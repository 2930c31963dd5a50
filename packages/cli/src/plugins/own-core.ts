import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { coreCopies, findPackageDir, JarvisError, nearestPackageDir } from "@openjarvis/core";
import type { NpmOptions } from "./npm.js";
import { packFolder } from "./pack-folder.js";
import type { PluginHome } from "./plugin-home.js";

/** The name of the package every plugin depends on. */
export const coreName = "@openjarvis/core";

/** A package on disk. */
export interface PackageOnDisk {
  dir: string;
  version: string;
}

/** The copy of core this program runs on. */
export function ownCore(): PackageOnDisk {
  const dir = nearestPackageDir(fileURLToPath(coreCopies()[0]?.url ?? import.meta.url));
  if (dir === undefined)
    throw new JarvisError("OJ_INTERNAL", `The package.json of ${coreName} was not found.`);
  return packageOnDisk(dir);
}

/** The package in a folder. */
export function packageOnDisk(dir: string): PackageOnDisk {
  return { dir, version: readManifest(dir).version };
}

/** The names of core and of what it depends on: they may be given beside plugins, and are none. */
export function supportPackages(): string[] {
  const packages = new Map<string, string>();
  collect(coreName, ownCore().dir, packages);
  return [...packages.keys()];
}

/**
 * Packs our own core, and what it depends on, into the plugin home, for one that cannot get this version from a
 * registry. Resolves with the packages' names and the tarballs' file names.
 */
export async function packOwnCore(
  home: PluginHome,
  npm: Omit<NpmOptions, "cwd">,
): Promise<{ name: string; file: string }[]> {
  const packages = new Map<string, string>();
  collect(coreName, ownCore().dir, packages);
  const packed: { name: string; file: string }[] = [];
  for (const [name, dir] of packages) packed.push({ name, file: await pack(dir, packages, home, npm) });
  return packed;
}

/** A package and its dependencies, by name. */
function collect(name: string, dir: string, packages: Map<string, string>): void {
  if (packages.has(name)) return;
  packages.set(name, dir);
  for (const dependency of Object.keys(readManifest(dir).dependencies)) {
    const found = findPackageDir(dependency, dir);
    if (found === undefined)
      throw new JarvisError("OJ_PLUGIN_INSTALL", `${dependency}, which ${name} needs, was not found.`);
    collect(dependency, found, packages);
  }
}

/** Packs a copy whose ranges are exact versions: in a source tree they are ones only its own package manager knows. */
async function pack(
  dir: string,
  packages: ReadonlyMap<string, string>,
  home: PluginHome,
  npm: Omit<NpmOptions, "cwd">,
): Promise<string> {
  const copy = mkdtempSync(join(home.dir, ".pack-"));
  try {
    const source = realpathSync(dir);
    cpSync(source, copy, {
      recursive: true,
      filter: (path) => path === source || !["node_modules", "src", "test"].includes(basename(path)),
    });
    const manifest = readManifest(source);
    const dependencies = Object.fromEntries(
      Object.keys(manifest.dependencies).map((key) => [key, readManifest(packages.get(key) ?? "").version]),
    );
    const { publishConfig, ...rest } = manifest.json;
    const exports = (publishConfig as { exports?: unknown } | undefined)?.exports ?? rest.exports;
    const published = { ...rest, exports, dependencies, devDependencies: undefined, scripts: undefined };
    writeFileSync(join(copy, "package.json"), JSON.stringify(published, undefined, 2));
    return await packFolder(copy, home, npm);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function readManifest(dir: string): {
  json: Record<string, unknown>;
  version: string;
  dependencies: Record<string, string>;
} {
  const json = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Record<string, unknown>;
  return {
    json,
    version: typeof json.version === "string" ? json.version : "0.0.0",
    dependencies: (json.dependencies ?? {}) as Record<string, string>,
  };
}
