import { existsSync, readFileSync, realpathSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { tempDir } from "../src/index.js";

describe("tempDir", () => {
  it("holds files and is gone after its scope", async () => {
    let path = "";
    {
      await using dir = await tempDir();
      path = dir.path;
      expect(realpathSync(path)).toBe(path);
      const file = await dir.write("notes/today.md", "# Today");
      expect(file).toBe(dir.join("notes", "today.md"));
      expect(readFileSync(file, "utf8")).toBe("# Today");
    }
    expect(existsSync(path)).toBe(false);
  });

  it("gives each caller a folder of its own, which may be removed twice", async () => {
    const [a, b] = [await tempDir("oj-a-"), await tempDir("oj-a-")];
    expect(a.path).not.toBe(b.path);
    await a.remove();
    await a.remove();
    expect(existsSync(b.path)).toBe(true);
    await b.remove();
  });
});
