import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createId } from "../src/index.js";
import { installCore, run, tempDir, writeFiles } from "./support.js";

describe("createId", () => {
  it("carries its prefix and never repeats within a process", () => {
    const ids = Array.from({ length: 10_000 }, () => createId("run"));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^run_[0-9a-z]+_[0-9a-z]+$/);
  });

  it("does not repeat between processes that start at once", async () => {
    const dir = tempDir();
    installCore(dir);
    writeFiles(dir, {
      "main.mjs": 'import { createId } from "@openjarvis/core"; console.log(createId("run"));',
    });
    const outputs = await Promise.all(
      [1, 2, 3].map(() => run(process.execPath, [join(dir, "main.mjs")], dir)),
    );
    expect(new Set(outputs).size).toBe(3);
  });
});
