import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// The runner is a program of its own, of one file: its process may read no other.
export default defineConfig({
  ...base,
  entry: { index: "src/index.ts", runner: "src/runner/main.ts" },
  splitting: false,
  loader: { ".py": "text" },
});
