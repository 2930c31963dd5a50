import { isJarvisError } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../src/index.js";
import { failing, ok, sleep, useSandbox } from "./support.js";

// A long grace: whether a cell is interrupted must not depend on how busy the machine is.
const { sandbox, session } = useSandbox({ graceMs: 5000 });
const impatient = useSandbox({ graceMs: 100 });

describe("computing time", () => {
  it.each([
    ["a loop", "while (true) {}"],
    ["a loop in an async function", "(async () => { while (true) {} })()"],
    ["a loop around async functions", "while (true) { (async () => { while (true) {} })() }"],
    ["a loop that catches", "for (;;) { try { for (;;) {} } catch {} }"],
    ["a loop in finally", "for (;;) { try { throw 1 } finally { continue } }"],
    ["a loop of awaits", "for (;;) await null"],
    ["a loop of awaits that catches", "for (;;) { try { await (async () => { for (;;) {} })() } catch {} }"],
    ["microtasks in the background", "(function again() { Promise.resolve().then(again) })(); 'value'"],
    ["a regular expression", "/(a+)+b/.test('a'.repeat(40))"],
    ["a comparator", "Array.from({ length: 1e5 }, (_, i) => i).sort(() => { for (;;) {} })"],
    ["a getter that is echoed", "new Proxy({}, { ownKeys() { for (;;) {} } })"],
    ["a generator", "function* g() { for (;;) yield 1 }\nfor (const x of g()) ;"],
    ["a thenable", "await { then() { for (;;) {} } }"],
    ["slow calls of the engine", "const big = 'ab'.repeat(2e5); for (;;) big.split('a').length"],
  ])("of %s is limited, and the variables stay", async (_what, code) => {
    const s = await session();
    await ok(s, "let kept = 'kept'");
    const { kind, result } = await failing(s, code, { timeoutMs: 100 });
    expect(kind).toBe("timeout");
    expect(result.stateLost).toBe(false);
    expect(result.durationSeconds).toBeLessThan(5);
    expect((await ok(s, "kept")).json).toBe("kept");
  });

  it("does not count the time in which host functions work", async () => {
    const s = await session({ limits: { timeoutMs: 1000 }, functions: { wait: () => sleep(400) } });
    expect((await ok(s, "for (let i = 0; i < 4; i++) await wait(); 'done'")).json).toBe("done");
  });

  it("counts over all stretches of a cell", async () => {
    const s = await session({ functions: { wait: () => sleep(5) } });
    const code = "for (;;) { const end = Date.now() + 40; while (Date.now() < end) ; await wait() }";
    const error = await failing(s, code, { timeoutMs: 150 });
    expect(error.kind).toBe("timeout");
  });

  it("is looked at in every host call", async () => {
    const s = await session({ functions: { count: () => undefined } });
    const code = "for (;;) { try { void count('x'.repeat(2e4)) } catch {} }";
    const error = await failing(s, code, { timeoutMs: 100, maxHostCalls: 1_000_000 });
    expect(error.kind).toBe("timeout");
    expect(error.result.durationSeconds).toBeLessThan(5);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });

  it("of what cannot be interrupted is limited by ending the worker, which is said", async () => {
    const s = await impatient.session({ variables: { given: [1] } });
    await ok(s, "let made = 1; given.push(2)");
    const code = "print('before'); new Array(1e9) + ''";
    const { kind, message, result } = await failing(s, code, { timeoutMs: 200 });
    expect(kind).toBe("timeout");
    expect(message).toContain("variables");
    expect(result.stateLost).toBe(true);
    expect(result.stdout).toBe("before\n");
    // What the host has put in is put in again.
    expect((await ok(s, "[typeof made, given]")).json).toEqual(["undefined", [1]]);
  });

  it("of parsing is limited, too", async () => {
    const s = await impatient.session();
    const code = `${"[".repeat(2000)}1${"]".repeat(2000)};`.repeat(200);
    const result = await s.run(code, { limits: { timeoutMs: 50 } });
    expect(["timeout", "syntax", "stack", undefined]).toContain(result.error?.kind);
    expect(result.durationSeconds).toBeLessThan(10);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });
});

