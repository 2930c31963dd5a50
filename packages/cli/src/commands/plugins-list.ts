import type { DiscoveredPlugin } from "@openjarvis/core";
import type { Command } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { ignoredNote, installedPlugins } from "../installed.js";
import { providesText } from "../plugins/provides-text.js";
import { printTable } from "../table.js";

/** Lists the installed plugins by their manifests; none is loaded. */
export const listPlugins: Command<{ json?: boolean }> = async (context, { json }) => {
  const installed = await installedPlugins(context);
  const { terminal } = context;
  const status = (plugin: DiscoveredPlugin) => {
    if (installed.disabled.includes(plugin.name)) return "disabled";
    return plugin.problems.some(({ level }) => level === "error") ? "error" : "ok";
  };
  if (json === true) {
    const items = installed.plugins.map((plugin) => ({
      name: plugin.name,
      version: plugin.version,
      description: plugin.description,
      origin: plugin.origin,
      root: plugin.root,
      status: status(plugin),
      api_version: plugin.manifest.apiVersion,
      provides: plugin.manifest.provides,
      env: plugin.manifest.env,
      problems: plugin.problems,
    }));
    terminal.print(JSON.stringify(items, undefined, 2));
  } else if (installed.plugins.length === 0) {
    terminal.note("No plugin is installed.");
  } else {
    const rows = installed.plugins.map((plugin) => [
      plugin.name,
      plugin.version,
      plugin.origin,
      status(plugin),
      plugin.problems[0]?.message ?? providesText(plugin.manifest),
    ]);
    printTable(terminal, [["NAME", "VERSION", "ORIGIN", "STATUS", "PROVIDES"], ...rows]);
  }
  ignoredNote(context, installed);
  return exitCodes.ok;
};
