import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// Needed only when there is a config file, and then read as one file each instead of hundreds.
export default defineConfig({ ...base, noExternal: ["smol-toml", "zod"], metafile: true });
