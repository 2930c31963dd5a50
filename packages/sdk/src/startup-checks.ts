import { didYouMean, type EventBus, JarvisError } from "@openjarvis/core";
import type { LoadedConfig } from "./config-types.js";
import { firstPartyPackages } from "./first-party.js";
import type { PluginHost } from "./plugin-host.js";

/**
 * Checks names in the config against what is installed. A name that guards something and means nothing is an error; an
 * option table for something that is not installed is a warning, since it may be installed again. Looks for plugins
 * only when the config holds a name that is not of this project.
 */
export function checkNames(loaded: LoadedConfig, plugins: PluginHost, bus: EventBus): void {
  const { config } = loaded;
  const warn = (message: string) => bus.publish("WARNING", { message, source: "config" });
  const unknown = (kind: "tools" | "agents" | "engines", names: readonly string[]) =>
    names.filter((name) => !Object.hasOwn(firstPartyPackages[kind], name) && !plugins.has(kind, name));
  const near = (kind: "tools" | "agents" | "engines", name: string) =>
    didYouMean(name, [...plugins.installed(kind), ...Object.keys(firstPartyPackages[kind])]);

  const [tool] = unknown("tools", config.tools.alwaysConfirm);
  if (tool !== undefined) {
    const place = loaded.locate("tools", "always_confirm");
    const message = `${place}: tools.always_confirm names "${tool}", and there is no such tool.${near("tools", tool)}`;
    throw new JarvisError("OJ_CONFIG_VALUE", message, {
      hint: `Installed tools: ${plugins.installed("tools").join(", ") || "none"}.`,
    });
  }
  for (const [section, kind] of [["engine", "engines"] as const, ["agent", "agents"] as const]) {
    for (const id of unknown(kind, Object.keys(config[section].options))) {
      const place = loaded.locate(section, id);
      warn(
        `${place}: [${section}.${id}] has no effect: no ${section} "${id}" is installed.${near(kind, id)}`,
      );
    }
  }
}
