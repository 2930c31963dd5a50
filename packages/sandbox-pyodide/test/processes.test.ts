import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isJarvisError, SandboxRegistry } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { PyodideSandbox } from "../src/index.js";
import { packSnapshot, readSnapshot } from "../src/runner/snapshot.js";
import { engineStackKilobytes } from "../src/stack-size.js";
import { childrenOf, isRunning, runProgram, tempFolder, until } from "./helpers/processes.js";
import { cacheDir, testSandbox, told, withSession } from "./helpers/sandbox.js";

const folder = tempFolder();
const linux = process.platform === "linux";
const options = JSON.stringify({ cacheDir });

function snapshotsIn(dir: string): string[] {
  return readdirSync(dir).filter((name) => name.endsWith(".snapshot"));
}

async function failureOf(work: Promise<unknown>) {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (!isJarvisError(error)) throw new Error(`no JarvisError: ${String(error)}`);
  return error;
}

describe("the package", () => {
  it("registers what its manifest says", () => {
    const { openjarvis } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
    expect(openjarvis.provides.sandboxes).toEqual(["python"]);
    expect(SandboxRegistry.get("python")).toBe(PyodideSandbox);
  });

  it("prints nothing and starts nothing when it is imported", async () => {
    const { ended } = runProgram(
      folder,
      "new PyodideSandbox(); process.stdout.write(String(process._getActiveHandles?.().length ?? 0));",
    );
    expect(await ended).toEqual({ code: 0, output: expect.stringMatching(/^[0-2]$/) });
  });
});

describe.runIf(linux)("a spare interpreter", () => {
  it("is started by warm(), serves the next session, and is replaced", async () => {
    const sandbox = testSandbox();
    const before = childrenOf(process.pid);
    const started = () => childrenOf(process.pid).filter((pid) => !before.includes(pid));
    sandbox.warm();
    sandbox.warm();
    expect(await until(() => started().length === 1)).toBe(true);
    const [spare = 0] = started();
    await withSession(sandbox, {}, async (session) => {
      expect((await session.run("1 / 0")).error?.traceback).toContain('File "<cell 1>", line 1');
      expect(await until(() => started().length === 2)).toBe(true);
    });
    expect(isRunning(spare)).toBe(false);
    expect(started().length).toBe(1);
    await sandbox.close();
    expect(started()).toEqual([]);
  });

  it("that has died is not used", async () => {
    const sandbox = testSandbox();
    const before = new Set(childrenOf(process.pid));
    sandbox.warm();
    await until(() => childrenOf(process.pid).length > before.size);
    for (const pid of childrenOf(process.pid)) if (!before.has(pid)) process.kill(pid, "SIGKILL");
    await withSession(sandbox, {}, async (session) => expect(told(await session.run("1"))).toBe("1"));
    await sandbox.close();
  });
});

describe.runIf(linux)("interpreters", () => {
  it.each([
    ["computes", "while True: pass"],
    ["waits for the host", "never()"],
    ["is idle", "1"],
    ["is inside one operation that does not end", "sum(iter(int, 1))"],
  ])("end with a host that is killed, when one %s", async (_what, code) => {
    const { child } = runProgram(
      folder,
      `const sandbox = new PyodideSandbox(${options});
      sandbox.warm();
      const session = await sandbox.createSession({ functions: { never: () => new Promise(() => {}) } });
      setInterval(() => {}, 1000);
      await session.run("1");
      void session.run(${JSON.stringify(code)}, { limits: { totalTimeoutMs: 1000, timeoutMs: 5000 } });
      setTimeout(() => process.stdout.write("ready"), 200);`,
    );
    await new Promise((resolve) => child.stdout?.once("data", resolve));
    const pids = childrenOf(child.pid ?? 0);
    expect(pids.length).toBeGreaterThan(0);
    child.kill("SIGKILL");
    expect(await until(() => pids.every((pid) => !isRunning(pid)))).toBe(true);
  });

  it("that die are noticed, by a cell and between cells", async () => {
    const sandbox = testSandbox();
    const before = new Set(childrenOf(process.pid));
    await withSession(sandbox, {}, async (session) => {
      const kill = () => {
        for (const pid of childrenOf(process.pid)) if (!before.has(pid)) process.kill(pid, "SIGKILL");
      };
      const run = session.run("while True: pass");
      setTimeout(kill, 100);
      expect(await run).toMatchObject({ stateLost: true, error: { kind: "crash", name: "ProcessGone" } });
      expect(told(await session.run("1"))).toBe("1");
      kill();
      await until(() => childrenOf(process.pid).length === before.size);
      expect(told(await session.run("2"))).toBe("2");
    });
  });
});

