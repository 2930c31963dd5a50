import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { JarvisError } from "@openjarvis/core";
import { type NpmOptions, runNpm } from "./npm.js";
import type { PluginHome } from "./plugin-home.js";

/** Packs the package in a folder as publishing it would, without its scripts. Resolves with the tarball's file name. */
export async function packFolder(
  dir: string,
  home: PluginHome,
  npm: Omit<NpmOptions, "cwd">,
): Promise<string> {
  const target = mkdtempSync(join(home.dir, ".packed-"));
  try {
    await runNpm(["pack", "--ignore-scripts", `--pack-destination=${target}`], { ...npm, cwd: dir });
    const [file] = readdirSync(target);
    if (file === undefined) throw new JarvisError("OJ_PLUGIN_INSTALL", `npm pack made nothing of ${dir}.`);
    return home.keepTarball(join(target, file), { move: true });
  } finally {
    rmSync(target, { recursive: true, force: true });
  }
}
