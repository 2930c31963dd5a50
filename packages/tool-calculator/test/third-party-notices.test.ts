import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const script = fileURLToPath(new URL("../../../scripts/third-party-notices.mjs", import.meta.url));

describe("the notices of bundled packages", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "notices-"));
    write("node_modules/alpha/package.json", { name: "alpha", version: "1.0.0", license: "MIT" });
    write("node_modules/alpha/LICENSE.md", "Copyright Alpha");
    write("node_modules/alpha/NOTICE", "Alpha thanks Beta");
    write("node_modules/alpha/esm/package.json", { type: "module" });
    write("node_modules/@scope/bare/package.json", { name: "@scope/bare", version: "2.0.0" });
    write("node_modules/unused/package.json", { name: "unused", version: "3.0.0" });
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, content: unknown) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }

  function bundle(inputs: Record<string, number>) {
    const entries = Object.entries(inputs).map(([path, bytesInOutput]) => [path, { bytesInOutput }]);
    write("dist/metafile-esm.json", {
      outputs: { "dist/index.js": { inputs: Object.fromEntries(entries) } },
    });
  }

  async function run() {
    const done = await promisify(execFile)(process.execPath, [script, "dist"], { cwd: folder });
    return { printed: done.stdout, text: readFileSync(join(folder, "dist/THIRD_PARTY_NOTICES.txt"), "utf8") };
  }

  it("are the licence and notice files of what is really in the bundle", async () => {
    bundle({ "src/index.ts": 10, "node_modules/alpha/esm/index.js": 5, "node_modules/unused/index.js": 0 });
    const { printed, text } = await run();
    expect(printed).toContain("alpha@1.0.0");
    expect(text).toContain("alpha@1.0.0 (MIT)\n\nCopyright Alpha\n\nAlpha thanks Beta");
    expect(text).not.toContain("unused");
    expect(readdirSync(join(folder, "dist"))).toEqual(["THIRD_PARTY_NOTICES.txt"]);
  });

  it("come from licenses/ for a package that ships none", async () => {
    bundle({ "node_modules/@scope/bare/index.js": 5 });
    await expect(run()).rejects.toThrow(/@scope\/bare@2\.0\.0 ships no licence file.*@scope__bare\.txt/);
    write("licenses/@scope__bare.txt", "Copyright Bare");
    expect((await run()).text).toContain("@scope/bare@2.0.0\n\nCopyright Bare");
  });

  it("are refused when there is nothing to read them from", async () => {
    write("dist/index.js", "");
    await expect(run()).rejects.toThrow(/metafile: true/);
    bundle({ "src/index.ts": 10 });
    await expect(run()).rejects.toThrow(/bundles no other package/);
  });
});
