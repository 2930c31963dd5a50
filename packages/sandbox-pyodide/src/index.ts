import { SandboxRegistry } from "@openjarvis/core";
import { PyodideSandbox } from "./pyodide-sandbox.js";

SandboxRegistry.register("python")(PyodideSandbox);

export { type CellLimits, defaultLimits } from "./limits.js";
export { PyodideSandbox, type PyodideSandboxOptions } from "./pyodide-sandbox.js";
