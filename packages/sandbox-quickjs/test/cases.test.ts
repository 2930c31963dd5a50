import { describe, expect, it } from "vitest";
import { failing, ok, useSandbox } from "./support.js";

// Known failures of QuickJS hosts, each as its whole kind; the numbers are those of the project's list of cases.

const limits = { memoryBytes: 16 * 1024 * 1024 };
const short = { timeoutMs: 300 };
// A long grace where a cell must be interrupted: that must not depend on how busy the machine is.
const { session } = useSandbox({ limits, graceMs: 5000 });
const impatient = useSandbox({ limits, graceMs: 100 });

describe("QJ-01: endless loops, whatever they stand in", () => {
  it.each([
    "(async () => { while (true) {} })()",
    "await (async () => { while (true) {} })()",
    "await Promise.resolve().then(() => { while (true) {} })",
    "await host().then(() => { while (true) {} })",
    "for await (const x of (async function* () { while (true) {} })()) ;",
    "queue = [1]; await Promise.all([1, 2].map(async () => { while (true) {} }))",
    "try { await (async () => { while (true) {} })() } finally { while (true) {} }",
    "await { then: (resolve) => { while (true) {} } }",
    "class A { static { while (true) {} } }",
    "new (class { constructor() { while (true) {} } })",
    "const [x] = { *[Symbol.iterator]() { while (true) {} } }",
    "({ get x() { while (true) {} } }).x",
    "String({ toString() { while (true) {} } })",
    "JSON.stringify({ toJSON() { while (true) {} } })",
    "eval('while (true) {}')",
    "new Function('while (true) {}')()",
  ])("%s", async (code) => {
    const s = await session({ functions: { host: () => 1 } });
    await ok(s, "let kept = 1");
    expect((await failing(s, code, short)).kind).toBe("timeout");
    expect((await ok(s, "kept")).json).toBe(1);
  });
});

describe("QJ-04: a memory that is full", () => {
  it.each([
    'let a = []; for (;;) a.push("x".repeat(1e5))',
    "let m = new Map(); for (let i = 0; ; i++) m.set(i, [i])",
    "let s = 'x'; for (;;) s = s + s",
    "const f = () => { const big = new Array(1e5).fill(0); return () => big }; const all = []; for (;;) all.push(f())",
    "let o = {}; for (let i = 0; ; i++) o['k' + i] = { i }",
    "async function leak() { const b = new Array(1e4).fill(1); await new Promise(() => {}); return b }\nconst ps = []; for (;;) ps.push(leak())",
  ])("%s, then the session goes on", async (code) => {
    const s = await impatient.session();
    const error = await failing(s, code, { timeoutMs: 2000 });
    expect(["memory", "timeout", "runtime"]).toContain(error.kind);
    const after = await s.run("1 + 1");
    if (!after.success) expect(after.error?.kind).toBe("memory");
    expect((await ok(s, "1 + 1")).json).toBe(2);
    await s.close();
  });
});

describe("QJ-05: one operation of the engine that takes long", () => {
  it.each([
    'new Array(1e9) + ""',
    "new Array(3e7).join('x').length; new Array(3e7).join('x').length; new Array(3e7).join('x').length",
    "Array.from({ length: 1e9 })",
    "new Array(1e9).includes(1)",
    "new Array(1e9).lastIndexOf(1)",
    "'x'.repeat(1e7).split('').reverse().sort().join('').length; while (true) {}",
    "let b = Function.prototype.call.bind(function () {}); for (let i = 0; i < 1e5; i++) b = b.bind(null); b()",
    "10n ** 10000000n; while (true) {}",
  ])("%s", async (code) => {
    const s = await impatient.session();
    let last = performance.now();
    let worst = 0;
    const ticker = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }, 50);
    const { kind, result } = await failing(s, code, short);
    clearInterval(ticker);
    expect(["timeout", "memory"]).toContain(kind);
    expect(result.durationSeconds).toBeLessThan(20);
    expect(worst).toBeLessThan(5_000);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });
});

describe("QJ-06: a promise that never settles", () => {
  it.each([
    "await new Promise(() => {})",
    "await Promise.all([1, new Promise(() => {})])",
    "await Promise.race([])",
    "const { promise } = Promise.withResolvers(); await promise",
    "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) ;",
    "await { then() {} }",
    "async function f() { await f.p }\nf.p = f(); await new Promise((r) => {})",
  ])("%s", async (code) => {
    const s = await session();
    const error = await failing(s, code);
    expect(error.message).toContain("did not finish");
    expect(error.result.stateLost).toBe(false);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });
});

describe("QJ-07: results that cannot be handed over", () => {
  const throwing = () => ({
    get bad() {
      throw new Error("getter of the host");
    },
  });
  const nested = () => ({ list: [{ toJSON: () => Promise.reject(new Error("later")) }, throwing()] });
  const proxy = () =>
    new Proxy(
      {},
      {
        ownKeys() {
          throw new Error("trap of the host");
        },
      },
    );

  it.each([
    ["a getter", throwing, "getter of the host"],
    ["a nested getter", nested, "getter of the host"],
    ["a proxy", proxy, "trap of the host"],
    [
      "a revoked proxy",
      () => {
        const { proxy: p, revoke } = Proxy.revocable({}, {});
        revoke();
        return p;
      },
      "revoked",
    ],
    [
      "an error without prototype",
      () => {
        throw Object.create(null);
      },
      "",
    ],
  ])("%s, twice, then the session goes on", async (_what, tool, message) => {
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on("unhandledRejection", onUnhandled);
    const s = await session({ functions: { tool } });
    for (let i = 0; i < 2; i += 1) {
      const { json } = await ok(
        s,
        "let m; try { await tool(); m = 'no error' } catch (e) { m = [e instanceof Error, e.message] } m",
      );
      expect(json).toEqual([true, expect.stringContaining(message)]);
    }
    expect((await ok(s, "1 + 1")).json).toBe(2);
    process.off("unhandledRejection", onUnhandled);
    expect(unhandled.filter((reason) => String(reason) !== "Error: later")).toEqual([]);
  });
});

describe("QJ-10: escapes", () => {
  it("of the known kinds see the guest only, and pollute nothing", async () => {
    const s = await session();
    expect((await failing(s, 'this.constructor.constructor("return process")().env')).name).toBe(
      "ReferenceError",
    );
    const { json } = await ok(s, 'JSON.parse(\'{"__proto__":{"polluted":1}}\')');
    expect(json).toEqual({});
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});
