import type { PluginManifest } from "@openjarvis/core";

/** What a plugin provides, on one line: `tools: calculator; agents: a, b`. */
export function providesText({ provides }: PluginManifest): string {
  const parts = Object.entries(provides).map(([kind, names]) => `${kind}: ${names.join(", ")}`);
  return parts.length === 0 ? "nothing" : parts.join("; ");
}