describe("a program", () => {
  it("ends by itself with sessions that are idle and a spare, leaving no process behind", async () => {
    const { child, ended } = runProgram(
      folder,
      `const sandbox = new PyodideSandbox(${options});
      const session = await sandbox.createSession();
      sandbox.warm();
      process.stdout.write((await session.run("6 * 7")).value);`,
    );
    expect(await ended).toEqual({ code: 0, output: "42" });
    if (linux) expect(childrenOf(child.pid ?? 0)).toEqual([]);
  });

  it("stays alive for a cell that runs and a session that starts", async () => {
    const { ended } = runProgram(
      folder,
      `const sandbox = new PyodideSandbox(${options});
      const session = await sandbox.createSession({ functions: { wait: () => new Promise((r) => setTimeout(r, 200).unref()) } });
      await session.run("import time; time.sleep(0.2)");
      process.stdout.write((await session.run("wait(); 'done'")).value);
      await sandbox.close();
      process.stdout.write(" closed");`,
    );
    expect(await ended).toEqual({ code: 0, output: "'done' closed" });
  });
});

describe("the memory snapshot", () => {
  it("is made at first use, for the user alone, and made again when it is damaged", async () => {
    const dir = join(folder, "own", "cache");
    const use = async () => {
      const sandbox = testSandbox({ cacheDir: dir });
      await withSession(sandbox, {}, async (session) => expect(told(await session.run("1"))).toBe("1"));
      await sandbox.close();
    };
    await use();
    const [name = "", ...more] = snapshotsIn(dir);
    const file = join(dir, name);
    expect(more).toEqual([]);
    expect(name).toMatch(new RegExp(`^pyodide-314\\.0\\.7-node${process.versions.node.split(".")[0]}-1-`));
    expect(readdirSync(dir)).toEqual([name]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = name.replace(".snapshot", "");
    expect(readSnapshot(file, key)).toBeInstanceOf(Uint8Array);
    truncateSync(file, statSync(file).size - 1);
    expect(readSnapshot(file, key)).toBe("invalid");
    await use();
    expect(readSnapshot(file, key)).toBeInstanceOf(Uint8Array);
  }, 120_000);

  it("is only read when it is whole and of the same origin", () => {
    const file = join(folder, "some.snapshot");
    const page = 65_536;
    const memory = Buffer.alloc(5 * page + 100);
    memory.write("the first page");
    memory.write("the third page", 2 * page);
    memory.write("the last page", 5 * page);
    const { header, memory: packed } = packSnapshot("key", memory);
    const changed = Buffer.from(packed);
    changed.write("The first page");
    const write = (...parts: Buffer[]) => writeFileSync(file, Buffer.concat(parts));
    expect(readSnapshot(file, "key")).toBe("missing");
    write(header, packed);
    expect(statSync(file).size).toBe(1_024 + 2 * page + 100);
    expect(Buffer.from(readSnapshot(file, "key") as Uint8Array).equals(memory)).toBe(true);
    expect(readSnapshot(file, "other")).toBe("invalid");
    for (const damaged of [changed, Buffer.concat([packed, Buffer.from("more")]), packed.subarray(1)]) {
      write(header, damaged);
      expect(readSnapshot(file, "key")).toBe("invalid");
    }
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from("x"),
      Buffer.alloc(600, "{"),
      Buffer.from("null".padEnd(1_024)),
    ]) {
      write(bytes);
      expect(readSnapshot(file, "key")).toBe("invalid");
    }
  });

  it("can be made by two programs at once, which both work and leave one good file", async () => {
    const dir = join(folder, "shared");
    const code = `const sandbox = new PyodideSandbox({ cacheDir: ${JSON.stringify(dir)} });
      const session = await sandbox.createSession();
      process.stdout.write((await session.run("40 + 2")).value);
      await sandbox.close();`;
    const programs = [runProgram(folder, code), runProgram(folder, code)];
    for (const { ended } of programs) expect(await ended).toEqual({ code: 0, output: "42" });
    expect(readdirSync(dir).length).toBe(1);
    expect(await runProgram(folder, code).ended).toEqual({ code: 0, output: "42" });
  }, 120_000);

  it.runIf(process.platform !== "win32")(
    "is not used from a folder others can write to, which is said",
    async () => {
      const dir = join(folder, "open");
      mkdirSync(dir);
      chmodSync(dir, 0o777);
      const { ended } = runProgram(
        folder,
        `const sandbox = new PyodideSandbox({ cacheDir: ${JSON.stringify(dir)} });
      const session = await sandbox.createSession();
      console.log((await session.run("40 + 2")).value);
      await sandbox.close();`,
      );
      const { code, output } = await ended;
      expect(code).toBe(0);
      expect(output).toMatch(/^42$/m);
      expect(output).toContain("can be written by other users");
      expect(readdirSync(dir)).toEqual([]);
    },
    60_000,
  );

  it("is shared by sessions that start at the same time", async () => {
    const dir = join(folder, "together");
    const sandbox = testSandbox({ cacheDir: dir });
    const sessions = await Promise.all([1, 2, 3].map(() => sandbox.createSession()));
    const results = await Promise.all(sessions.map((session) => session.run("1 + 1")));
    expect(results.map(told)).toEqual(["2", "2", "2"]);
    expect(snapshotsIn(dir).length).toBe(1);
    await sandbox.close();
  }, 120_000);

  it("can be left out", async () => {
    const sandbox = testSandbox({ cacheDir: false });
    await withSession(sandbox, {}, async (session) => expect(told(await session.run("1"))).toBe("1"));
    await sandbox.close();
  }, 60_000);
});

