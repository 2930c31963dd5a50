import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// Without splitting, core loads one file at its start; the few lines both entries share are in each.
export default defineConfig({ ...base, entry: ["src/index.ts", "src/replies.ts"], splitting: false });
