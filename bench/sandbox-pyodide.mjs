// The Python sandbox: its start, its cells, its calls of the host, and how exactly it keeps a limit.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { PyodideSandbox } from "../packages/sandbox-pyodide/dist/index.js";
import { report, spread } from "./lib/measure.mjs";

const rounds = 9;
const cacheDir = mkdtempSync(join(tmpdir(), "openjarvis-bench-"));
const functions = { quick: ([value]) => value, ask: () => sleep(50, "answer") };
const results = {};

async function milliseconds(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function expectValue(session, code, value) {
  const result = await session.run(code);
  if (result.value !== value) throw new Error(`${code}: ${JSON.stringify(result)}`);
  return result;
}

/** A sandbox of its own for each sample of a start. */
async function start(options, before = async () => undefined) {
  const sandbox = new PyodideSandbox(options);
  await before(sandbox);
  const wall = await milliseconds(async () => {
    const session = await sandbox.createSession({ functions });
    await expectValue(session, "sum(n * n for n in range(10))", "285");
  });
  await sandbox.close();
  return wall;
}

async function samples(count, sample) {
  const list = [];
  for (let round = 0; round < count; round += 1) list.push(await sample());
  return list;
}

/** Mebibytes of the child processes of this one. */
function childMebibytes() {
  const children = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    const stat = readFileSync(`/proc/${name}/stat`, "latin1");
    return Number(stat.replace(/^.*\) . /s, "").split(" ")[0]) === process.pid;
  });
  return children.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  });
}

try {
  results.firstCellMs = {
    "cold, no snapshot": spread(await samples(3, () => start({ cacheDir: false }))),
    "cold, making the snapshot": spread([await start({ cacheDir })]),
    "cold, from the snapshot": spread(await samples(rounds, () => start({ cacheDir }))),
    "warm spare": spread(
      await samples(rounds, () =>
        start({ cacheDir }, async (sandbox) => {
          sandbox.warm();
          await sleep(2_000);
        }),
      ),
    ),
  };

  const sandbox = new PyodideSandbox({ cacheDir, graceMs: 300 });
  const session = await sandbox.createSession({ functions });
  await session.run("import asyncio, time");
  if (process.platform === "linux") results.idleProcessMiB = spread(childMebibytes());
  results.cellMs = spread(
    await samples(200, () => milliseconds(() => expectValue(session, "6 * 7", "42"))),
    2,
  );

  const timed = async (code, count) => {
    const { json } = await session.run(
      `t = time.perf_counter()\nfor _ in range(${count}):\n    ${code}\n(time.perf_counter() - t) / ${count} * 1e6`,
      { limits: { maxHostCalls: 100_000 } },
    );
    return json;
  };
  results.hostCallMicros = {
    "without await": spread(await samples(rounds, () => timed("quick(1)", 500))),
    "with await": spread(await samples(rounds, () => timed("await quick(1)", 500))),
  };
  results["20 calls of 50 ms at once, ms"] = spread(
    await samples(rounds, () =>
      milliseconds(() =>
        expectValue(session, "len(await asyncio.gather(*[ask() for _ in range(20)]))", "20"),
      ),
    ),
  );
  results["64 calls of 50 ms, 8 at once, ms"] = spread(
    await samples(3, () =>
      milliseconds(() =>
        expectValue(
          session,
          "gate = asyncio.Semaphore(8)\nasync def one():\n    async with gate:\n        return await ask()\n" +
            "len(await asyncio.gather(*[one() for _ in range(64)]))",
          "64",
        ),
      ),
    ),
  );
  results["endless loop stopped after 200 ms, ms"] = spread(
    await samples(rounds, () =>
      milliseconds(() => session.run("while True: pass", { limits: { timeoutMs: 200 } })),
    ),
  );
  results["10 million iterations of a loop, ms"] = spread(
    await samples(3, () => milliseconds(() => session.run("n = 0\nfor i in range(10_000_000): n += i"))),
  );
  results["10 MB printed, ms"] = {
    "in 100,000 lines": spread(
      await samples(3, () => milliseconds(() => session.run("for _ in range(100_000): print('x' * 99)"))),
    ),
    "at once": spread(await samples(3, () => milliseconds(() => session.run("print('x' * 10_000_000)")))),
  };
  const text = "0123456789abcdef".repeat(655_360);
  results["variable of 10 MB set, ms"] = spread(
    await samples(3, () => milliseconds(() => session.set("text", text))),
  );

  let longest = 0;
  let last = performance.now();
  const ticker = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 5);
    last = performance.now();
  }, 5);
  for (const code of ["while True: pass", "while True: print('x' * 1000)", "sum(iter(int, 1))"]) {
    await session.run(code, { limits: { timeoutMs: 300 } });
  }
  clearInterval(ticker);
  results["longest stall of the host's event loop meanwhile, ms"] = Number(longest.toFixed(1));
  await sandbox.close();
} finally {
  rmSync(cacheDir, { recursive: true, force: true });
}
report("sandbox-pyodide", results);
