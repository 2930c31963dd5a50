// Bytes of core in an application's bundle, and of installations.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { report } from "./lib/measure.mjs";

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));

async function bundleSize(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: path("../packages/openjarvis") },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    external: ["zod"],
  });
  const { contents } = outputFiles[0];
  return { bytes: contents.length, gzipBytes: gzipSync(contents).length };
}

function distSize(folder) {
  const dir = path(`../packages/${folder}/dist`);
  return readdirSync(dir)
    .filter((file) => file.endsWith(".js"))
    .reduce((sum, file) => sum + statSync(join(dir, file)).size, 0);
}

const packages = readdirSync(path("../packages"));
report("size", {
  "core, everything": await bundleSize('export * from "@openjarvis/core";'),
  "core, an event bus alone": await bundleSize('export { EventBus } from "@openjarvis/core";'),
  distBytes: Object.fromEntries(packages.map((folder) => [folder, distSize(folder)])),
});