describe.runIf(process.platform !== "win32")("a Node.js without a permission model", () => {
  const nodePath = join(folder, "old-node");
  writeFileSync(
    nodePath,
    `#!/bin/sh\nif [ "$1" = -p ]; then echo '["18.0.0","",[]]'; else exec "${process.execPath}" "$@"; fi\n`,
  );
  chmodSync(nodePath, 0o755);

  it("is refused, with the reason", async () => {
    const error = await failureOf(testSandbox({ nodePath }).createSession());
    expect(error.code).toBe("OJ_PLUGIN_LOAD");
    expect(error.message).toContain("has no permission model");
    expect(error.hint).toContain("unsafe: true");
  });

  it("is used with unsafe: true", async () => {
    await withSession(testSandbox({ nodePath, unsafe: true }), {}, async (session) => {
      expect(told(await session.run("1"))).toBe("1");
      // The other layers still hold.
      expect(told(await session.run("open('/etc/passwd')"))).toContain("FileNotFoundError");
    });
  }, 60_000);
});

describe("an interpreter that cannot start", () => {
  it("is told with the reason", async () => {
    const missing = await failureOf(testSandbox({ nodePath: "/does/not/exist" }).createSession());
    expect(missing).toMatchObject({ code: "OJ_PLUGIN_LOAD" });
    expect(missing.message).toContain("/does/not/exist");
    const late = await failureOf(testSandbox({ startTimeoutMs: 100 }).createSession());
    expect(late.message).toContain("not ready after 100 ms");
  });

  it.runIf(process.platform !== "win32")("is told with what the program said", async () => {
    const nodePath = join(folder, "broken-node");
    writeFileSync(
      nodePath,
      `#!/bin/sh\nif [ "$1" = -p ]; then echo '["20.19.0","",["--permission"]]'; else echo "no luck today" >&2; exit 3; fi\n`,
    );
    chmodSync(nodePath, 0o755);
    const error = await failureOf(testSandbox({ nodePath }).createSession());
    expect(error.message).toContain("exit code 3");
    expect(error.message).toContain("no luck today");
    const gone = join(folder, "gone-node");
    writeFileSync(gone, `#!/bin/sh\necho '["20.19.0","",["--permission"]]'\nrm "$0"\n`);
    chmodSync(gone, 0o755);
    expect((await failureOf(testSandbox({ nodePath: gone }).createSession())).message).toContain("ENOENT");
  });
});

describe.runIf(hasNamespaces())("an interpreter in a network namespace", () => {
  it("works", async () => {
    await withSession(testSandbox({ networkNamespace: true }), {}, async (session) => {
      expect(told(await session.run("6 * 7"))).toBe("42");
    });
  });
});

function hasNamespaces(): boolean {
  if (!existsSync("/usr/bin/unshare") && !existsSync("/bin/unshare")) return false;
  try {
    execFileSync("unshare", ["-rn", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("the stack of the engine", () => {
  it.each([
    ["linux", "Max stack size             8388608              unlimited            bytes", 5980],
    ["linux", "Max stack size             unlimited            unlimited            bytes", 6000],
    ["linux", "Max stack size             1048576              1048576              bytes", 747],
    ["linux", undefined, 6000],
    ["darwin", undefined, 6000],
    ["win32", undefined, 0],
  ] as const)("on %s with %j has %d kilobytes", (platform, text, kilobytes) => {
    expect(engineStackKilobytes(platform, text)).toBe(kilobytes);
  });
});
