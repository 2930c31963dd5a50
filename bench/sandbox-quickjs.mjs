// The JavaScript sandbox: start, a session, a cell, host calls, stopping, memory; beside a bare worker thread.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { report, spread } from "./lib/measure.mjs";

const entry = new URL("../packages/sandbox-quickjs/dist/index.js", import.meta.url).href;
const script = fileURLToPath(import.meta.url);
const part = process.argv[2];
const now = () => performance.now();

/** Microseconds of one of `count` runs of `work`, the median of five rounds. */
async function micros(count, work) {
  const rounds = [];
  for (let round = 0; round < 5; round += 1) {
    const started = now();
    for (let index = 0; index < count; index += 1) await work(index);
    rounds.push(((now() - started) / count) * 1000);
  }
  return spread(rounds);
}

/** Milliseconds of each of `count` runs of `work`. */
async function millis(count, work) {
  const all = [];
  for (let index = 0; index < count; index += 1) {
    const started = now();
    await work(index);
    all.push(now() - started);
  }
  return spread(all, 2);
}

/** A bare thread from its start to its first message. */
function bareWorker() {
  const source =
    "data:text/javascript,import { parentPort } from 'node:worker_threads'; parentPort.postMessage(1)";
  return new Promise((resolve) => {
    const started = now();
    const worker = new Worker(new URL(source), { env: {}, execArgv: [], stdout: true, stderr: true });
    worker.on("message", () => {
      resolve(now() - started);
      void worker.terminate();
    });
  });
}

async function cold() {
  const bare = await bareWorker();
  const started = now();
  const { QuickJsSandbox } = await import(entry);
  const imported = now();
  const sandbox = new QuickJsSandbox();
  const session = await sandbox.createSession();
  const { value } = await session.run("1 + 1");
  const first = now() - imported;
  if (value !== "2") throw new Error(`wrong value ${value}`);
  await sandbox.close();
  return { bareWorkerMs: bare, importMs: imported - started, firstResultMs: first };
}

async function live() {
  const { QuickJsSandbox } = await import(entry);
  const sandbox = new QuickJsSandbox({ limits: { maxHostCalls: 1_000_000, timeoutMs: 60_000 } });
  const functions = {
    echo: ([value]) => value,
    wait: () => new Promise((resolve) => setTimeout(resolve, 50)),
  };
  sandbox.warm();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const results = {};
  results.warmFirstResultMs = await millis(1, async () => {
    const session = await sandbox.createSession();
    await session.run("1 + 1");
    await session.close();
  });
  results.nextSessionAndFirstResultMs = await millis(20, async () => {
    const session = await sandbox.createSession();
    await session.run("1 + 1");
    await session.close();
  });

  const session = await sandbox.createSession({ functions });
  const run = async (code, options) => {
    const result = await session.run(code, options);
    if (!result.success) throw new Error(`${code}: ${result.error.message}`);
    return result;
  };
  results.cellMicros = await micros(500, (index) => run(`${index} + 1`));
  const calls = 500;
  results.awaitedHostCallMicros = spread(
    await rounds(5, async () => {
      const { durationSeconds } = await run(`for (let i = 0; i < ${calls}; i++) await echo(i)`);
      return (durationSeconds / calls) * 1e6;
    }),
  );
  results.concurrentHostCallMicros = spread(
    await rounds(5, async () => {
      const { durationSeconds } = await run(
        `await Promise.all(Array.from({ length: ${calls} }, (_, i) => echo(i)))`,
      );
      return (durationSeconds / calls) * 1e6;
    }),
  );
  results.twentyCallsOf50Ms = await millis(5, () =>
    run("await Promise.all(Array.from({ length: 20 }, () => wait()))"),
  );
  results.loopOf1e6Ms = await millis(5, () => run("{ let s = 0; for (let i = 0; i < 1e6; i++) s += i }"));
  results.print10MBMs = await millis(3, () =>
    run("const line = 'x'.repeat(99); for (let i = 0; i < 1e5; i++) print(line)"),
  );
  results.set10MBMs = await millis(3, () => session.set("context", "abcdefghij".repeat(1e6)));
  results.takeOut5MBMs = await millis(3, () => run("await echo(context.slice(5e6)); 1"));

  const stop = async (code, limits, signal) => {
    const result = await session.run(code, { limits, signal });
    if (result.success || result.stateLost) throw new Error(`not stopped as it should be: ${code}`);
    return result.durationSeconds * 1000;
  };
  results.loopStoppedAt100Ms = spread(await rounds(10, () => stop("while (true) {}", { timeoutMs: 100 })));
  results.slowCallsStoppedAt100Ms = spread(
    await rounds(5, () => stop("for (;;) context.slice(0, 2e5).split('a')", { timeoutMs: 100 })),
  );
  results.cancelledAfterMs = spread(
    await rounds(10, async () => {
      const controller = new AbortController();
      let aborted = 0;
      setTimeout(() => {
        aborted = now();
        controller.abort();
      }, 50);
      await stop("while (true) {}", undefined, controller.signal);
      return now() - aborted;
    }),
  );
  const uninterruptible = await session.run("new Array(1e9) + ''", { limits: { timeoutMs: 100 } });
  results.workerEndedAfterLimitOf100Ms = Math.round(uninterruptible.durationSeconds * 1000);
  await sandbox.close();
  return results;
}

