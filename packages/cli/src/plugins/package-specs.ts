import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorText, JarvisError } from "@openjarvis/core";
import { pathFrom } from "../sdk-options.js";
import type { NpmOptions } from "./npm.js";
import { packFolder } from "./pack-folder.js";
import type { PluginHome } from "./plugin-home.js";

/** A package as a person names it: something of the registry, or a tarball that is kept in the plugin home. */
export type PackageSpec = { kind: "registry"; spec: string } | { kind: "local"; file: string };

/**
 * What a person means by a package. A folder is packed and a tarball copied into the plugin home, so that the plugin
 * neither changes nor vanishes with them.
 */
export async function resolveSpec(spec: string, home: PluginHome, options: NpmOptions): Promise<PackageSpec> {
  const path = localPath(spec, options.cwd);
  if (path === undefined) return { kind: "registry", spec };
  if (!existsSync(path)) {
    throw new JarvisError("OJ_PLUGIN_INSTALL", `${spec} does not exist.`, {
      hint: "Give a folder with a package.json, or a tarball made with npm pack.",
    });
  }
  if (!statSync(path).isDirectory()) {
    return { kind: "local", file: home.keepTarball(path, { move: false }) };
  }
  refuseWorkspaceRanges(path);
  return { kind: "local", file: await packFolder(path, home, options) };
}

function localPath(spec: string, cwd: string): string | undefined {
  if (spec.startsWith("file://")) return fileURLToPath(spec);
  if (spec.startsWith("file:")) return pathFrom(cwd, spec.slice("file:".length));
  const looksLocal = /^(\.{1,2}($|[\\/])|[\\/]|[A-Za-z]:[\\/])/.test(spec) || /\.(tgz|tar\.gz)$/.test(spec);
  return looksLocal && !/^https?:/.test(spec) ? pathFrom(cwd, spec) : undefined;
}

/** Ranges only a workspace's own package manager knows would fail later, in npm's words. */
function refuseWorkspaceRanges(dir: string): void {
  let json: Record<string, unknown>;
  try {
    json = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as Record<string, unknown>;
  } catch (error) {
    throw new JarvisError("OJ_PLUGIN_INSTALL", `${dir} is no package: ${errorText(error)}`, {
      cause: error,
      hint: "Give a folder with a package.json, or a tarball made with npm pack.",
    });
  }
  const ranges = [json.dependencies, json.optionalDependencies, json.peerDependencies].flatMap((part) =>
    Object.entries((part ?? {}) as Record<string, unknown>),
  );
  const foreign = ranges.find(([, range]) => /^(workspace|catalog):/.test(String(range)));
  if (foreign === undefined) return;
  throw new JarvisError(
    "OJ_PLUGIN_INSTALL",
    `${dir} depends on ${foreign[0]} as "${String(foreign[1])}", which only its workspace can resolve.`,
    {
      hint: 'Run "pnpm pack" in it, then add the .tgz that makes.',
    },
  );
}
