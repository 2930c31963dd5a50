import { SandboxRegistry } from "@openjarvis/core";
import { QuickJsSandbox } from "./quickjs-sandbox.js";

SandboxRegistry.register("javascript")(QuickJsSandbox);

export { type CellLimits, defaultLimits } from "./limits.js";
export { QuickJsSandbox, type QuickJsSandboxOptions } from "./quickjs-sandbox.js";
