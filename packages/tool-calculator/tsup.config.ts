import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// mathjs as published is some 2,000 files and takes half a second or more to import; as one file it takes a few ms.
// The two builds run side by side, so neither may clean the folder; their file names never change.
export default defineConfig([
  { ...base, clean: false, external: [/\/parser\.js$/] },
  {
    ...base,
    clean: false,
    entry: ["src/parser.ts"],
    noExternal: [/^mathjs(\/|$)/],
    minify: true,
    sourcemap: false,
    metafile: true,
  },
]);
