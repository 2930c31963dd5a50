import { execFile } from "node:child_process";
import { cp, symlink } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { tempDir } from "../src/index.js";

const packageDir = fileURLToPath(new URL("..", import.meta.url));
const coreDir = fileURLToPath(new URL("../../core", import.meta.url));

describe("the built package", () => {
  it("works where vitest is not installed, and prints nothing", async () => {
    await using dir = await tempDir();
    const installed = dir.join("node_modules", "@openjarvis");
    await cp(`${packageDir}/dist`, `${installed}/testing/dist`, { recursive: true });
    await cp(`${packageDir}/package.json`, `${installed}/testing/package.json`);
    await symlink(coreDir, `${installed}/core`, "junction");
    const script = await dir.write(
      "script.mjs",
      `import { ScriptedEngine } from "@openjarvis/testing";
       const engine = new ScriptedEngine(["Hello."]);
       const { content } = await engine.generate([{ role: "user", content: "Hi" }], { model: "m" });
       engine.assertDone();
       const vitest = await import("vitest").then(() => "found", () => "missing");
       console.log(JSON.stringify({ content, vitest }));`,
    );
    const { NODE_OPTIONS: _, ...env } = process.env;
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [script], { cwd: dir.path, env });
    expect(JSON.parse(stdout)).toEqual({ content: "Hello.", vitest: "missing" });
    expect(stderr).toBe("");
  });
});
