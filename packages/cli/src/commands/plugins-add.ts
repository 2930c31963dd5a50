import { JarvisError, providedIds, registryKinds } from "@openjarvis/core";
import { homePaths, resolveHome } from "@openjarvis/sdk";
import type { Command, CommandContext } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { installedPlugins } from "../installed.js";
import { addPlugins as addToHome } from "../plugins/add-plugins.js";
import { PluginHome } from "../plugins/plugin-home.js";
import { providesText } from "../plugins/provides-text.js";
import { publisherText } from "../plugins/publisher.js";
import type { StagedPackages } from "../plugins/staged-plugins.js";

/** What `plugins add` takes. */
export interface AddArguments {
  packages: readonly string[];
  yes?: boolean;
  allowScripts?: readonly string[];
}

/** Installs plugins into the plugin home, after showing what they are and asking. */
export const addPlugins: Command<AddArguments> = async (context, { packages, yes, allowScripts = [] }) => {
  const { io, terminal, interrupts, distribution } = context;
  if (yes !== true && !terminal.isInteractive) {
    throw new JarvisError(
      "OJ_PLUGIN_INSTALL",
      "A plugin runs with your rights, and there is no terminal to ask.",
      {
        hint: "Pass --yes to add it without being asked.",
      },
    );
  }
  const home = new PluginHome(homePaths(resolveHome(io.env)).plugins);
  const npm = { cwd: io.cwd, env: io.env, signal: interrupts.signal };
  terminal.note("Fetching …", "dim");
  const added = await addToHome(home, packages, {
    npm,
    allowScripts,
    approve: async (staged) => {
      await describe(context, staged, { allowScripts, npm });
      if (yes === true) return true;
      const { promptYes } = await import("../line-prompt.js");
      return promptYes(context, "Add?");
    },
  });
  if (added === undefined) {
    terminal.note("Nothing was added.");
    return interrupts.exitCode ?? exitCodes.failed;
  }
  for (const { name, version } of added.plugins) terminal.print(`Added ${name} ${version}`);
  for (const name of added.withoutScripts) {
    const again = `${distribution.name} plugins add ${packages.join(" ")} --allow-scripts ${name}`;
    terminal.note(`${name} has an install script that was not run. If it is needed: ${again}`, "yellow");
  }
  await warnAboutDuplicates(
    context,
    added.plugins.map(({ name }) => name),
  );
  return exitCodes.ok;
};

async function describe(
  { terminal }: CommandContext,
  staged: StagedPackages,
  { allowScripts, npm }: { allowScripts: readonly string[]; npm: Parameters<typeof publisherText>[2] },
): Promise<void> {
  for (const { name, version, description, manifest } of staged.plugins) {
    terminal.noteStyled(`${terminal.noteStyle("bold", terminal.clean(`${name} ${version}`))}`);
    if (description !== "") terminal.note(`  ${description}`);
    terminal.note(`  provides   ${providesText(manifest)}`);
    if (manifest.env.length > 0) terminal.note(`  reads      ${manifest.env.join(", ")}`);
    terminal.note(`  published  ${await publisherText(name, staged.dependencies[name] ?? "", npm)}`);
  }
  for (const name of staged.withScripts) {
    const answer = allowScripts.includes(name) ? "will run" : "will not run";
    terminal.note(`  script     ${name} has an install script, which ${answer}`, "yellow");
  }
  for (const name of allowScripts.filter((allowed) => !staged.withScripts.includes(allowed))) {
    terminal.note(`warning: ${name} has no install script to allow.`, "yellow");
  }
  terminal.note("A plugin runs with your rights: add only what you trust.", "dim");
}

/** Says so when an added plugin provides a name that another has already. */
async function warnAboutDuplicates(context: CommandContext, added: readonly string[]): Promise<void> {
  const { plugins, loaded } = await installedPlugins(context);
  for (const plugin of plugins.filter(({ name }) => added.includes(name))) {
    for (const kind of registryKinds) {
      for (const id of providedIds(plugin, kind)) {
        const other = plugins.find((one) => one !== plugin && providedIds(one, kind).includes(id));
        if (other === undefined || loaded.config.plugins.prefer[id] !== undefined) continue;
        const choose = `${context.distribution.name} config set plugins.prefer.${id} ${plugin.name}`;
        const message = `"${id}" (${kind}) is provided by ${other.name} too. Choose one, for example: ${choose}`;
        context.terminal.note(`warning: ${message}`, "yellow");
      }
    }
  }
}
