import type { Check } from "./check.js";

const floor = [20, 19] as const;

/** Whether the running Node is one this project supports. */
export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const ok = major > floor[0] || (major === floor[0] && minor >= floor[1]);
  const message = ok ? "" : `OpenJarvis needs Node ${floor.join(".")} or newer: https://nodejs.org`;
  return { area: "node", name: version, status: ok ? "ok" : "error", message };
}
