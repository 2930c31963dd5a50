import { discoverInstalled, type LoadedConfig, loadConfig } from "@openjarvis/sdk";
import type { CommandContext } from "./command-context.js";
import { sdkOptions } from "./sdk-options.js";

/** What is installed, with the configuration that was looked at for it. */
export type Installed = ReturnType<typeof discoverInstalled> & { loaded: LoadedConfig };

/** Reads the manifests of what is installed. No plugin is loaded. */
export async function installedPlugins(context: CommandContext): Promise<Installed> {
  const options = sdkOptions(context);
  const loaded = await loadConfig({ env: options.env, configPath: options.configPath });
  return { ...discoverInstalled({ ...options, config: loaded.config }), loaded };
}

/** Says that the plugins of the project are left out, where they are. */
export function ignoredNote({ terminal, distribution }: CommandContext, { ignored }: Installed): void {
  if (ignored === undefined || ignored.count === 0) return;
  const what =
    ignored.count === 1 ? "1 plugin of this project is" : `${ignored.count} plugins of this project are`;
  terminal.note(`${what} ignored, since it is not trusted. Run: ${distribution.name} plugins trust`, "dim");
}