describe("the whole time", () => {
  it("is limited while the cell waits, and the variables stay", async () => {
    const aborted: boolean[] = [];
    const s = await session({
      functions: {
        hang: (_args, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              aborted.push(true);
              resolve(undefined);
            });
          }),
      },
    });
    await ok(s, "let kept = 1");
    const { kind, name, message, result } = await failing(s, "kept = 2; await hang(); kept = 3", {
      totalTimeoutMs: 150,
    });
    expect({ kind, name }).toEqual({ kind: "timeout", name: "totalTimeoutMs" });
    expect(message).toContain("150 ms in all");
    expect(result.stateLost).toBe(false);
    expect(aborted).toEqual([true]);
    expect((await ok(s, "kept")).json).toBe(2);
  });

  it("holds for cells that compute, too", async () => {
    const s = await session();
    expect(await failing(s, "for (;;) ;", { totalTimeoutMs: 100, timeoutMs: 60_000 })).toMatchObject({
      kind: "timeout",
      name: "totalTimeoutMs",
    });
  });
});

describe("memory", () => {
  it.each([
    ["texts", "let a = []; for (;;) a.push('x'.repeat(1e5))"],
    ["objects", "let a = []; for (;;) a.push({ n: [1, 2, 3] })"],
    ["one text", "let t = 'x'; for (;;) t += t"],
    ["a buffer", "new Uint8Array(1e9)"],
    ["a list", "new Array(5e7).fill(1)"],
    [
      "closures",
      "let f = () => 1; for (;;) { const g = f; const big = [1, 2, 3]; f = () => big.length + g }",
    ],
    ["promises", "for (;;) { globalThis.p = [globalThis.p, new Promise(() => {}), [1]] }"],
  ])("filled with %s ends the cell, and the session goes on", async (_what, code) => {
    const s = await impatient.session({ limits: { memoryBytes: 16 * 1024 * 1024 } });
    const { kind } = await failing(s, code, { timeoutMs: 3000 });
    expect(["memory", "timeout", "runtime"]).toContain(kind);
    const next = await s.run("globalThis.a = globalThis.t = globalThis.f = globalThis.p = null; 1 + 1");
    if (next.error !== undefined) expect(next.stateLost || next.error.kind === "memory").toBe(true);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });

  it("of one cell does not take that of the next", async () => {
    const s = await session({ limits: { memoryBytes: 16 * 1024 * 1024 } });
    for (let i = 0; i < 5; i += 1)
      expect((await failing(s, "(() => { const a = []; for (;;) a.push([1, 2, 3]) })()")).kind).toBe(
        "memory",
      );
    expect((await ok(s, "const big = 'x'.repeat(1e6).repeat(5); big.length")).json).toBe(5_000_000);
  });

  it("refuses a variable that does not fit", async () => {
    const s = await session({ limits: { memoryBytes: 4 * 1024 * 1024 } });
    await expect(s.set("big", "x".repeat(10_000_000))).rejects.toMatchObject({ code: "OJ_OPTION" });
    await expect(s.set("big", "é".repeat(3_900_000))).rejects.toMatchObject({ code: "OJ_OPTION" });
    expect((await ok(s, "typeof big")).json).toBe("undefined");
  });

  it("of the worker's own heap, when it is full, ends the cell", async () => {
    const small = useSmallHeap;
    const s = await small.session();
    const { kind, result } = await failing(s, `[${"{a:[]},".repeat(140_000)}]`);
    expect(kind).toBe("memory");
    expect(result.stateLost).toBe(true);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });
});

const useSmallHeap = useSandbox({ workerHeapMiB: 24 });

