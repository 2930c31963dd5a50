import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isPlugin, packages, type WorkspacePackage } from "./packages.js";

/** The floor of a package; an import only ever goes to a lower one. */
function floorOf(item: WorkspacePackage): number {
  const { folder } = item;
  if (folder === "openjarvis") return 4;
  if (["cli", "server", "mcp"].includes(folder)) return 3;
  if (folder === "sdk") return 2;
  if (isPlugin(item) || folder === "testing") return 1;
  // What plugins of one kind share; it speaks core's errors.
  if (folder === "model-server") return 0.5;
  if (folder === "core") return 0;
  // Pure functions below core: they know nothing of it.
  if (["model-output", "safe-fetch", "ingest"].includes(folder)) return -1;
  throw new Error(`packages/${folder} stands on no floor; name its floor here and in docs/house.md`);
}

const floors = new Map(packages.map((item) => [item.json.name, floorOf(item)]));

function importsOf(item: WorkspacePackage): { file: string; name: string }[] {
  return item.sources.flatMap((file) => {
    const text = readFileSync(join(item.dir, file), "utf8");
    const specifiers = text.matchAll(/(?:from|import)\s*\(?\s*"((?:@openjarvis\/|openjarvis)[^"]*)"/g);
    return [...specifiers].map((match) => ({ file, name: packageName(match[1] ?? "") }));
  });
}

function packageName(specifier: string): string {
  const parts = specifier.split("/");
  return specifier.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "");
}

describe.each(packages.map((item) => [item.folder, item] as const))("package %s", (_folder, item) => {
  it("imports only from lower floors", () => {
    const floor = floorOf(item);
    for (const { file, name } of importsOf(item)) {
      expect(floors.has(name), `${file} imports ${name}, which is no package here`).toBe(true);
      expect(floors.get(name), `${file} imports ${name}`).toBeLessThan(floor);
    }
  });

  it("declares every package of this house that it imports", () => {
    const { dependencies, peerDependencies, devDependencies } = item.json;
    const declared = Object.keys({ ...dependencies, ...peerDependencies });
    for (const { file, name } of importsOf(item)) expect(declared, `${file} imports ${name}`).toContain(name);
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (name.startsWith("@openjarvis/")) expect(floors.has(name), name).toBe(true);
    }
  });
});

describe("heavy libraries", () => {
  // What costs more than a few milliseconds to import; see the start-up rows of bench/.
  const heavy =
    /^(?:import|export)\s(?!type\b).*from\s+"(mathjs[^"]*|openai|ollama|zod|smol-toml|semver|commander|pyodide)"/m;

  it("are imported inside their first use, never when a plugin or the SDK is imported", () => {
    const offenders: string[] = [];
    for (const item of packages) {
      const eager = eagerSources(item);
      for (const file of eager) {
        const found = heavy.exec(readFileSync(join(item.dir, file), "utf8"));
        if (found !== null && item.folder !== "testing")
          offenders.push(`${item.folder}/${file}: ${found[1] ?? ""}`);
      }
    }
    expect(offenders).toEqual([]);
  });
});

/** The source files that are reached from a package's index by static imports. */
function eagerSources(item: WorkspacePackage): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || !item.sources.includes(file)) return;
    seen.add(file);
    const text = readFileSync(join(item.dir, file), "utf8");
    for (const match of text.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from\s+"(\.[^"]+)\.js"/gm)) {
      visit(join(file, "..", `${match[1] ?? ""}.ts`));
    }
  };
  visit("src/index.ts");
  return [...seen];
}
