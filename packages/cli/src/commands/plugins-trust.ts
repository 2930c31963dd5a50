import { nearestPackageDir } from "@openjarvis/core";
import { discoverInstalled, resolveHome, trustProject } from "@openjarvis/sdk";
import type { Command } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { usageError } from "../failure.js";
import { providesText } from "../plugins/provides-text.js";
import { pathFrom, sdkOptions } from "../sdk-options.js";

/** Lets a project add plugins, and shows which. */
export const trustPlugins: Command<{ folder?: string | undefined }> = async (context, { folder }) => {
  const { io, terminal } = context;
  const from = pathFrom(io.cwd, folder ?? ".");
  const project = nearestPackageDir(from);
  if (project === undefined) {
    const hint = "Name the folder of a project, or go there first.";
    throw usageError(`${from} is in no project: there is no package.json in it or above it.`, hint);
  }
  const noted = trustProject(resolveHome(io.env), project);
  terminal.print(`Trusted: ${noted}`);
  const { plugins } = discoverInstalled({ ...sdkOptions(context), projectDir: project, plugins: "discover" });
  const own = plugins.filter(({ origin }) => origin === "project");
  for (const plugin of own)
    terminal.note(`  ${plugin.name} ${plugin.version}  ${providesText(plugin.manifest)}`);
  if (own.length === 0) terminal.note("It has no plugins yet.");
  return exitCodes.ok;
};
