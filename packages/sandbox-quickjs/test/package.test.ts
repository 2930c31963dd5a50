import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { type CodeSandbox, parseManifest, type SandboxLimits, SandboxRegistry } from "@openjarvis/core";
import { describe, expect, expectTypeOf, it } from "vitest";
import { QuickJsSandbox, type QuickJsSandboxOptions } from "../src/index.js";
import { workerFile } from "../src/worker-file.js";

describe("the package", () => {
  it("registers the sandbox under its language, as its manifest says", async () => {
    const json = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as Record<
      string,
      unknown
    >;
    const { manifest, problems } = parseManifest(json);
    expect(problems).toEqual([]);
    expect(manifest.provides).toEqual({ sandboxes: ["javascript"] });
    expect(SandboxRegistry.get("javascript")).toBe(QuickJsSandbox);
    const sandbox: CodeSandbox = SandboxRegistry.create("javascript", { maxSessions: 2 });
    expect(sandbox.language).toBe("javascript");
    const session = await sandbox.createSession();
    expect((await session.run("6 * 7")).value).toBe("42");
    await sandbox.close();
  });

  it("has the types of the contract", () => {
    expectTypeOf<QuickJsSandbox>().toExtend<CodeSandbox>();
    expectTypeOf<QuickJsSandboxOptions["limits"]>().toEqualTypeOf<SandboxLimits | undefined>();
    expectTypeOf<ConstructorParameters<typeof QuickJsSandbox>[0]>().toEqualTypeOf<
      QuickJsSandboxOptions | undefined
    >();
  });

  it("has a worker that needs no other package", async () => {
    // Where no package can be found.
    const folder = mkdtempSync(join(tmpdir(), "sandbox-quickjs-"));
    cpSync(fileURLToPath(new URL("../dist", import.meta.url)), folder, { recursive: true });
    const worker = new Worker(join(folder, "worker.js"), { env: {}, execArgv: [] });
    const message = await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    expect(message).toEqual({ type: "ready" });
    await worker.terminate();
    rmSync(folder, { recursive: true });
  });

  it("says what is missing when it was not built", () => {
    expect(() => workerFile("file:///nowhere/src/worker-file.ts")).toThrow(
      expect.objectContaining({
        code: "OJ_PLUGIN_LOAD",
        message: expect.stringContaining("/nowhere/src/worker.js"),
        hint: expect.stringContaining("build"),
      }),
    );
  });
});
