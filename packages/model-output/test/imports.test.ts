import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The files that a source file imports at run time, itself included. */
function importedBy(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const text = readFileSync(new URL(`../src/${file}`, import.meta.url), "utf8");
  for (const [, names = "", from = ""] of text.matchAll(/^(?:import|export)\s([^;]*?)from\s+"([^"]+)"/gm)) {
    if (names.startsWith("type ")) continue;
    expect(from, `${file} imports a package`).toMatch(/^\.\.?\//);
    const path = new URL(from.replace(/\.js$/, ".ts"), `file:///${file}`).pathname.slice(1);
    importedBy(path, seen);
  }
  return seen;
}

describe("the package", () => {
  it("loads nothing but the reasoning tags when core starts", () => {
    expect([...importedBy("index.ts")]).toEqual(["index.ts", "reasoning.ts"]);
  });

  it("needs no other package", () => {
    expect(importedBy("replies.ts").size).toBeGreaterThan(20);
  });
});
