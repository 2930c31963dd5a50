import type { CellResult } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { QuickJsSandbox } from "../src/index.js";
import { ok, sleep, useSandbox } from "./support.js";

const { sandbox, session } = useSandbox({ maxSessions: 8 });

describe("sessions", () => {
  it("know nothing of each other", async () => {
    const [a, b] = await Promise.all([session(), session()]);
    await ok(a, "let secret = 1; Array.prototype.map = () => 'broken'; Object.prototype.leak = 1");
    expect((await ok(b, "[typeof secret, [1].map((x) => x + 1), {}.leak === undefined]")).json).toEqual([
      "undefined",
      [2],
      true,
    ]);
  });

  it("are not held up by one that is stuck", async () => {
    const [stuck, free] = await Promise.all([session(), session()]);
    const running = stuck.run("new Array(1e9) + ''", { limits: { timeoutMs: 800 } });
    let over = false;
    void running.then(() => {
      over = true;
    });
    for (let i = 0; i < 5; i += 1) expect((await ok(free, `${i} + 1`)).json).toBe(i + 1);
    expect(over).toBe(false);
    expect((await running).stateLost).toBe(true);
  });

  it("leave the event loop of the host free, whatever they do", async () => {
    const s = await session({ functions: { take: () => 1 }, limits: { timeoutMs: 400 } });
    let last = performance.now();
    let worst = 0;
    const ticker = setInterval(() => {
      worst = Math.max(worst, performance.now() - last);
      last = performance.now();
    }, 10);
    await s.run("for (;;) ;");
    await s.run("new Array(1e9) + ''");
    await s.run("print('x'.repeat(1e7)); for (let i = 0; i < 5000; i++) print(i)");
    await s.run(
      "const big = 'x'.repeat(3e6); const a = []; for (let i = 0; i < 500; i++) a.push(take(big.slice(i), [i])); await Promise.all(a)",
    );
    clearInterval(ticker);
    // Far above what a busy machine adds; bench/sandbox-quickjs measures the pauses.
    expect(worst).toBeLessThan(5_000);
  });

  it("run their cells one after the other, in order", async () => {
    const s = await session({ functions: { wait: ([ms]) => sleep(Number(ms)) } });
    await ok(s, "const order = []");
    const runs = [30, 10, 0].map((ms, i) => s.run(`await wait(${ms}); order.push(${i})`));
    const set = s.set("mark", "set");
    const last = s.run("[...order, mark]");
    await Promise.all([...runs, set]);
    expect((await last).json).toEqual([0, 1, 2, "set"]);
  });

  it("take a bounded number of waiting cells", async () => {
    const s = await session();
    const results = await Promise.all(Array.from({ length: 400 }, (_, i) => s.run(`${i}`)));
    const refused = results.filter((result) => result.error?.name === "QueueFull");
    expect(refused.length).toBeGreaterThan(100);
    expect(results.filter((result) => result.success)).toHaveLength(400 - refused.length);
    expect((await ok(s, "1")).json).toBe(1);
  });

  it("are bounded in number", async () => {
    const open = await Promise.all(Array.from({ length: 8 }, () => session()));
    await expect(sandbox.createSession()).rejects.toMatchObject({
      code: "OJ_OPTION",
      hint: expect.stringContaining("maxSessions"),
    });
    await open[0]?.close();
    await session();
  });

  it("refuse wrong names, values and options", async () => {
    const wrong: [object, string][] = [
      [{ functions: { "a b": () => 1 } }, "a b"],
      [{ functions: { class: () => 1 } }, "class"],
      [{ functions: { print: () => 1 } }, "print"],
      [{ functions: { f: 5 } }, '"f"'],
      [{ variables: { "1x": 1 } }, "1x"],
      [{ variables: { console: 1 } }, "console"],
      [{ variables: { f: 1 }, functions: { f: () => 1 } }, '"f"'],
      [{ variables: { big: 1n } }, "big"],
      [{ variables: { gone: undefined } }, "gone"],
      [{ variables: { f: () => 1 } }, '"f"'],
      [{ timeout: 1 }, "timeout"],
    ];
    for (const [options, named] of wrong) {
      await expect(sandbox.createSession(options), named).rejects.toMatchObject({
        code: "OJ_OPTION",
        message: expect.stringContaining(named),
      });
    }
    const s = await session({ functions: { f: () => 1 } });
    await expect(s.set("f", 1)).rejects.toMatchObject({ code: "OJ_OPTION" });
    await expect(s.set("let", 1)).rejects.toMatchObject({ code: "OJ_OPTION" });
    await expect(s.set("x", Symbol("x"))).rejects.toMatchObject({ code: "OJ_OPTION" });
    await s.set("größe", 1);
    expect((await ok(s, "größe")).json).toBe(1);
    expect(() => new QuickJsSandbox({ graceMs: -1 })).toThrow(/graceMs/);
    expect(() => new QuickJsSandbox({ nothing: 1 } as object)).toThrow(/nothing/);
  });

  it("can set what the guest has made unchangeable only by an error", async () => {
    const s = await session();
    await ok(s, "Object.defineProperty(globalThis, 'fixed', { get() { return 1 }, configurable: false })");
    await expect(s.set("fixed", 2)).rejects.toMatchObject({ code: "OJ_OPTION" });
    expect((await ok(s, "fixed")).json).toBe(1);
  });
});

describe("closing", () => {
  it("ends a session, and may be done twice", async () => {
    const s = await session();
    await Promise.all([s.close(), s.close()]);
    await s.close();
    for (const call of [() => s.run("1"), () => s.set("x", 1), () => s.reset()]) {
      await expect(call()).rejects.toMatchObject({ code: "OJ_CLOSED" });
    }
  });

  it("ends what runs and what waits, which resolves", async () => {
    const aborted: string[] = [];
    const s = await session({
      functions: {
        hang: (_args, { signal }) =>
          new Promise(() => {
            signal.addEventListener("abort", () => aborted.push("aborted"));
          }),
      },
    });
    const runs = [s.run("await hang()"), s.run("1"), s.run("2")];
    await sleep(50);
    await s.close();
    for (const result of await Promise.all(runs)) {
      expect(result).toMatchObject({
        success: false,
        error: { kind: "cancelled", message: "The session was closed." },
      });
    }
    expect(aborted).toEqual(["aborted"]);
  });

  it("of the sandbox ends all sessions", async () => {
    const own = new QuickJsSandbox();
    own.warm();
    const sessions = await Promise.all([own.createSession(), own.createSession()]);
    const running = sessions[0]?.run("for (;;) ;") as Promise<CellResult>;
    await Promise.all([own.close(), own.close()]);
    expect((await running).error?.kind).toBe("cancelled");
    await expect(sessions[1]?.run("1")).rejects.toMatchObject({ code: "OJ_CLOSED" });
    await expect(own.createSession()).rejects.toMatchObject({ code: "OJ_CLOSED" });
    expect(() => own.warm()).toThrow(/closed/);
  });
});

describe("workers", () => {
  it("that served a session serve the next one without anything of the first", async () => {
    const own = new QuickJsSandbox();
    own.warm();
    own.warm();
    for (let i = 0; i < 4; i += 1) {
      const s = await own.createSession({ functions: { [`f${i}`]: () => i } });
      const { json } = await ok(
        s,
        `const seen = typeof left; globalThis.left = 1; [seen, await f${i}(), typeof f${i - 1 < 0 ? 9 : i - 1}]`,
      );
      expect(json).toEqual(["undefined", i, "undefined"]);
      await s.close();
    }
    await own.close();
  });
});
