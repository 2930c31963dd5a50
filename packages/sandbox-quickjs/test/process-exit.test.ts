import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const entry = new URL("../dist/index.js", import.meta.url).href;

/** Runs a program that uses the built package and gives how it ended. */
async function run(body: string): Promise<{ code: number | null; out: string; err: string }> {
  const program = `import { QuickJsSandbox } from ${JSON.stringify(entry)};\nconst sandbox = new QuickJsSandbox();\n${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), 15_000);
  let out = "";
  let err = "";
  child.stdout.on("data", (data) => {
    out += data;
  });
  child.stderr.on("data", (data) => {
    err += data;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearTimeout(timer);
  return { code, out, err };
}

describe("a process ends by itself", () => {
  it.each([
    [
      "with an idle session",
      "const s = await sandbox.createSession(); console.log((await s.run('1 + 1')).value);",
      "2\n",
    ],
    ["with a spare worker", "sandbox.warm(); console.log('warm');", "warm\n"],
    [
      "after a promise that never settled",
      "const s = await sandbox.createSession(); console.log((await s.run('await new Promise(() => {})')).error.name);",
      "UnsettledPromise\n",
    ],
    [
      "with a host call that hangs",
      "const s = await sandbox.createSession({ functions: { hang: () => new Promise(() => {}) } }); console.log((await s.run('await hang()', { limits: { totalTimeoutMs: 100 } })).error.kind);",
      "timeout\n",
    ],
    [
      "after a worker was ended",
      "const s = await sandbox.createSession(); console.log((await s.run(\"new Array(1e9) + ''\", { limits: { timeoutMs: 50 } })).stateLost);",
      "true\n",
    ],
    [
      "after everything is closed",
      "const s = await sandbox.createSession(); await s.run('1'); await sandbox.close(); console.log('closed');",
      "closed\n",
    ],
  ])("%s", async (_what, body, out) => {
    expect(await run(body)).toEqual({ code: 0, out, err: "" });
  });

  it("not before a cell that was asked for has ended", async () => {
    const { out } = await run(
      "const s = await sandbox.createSession({ functions: { wait: () => new Promise((resolve) => { setTimeout(() => resolve(7), 100).unref() }) } }); s.run('await wait()').then((r) => console.log(r.value));",
    );
    expect(out).toBe("7\n");
  });
});

describe("importing the package", () => {
  it("starts nothing and prints nothing", async () => {
    expect(await run("console.log(process.getActiveResourcesInfo().includes('MessagePort'));")).toEqual({
      code: 0,
      out: "false\n",
      err: "",
    });
  });
});
