import { defineConfig } from "tsup";
import { base } from "../../tsup.base.js";

// The JSON Schema validator is small and needed at every start; inside the bundle it costs one file less each.
export default defineConfig({ ...base, noExternal: ["@cfworker/json-schema"], metafile: true });
