import { type DiscoveredPlugin, isJarvisError, loadPlugin } from "@openjarvis/core";
import type { ProbeMessage } from "./plugins/probe.js";

// The child process of `probePlugin`: loads the plugin it is sent, answers once, and ends whatever the plugin left open.
process.once("message", async (plugin: DiscoveredPlugin) => {
  const started = performance.now();
  let answer: ProbeMessage;
  try {
    await loadPlugin(plugin);
    answer = { ok: true, milliseconds: performance.now() - started };
  } catch (error) {
    const milliseconds = performance.now() - started;
    const known = isJarvisError(error) ? { code: error.code, hint: error.hint } : { code: "OJ_PLUGIN_LOAD" };
    const message = error instanceof Error ? error.message : String(error);
    answer = { ok: false, milliseconds, message, ...known };
  }
  process.send?.(answer, () => process.exit(0));
});
