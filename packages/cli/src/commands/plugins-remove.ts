import { type DiscoveredPlugin, didYouMean, JarvisError } from "@openjarvis/core";
import { homePaths, resolveHome } from "@openjarvis/sdk";
import type { Command, CommandContext } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { installedPlugins } from "../installed.js";
import { runNpm } from "../plugins/npm.js";
import { supportPackages } from "../plugins/own-core.js";
import { PluginHome } from "../plugins/plugin-home.js";

/** Removes plugins from the plugin home. */
export const removePlugins: Command<{ names: readonly string[] }> = async (context, { names }) => {
  const { io, terminal, interrupts } = context;
  const home = new PluginHome(homePaths(resolveHome(io.env)).plugins);
  const support = supportPackages();
  const added = Object.keys(home.dependencies()).filter((name) => !support.includes(name));
  const missing = names.find((name) => !added.includes(name));
  if (missing !== undefined) throw await notThere(context, missing, added);
  await home.change(() =>
    runNpm(["uninstall", "--save", "--ignore-scripts", `--prefix=${home.dir}`, ...names], {
      cwd: home.dir,
      env: io.env,
      signal: interrupts.signal,
    }),
  );
  for (const name of names) terminal.print(`Removed ${name}`);
  return exitCodes.ok;
};

async function notThere(
  context: CommandContext,
  name: string,
  added: readonly string[],
): Promise<JarvisError> {
  const { plugins } = await installedPlugins(context);
  const elsewhere = plugins.find((plugin) => plugin.name === name);
  const message = `${name} was not added here.${didYouMean(name, added)}`;
  return new JarvisError("OJ_PLUGIN_NOT_FOUND", message, { hint: hintFor(context, elsewhere, added) });
}

function hintFor(
  { distribution }: CommandContext,
  elsewhere: DiscoveredPlugin | undefined,
  added: readonly string[],
): string {
  if (elsewhere?.origin === "distribution") {
    return `It is part of this distribution. To leave it unused: ${distribution.name} config set plugins.disabled ${elsewhere.name}`;
  }
  if (elsewhere?.origin === "project") return "It belongs to the project you are in; remove it there.";
  return added.length === 0 ? "Nothing was added yet." : `Added are: ${added.join(", ")}.`;
}
