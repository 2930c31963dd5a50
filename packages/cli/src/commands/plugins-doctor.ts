import type { Check } from "../check.js";
import { reportChecks } from "../check.js";
import type { Command, CommandContext } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { installedPlugins } from "../installed.js";
import { checkNode } from "../node-check.js";
import { checkCore, checkDuplicates, checkPlugin } from "../plugins/plugin-checks.js";

/** Checks every plugin, each in a process of its own. */
export const pluginsDoctor: Command<{ json?: boolean }> = async (context, { json }) => {
  const { terminal, interrupts } = context;
  const checks = await pluginChecks(context);
  if (interrupts.exitCode !== undefined) return interrupts.exitCode;
  return reportChecks(terminal, checks, json) ? exitCodes.ok : exitCodes.failed;
};

async function pluginChecks(context: CommandContext): Promise<Check[]> {
  const { io, interrupts } = context;
  const { plugins, roots, ignored, disabled, loaded } = await installedPlugins(context);
  const active = plugins.filter(({ name }) => !disabled.includes(name));
  const checks: Check[] = [checkNode(), checkCore(roots, active)];
  // One after the other: the time a plugin takes to load is part of what is reported.
  for (const plugin of active) {
    checks.push(...(await checkPlugin(plugin, { env: io.env, signal: interrupts.signal })));
  }
  for (const name of disabled) {
    checks.push({ area: "plugin", name, status: "info", message: "disabled in the configuration" });
  }
  checks.push(...checkDuplicates(active, loaded.config.plugins.prefer));
  if (ignored !== undefined && ignored.count > 0) {
    const name = `${ignored.dir} (${ignored.count})`;
    const message = `project not trusted; allow it with: ${context.distribution.name} plugins trust`;
    checks.push({ area: "plugin", name, status: "info", message, facts: { origin: "project" } });
  }
  return checks;
}
