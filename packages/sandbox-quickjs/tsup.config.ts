import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// The three builds run side by side, so none may clean the folder; their file names never change.
const bundled = { ...base, clean: false, sourcemap: false, splitting: false, minify: true };

export default defineConfig([
  { ...base, clean: false },
  {
    // The thread, in one file with its libraries: as published they are a dozen files and bring four builds.
    ...bundled,
    entry: { worker: "src/worker/main.ts" },
    noExternal: [/^acorn$/, /quickjs/],
    loader: { ".wasm": "file" },
    esbuildOptions(options) {
      options.assetNames = "[name]";
    },
    metafile: true,
  },
  {
    // What runs inside the interpreter.
    ...bundled,
    entry: { guest: "src/guest/index.ts" },
    format: ["iife"],
    globalName: "guest",
    platform: "neutral",
    target: "es2022",
    outExtension: () => ({ js: ".js" }),
  },
]);