async function rounds(count, work) {
  const all = [];
  for (let index = 0; index < count; index += 1) all.push(await work());
  return all;
}

async function stall() {
  const { QuickJsSandbox } = await import(entry);
  const sandbox = new QuickJsSandbox();
  const session = await sandbox.createSession({ functions: { take: () => 1 }, limits: { timeoutMs: 1000 } });
  const worst = {};
  const cells = {
    loop: "while (true) {}",
    engine: "new Array(1e9) + ''",
    output: "print('x'.repeat(1e7)); for (let i = 0; i < 2e4; i++) print(i)",
    calls: "await Promise.all(Array.from({ length: 900 }, (_, i) => take(i, 'x'.repeat(400))))",
    texts: "const t = 'x'.repeat(1e6); await Promise.all(Array.from({ length: 30 }, (_, i) => take(t)))",
    lists:
      "const l = Array.from({ length: 1e5 }, () => [1]); await Promise.all(Array.from({ length: 20 }, () => take(l)))",
  };
  for (const [name, code] of Object.entries(cells)) {
    let last = now();
    let gap = 0;
    const ticker = setInterval(() => {
      gap = Math.max(gap, now() - last);
      last = now();
    }, 1);
    await session.run(code);
    clearInterval(ticker);
    worst[name] = Number(gap.toFixed(1));
  }
  await sandbox.close();
  return { worstGapOfHostTickerMs: worst };
}

async function memory() {
  const { QuickJsSandbox } = await import(entry);
  const sandbox = new QuickJsSandbox();
  const rss = () => process.memoryUsage().rss / 2 ** 20;
  const first = await sandbox.createSession();
  await first.run("1 + 1");
  const before = rss();
  const sessions = [];
  for (let index = 0; index < 10; index += 1) {
    const session = await sandbox.createSession();
    await session.run("1 + 1");
    sessions.push(session);
  }
  const perSession = (rss() - before) / sessions.length;
  await sandbox.close();
  return { mibPerSession: Number(perSession.toFixed(1)) };
}

const parts = { cold, live, stall, memory };
if (part !== undefined) {
  console.log(JSON.stringify(await parts[part]()));
} else {
  const child = (name) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, name], { encoding: "utf8" });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const samples = Array.from({ length: 12 }, () => child("cold"));
  const of = (key) => spread(samples.map((sample) => sample[key]));
  const coldStart = {
    bareWorkerMs: of("bareWorkerMs"),
    importMs: of("importMs"),
    firstResultMs: of("firstResultMs"),
    ratioToBareWorker: spread(
      samples.map((sample) => sample.firstResultMs / sample.bareWorkerMs),
      2,
    ),
  };
  report("sandbox-quickjs", { coldStart, ...child("live"), ...child("stall"), ...child("memory") });
}