describe("stack", () => {
  it.each([
    ["calls", "function f() { return f() + 1 }\nf()"],
    ["callbacks", "function f() { return [1].map(f) }\nf()"],
    ["conversions", "const o = { toString() { return '' + o } }; '' + o"],
    ["proxies", "const p = new Proxy({}, { get(t, k, r) { return r[k] } }); p.x"],
    ["comparators", "function f() { [1, 2].sort(f) }\nf()"],
    ["replacers", "const f = () => 'a'.replace(/a/, f); f()"],
    ["classes", "class A { constructor() { new A() } }\nnew A()"],
    ["generators", "function* g() { yield* g() }\n[...g()]"],
    ["nested code", "eval('['.repeat(1e5) + ']'.repeat(1e5))"],
    ["nested functions", "eval('(()=>'.repeat(1e5))"],
    ["nested JSON", "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))"],
    ["nested lists", "let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)"],
    ["nested expressions", "new RegExp('(?:'.repeat(1e5) + ')'.repeat(1e5))"],
  ])("filled by %s ends the cell, and the variables stay", async (_what, code) => {
    const s = await session();
    await ok(s, "let kept = 1");
    const { kind, result } = await failing(s, code);
    expect(["stack", "syntax"]).toContain(kind);
    expect(result.stateLost).toBe(false);
    expect((await ok(s, "kept")).json).toBe(1);
  });

  it.each([32, 64, 128, 512])("of %i KiB is safe", async (kib) => {
    const s = await session({ limits: { stackBytes: kib * 1024 } });
    for (const code of [
      "function f() { return f() + 1 }\nf()",
      "eval('['.repeat(1e5))",
      "function f() { return [1].map(f) }\nf()",
    ]) {
      const { kind, result } = await failing(s, code);
      expect(kind, code).toBe("stack");
      expect(result.stateLost).toBe(false);
    }
  });

  it("of the parser ends the cell", async () => {
    const s = await session();
    for (const code of [
      "[".repeat(200_000),
      "(".repeat(200_000),
      `${"!".repeat(400_000)}1`,
      `1${"+1".repeat(200_000)}`,
    ]) {
      const result = await s.run(code);
      expect(["syntax", "stack", "timeout", undefined]).toContain(result.error?.kind);
    }
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });

  it("filled by what is echoed is no matter", async () => {
    const s = await session();
    expect(
      (await ok(s, "let deep = {}; for (let i = 0; i < 1e5; i++) deep = { deep }; deep")).value,
    ).toContain("[Object]");
  });
});

describe("host calls", () => {
  it("are limited, whether the guest catches or not", async () => {
    let calls = 0;
    const s = await session({
      limits: { maxHostCalls: 10 },
      functions: {
        count: () => {
          calls += 1;
        },
      },
    });
    for (const code of [
      "for (;;) await count()",
      "for (;;) { try { await count() } catch {} }",
      "for (;;) { try { void count() } catch {} }",
    ]) {
      calls = 0;
      expect(await failing(s, code)).toMatchObject({ kind: "host_calls", name: "maxHostCalls" });
      await sleep(5);
      expect(calls).toBeLessThanOrEqual(10);
    }
    expect((await ok(s, "await count(); 1")).json).toBe(1);
  });
});

describe("limits", () => {
  it("of a cell take the place of the session's", async () => {
    const s = await session({ limits: { timeoutMs: 60_000, maxOutputChars: 200 } });
    const result = await s.run("print('x'.repeat(500)); for (;;) ;", {
      limits: { timeoutMs: 50, maxOutputChars: 1000 },
    });
    expect(result.error?.kind).toBe("timeout");
    expect(result.stdout.length).toBe(501);
  });

  it.each([
    [{ timeoutMs: 0 }],
    [{ timeoutMs: Number.NaN }],
    [{ memoryBytes: 1000 }],
    [{ memoryBytes: 2 ** 40 }],
    [{ stackBytes: 10 * 1024 * 1024 }],
    [{ maxOutputChars: 1 }],
    [{ maxHostCalls: -1 }],
    [{ timeout: 5 } as object],
  ])("of %j are refused", async (limits) => {
    await expect(sandbox.createSession({ limits })).rejects.toMatchObject({ code: "OJ_OPTION" });
    const s = await session();
    await expect(s.run("1", { limits })).rejects.toSatisfy((error) => isJarvisError(error, "OJ_OPTION"));
  });

  it("have the defaults of the table in the README", () => {
    expect(defaultLimits).toEqual({
      timeoutMs: 10_000,
      totalTimeoutMs: 300_000,
      memoryBytes: 67_108_864,
      stackBytes: 262_144,
      maxOutputChars: 10_000,
      maxHostCalls: 1_000,
    });
  });

  it("of what never settles end the cell at once", async () => {
    const s = await session();
    const { name, message, result } = await failing(s, "print('waiting'); await new Promise(() => {})");
    expect(name).toBe("UnsettledPromise");
    expect(message).toContain("did not finish");
    expect(result).toMatchObject({ stdout: "waiting\n", stateLost: false });
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });
});
