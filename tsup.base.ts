import { readFileSync } from "node:fs";
import type { Options } from "tsup";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** What every package builds with: ESM for the Node floor, declarations by `tsc` afterwards. */
export const base = {
  entry: ["src/index.ts"],
  format: ["esm"],
  target: "node20",
  platform: "node",
  dts: false,
  sourcemap: true,
  clean: true,
  splitting: true,
  treeshake: false,
  // A version read from package.json at run time is read from the wrong file as soon as something bundles the package.
  define: { __PACKAGE_VERSION__: JSON.stringify(version) },
} satisfies Options;
