import { isBuiltin } from "node:module";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { describe, expect, it } from "vitest";
import { packagesDir } from "./support.js";

/**
 * Bytes of core with all it brings along (a third of it the JSON Schema validator): some 72,300 minified and 24,200
 * compressed when the limits were set, a tenth above.
 */
const limit = { minified: 80_000, compressed: 27_000 };

async function bundle(): Promise<{ code: string; imports: readonly string[] }> {
  const result = await build({
    configFile: false,
    root: join(packagesDir, "core"),
    logLevel: "silent",
    ssr: { noExternal: true },
    build: { ssr: "dist/index.js", target: "node20", minify: true, write: false },
  });
  if (!("output" in result)) throw new Error("The build gave no single output.");
  const [{ code, imports }] = result.output;
  return { code, imports };
}

describe("the built package, minified", () => {
  it("stays small and needs nothing but Node", async () => {
    const { code, imports } = await bundle();
    expect(code.length).toBeGreaterThan(limit.minified / 2);
    expect(code.length).toBeLessThan(limit.minified);
    expect(gzipSync(code).length).toBeLessThan(limit.compressed);
    expect(imports.filter((name) => !isBuiltin(name))).toEqual([]);
  });
});
