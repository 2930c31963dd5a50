import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseManifest } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { isPlugin, packages } from "./packages.js";

describe.each(packages.map((item) => [item.folder, item] as const))("package %s", (folder, item) => {
  const { json, dir, sources } = item;

  it("has a README, a build of one line's configuration and the two tsconfig files", () => {
    for (const file of ["README.md", "tsup.config.ts", "tsconfig.json", "tsconfig.build.json"]) {
      expect(existsSync(join(dir, file)), file).toBe(true);
    }
    expect(readFileSync(join(dir, "README.md"), "utf8")).toContain(json.name);
  });

  it("is named after its folder, described, licensed and public", () => {
    expect(json.name).toBe(folder === "openjarvis" ? "openjarvis" : `@openjarvis/${folder}`);
    expect(json.description ?? "").toMatch(/\.$/);
    expect(json.license).toBe("Apache-2.0");
    expect(json.type).toBe("module");
    expect(json.private).toBeUndefined();
    expect(json.engines?.node).toBe(">=20.19.0");
    expect(json.publishConfig?.access).toBe("public");
    expect(json.files).toContain("dist");
  });

  it("exports with a default condition, its package.json, and no source condition when published", () => {
    for (const exported of [json.exports, json.publishConfig?.exports]) {
      expect(exported?.["./package.json"]).toBe("./package.json");
      for (const [path, target] of Object.entries(exported ?? {})) {
        if (typeof target === "string") continue;
        expect(target.default, path).toMatch(/^\.\/dist\/.*\.js$/);
        expect(target.types, path).toMatch(/^\.\/dist\/.*\.d\.ts$/);
        expect(Object.keys(target)).not.toContain("import");
      }
    }
    expect(JSON.stringify(json.publishConfig?.exports)).not.toContain("@openjarvis/source");
    expect(Object.keys(json.publishConfig?.exports ?? {})).toEqual(Object.keys(json.exports ?? {}));
  });

  it("names its files in kebab case and keeps them small", () => {
    for (const source of sources) {
      expect(source).toMatch(/^src\/([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/);
      const lines = readFileSync(join(dir, source), "utf8").split("\n").length;
      expect(lines, source).toBeLessThanOrEqual(320);
    }
  });

  it.runIf(isPlugin(item))("is a plugin as the manifest, the peer rule and bundlers want it", () => {
    const { manifest, problems } = parseManifest(json as unknown as Record<string, unknown>);
    expect(problems).toEqual([]);
    expect(Object.values(manifest.provides).flat().length).toBeGreaterThan(0);
    expect(json.keywords).toContain("openjarvis-plugin");
    expect(json.peerDependencies?.["@openjarvis/core"]).toBe("workspace:>=0.1.0 <1.0.0");
    expect(json.dependencies?.["@openjarvis/core"]).toBeUndefined();
    expect(json.sideEffects).not.toBe(false);
  });
});
