import { describe, expect, it } from "vitest";
import { QuickJsSandbox } from "../src/index.js";
import { ok, useSandbox } from "./support.js";

const { session } = useSandbox({ graceMs: 5000 });

describe("a thousand cells", () => {
  it("leave no handles and no memory behind, in guest and host", async () => {
    const s = await session({
      limits: { memoryBytes: 4 * 1024 * 1024 },
      functions: {
        echo: ([value]) => value,
        fail: () => {
          throw new Error("no");
        },
        hang: () => new Promise(() => undefined),
      },
    });
    const cells = [
      "const o = { a: [1, 2, { b: 'x' }] }; await echo(o)",
      "try { await fail() } catch (e) { print(e.message) } new Map([[1, 2]])",
      "throw new Error('x'.repeat(1000))",
      "void hang(); void hang(); 1",
      "print('y'.repeat(20000)); await Promise.all([1, 2, 3].map((n) => echo(n)))",
      "(() => { const list = []; for (let i = 0; i < 1000; i++) list.push({ i }); return list.length })()",
      "not javascript at all",
      "function f(n) { return n }\nlet keep = f(1); await new Promise(() => {})",
      "await hang(",
    ];
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 1000; i += 1) await s.run(cells[i % cells.length] as string);
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    // What one cell leaves behind would fill the guest's 4 MiB within some hundred cells.
    expect((await ok(s, "const rest = 'z'.repeat(2500000); rest.length")).json).toBe(2_500_000);
    expect(grown).toBeLessThan(150);
  }, 60_000);

  it("that are stopped leave nothing behind either", async () => {
    const s = await session({
      limits: { memoryBytes: 4 * 1024 * 1024 },
      functions: { hang: () => new Promise(() => undefined) },
    });
    for (let i = 0; i < 60; i += 1) {
      const code =
        i % 2 === 0
          ? "let big = 'x'.repeat(3e5); for (;;) await null"
          : "let big = 'x'.repeat(3e5); await hang()";
      expect((await s.run(code, { limits: { timeoutMs: 10, totalTimeoutMs: 20 } })).error?.kind).toBe(
        "timeout",
      );
    }
    expect((await ok(s, "big = 'z'.repeat(2500000); big.length")).json).toBe(2_500_000);
  }, 60_000);
});

describe("many sessions", () => {
  it("opened and closed one after the other leave no memory behind", async () => {
    const sandbox = new QuickJsSandbox();
    const open = async () => {
      const s = await sandbox.createSession({ variables: { text: "x".repeat(1_000_000) } });
      expect((await s.run("text.length")).json).toBe(1_000_000);
      await s.close();
    };
    for (let i = 0; i < 5; i += 1) await open();
    const before = process.memoryUsage().rss;
    for (let i = 0; i < 60; i += 1) await open();
    const grown = (process.memoryUsage().rss - before) / 2 ** 20;
    await sandbox.close();
    expect(grown).toBeLessThan(300);
  }, 60_000);
});
