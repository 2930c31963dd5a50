import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getConfigValue, validateConfigText } from "@openjarvis/sdk";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { firstConfigText } from "../src/first-config.js";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "openjarvis-first-config-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

describe("firstConfigText", () => {
  it("sets nothing when nothing was chosen", async () => {
    const text = firstConfigText({});
    expect(await validateConfigText(text)).toEqual([]);
    expect(text.split("\n").filter((line) => /^[a-z]/.test(line))).toEqual([]);
  });

  it("stays short", () => {
    expect(firstConfigText({}).split("\n").length).toBeLessThanOrEqual(30);
  });

  it("shows only settings that exist", async () => {
    const uncommented = firstConfigText({}).replace(/^# (?=\[|[a-z_]+ = )/gm, "");
    expect(await validateConfigText(uncommented)).toEqual([]);
  });

  it("keeps what was chosen, whatever it is", async () => {
    const file = join(dir, "config.toml");
    const name = fc.string({ minLength: 1, unit: "grapheme" }).filter((text) => text.trim() !== "");
    await fc.assert(
      fc.asyncProperty(name, async (model) => {
        writeFileSync(file, firstConfigText({ model }));
        expect(await getConfigValue(file, "intelligence.default_model")).toBe(model);
      }),
    );
    writeFileSync(file, firstConfigText({ model: 'a\u007fb"\\\n' }));
    expect(await getConfigValue(file, "intelligence.default_model")).toBe('a\u007fb"\\\n');
  });

  it("keeps engine, agent and tools", async () => {
    const file = join(dir, "config.toml");
    writeFileSync(file, firstConfigText({ engine: "ollama", agent: "simple", tools: ["think"] }));
    expect(await getConfigValue(file, "engine.default")).toBe("ollama");
    expect(await getConfigValue(file, "agent.default_agent")).toBe("simple");
    expect(await getConfigValue(file, "tools.enabled")).toEqual(["think"]);
  });
});
