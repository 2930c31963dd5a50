import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// The client as published is many files, most of them never used here; as one file it takes a few ms to load.
// The two builds run side by side, so neither may clean the folder; their file names never change.
export default defineConfig([
  { ...base, clean: false, external: [/\/client-library\.js$/] },
  {
    ...base,
    clean: false,
    entry: ["src/client-library.ts"],
    noExternal: [/^(ollama|whatwg-fetch)(\/|$)/],
    minify: true,
    sourcemap: false,
    metafile: true,
  },
]);
