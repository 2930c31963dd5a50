import { describe, expect, it } from "vitest";
import { failing, ok, sleep, useSandbox } from "./support.js";

const { session } = useSandbox();

describe("calls", () => {
  it("run at the same time", async () => {
    let running = 0;
    let allRun: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      allRun = resolve;
    });
    const s = await session({
      functions: {
        // None ends before twenty have begun.
        async together([n]) {
          running += 1;
          if (running === 20) allRun();
          await all;
          return Number(n) * 2;
        },
      },
    });
    const { json } = await ok(s, "await Promise.all(Array.from({ length: 20 }, (_, i) => together(i)))");
    expect(json).toEqual(Array.from({ length: 20 }, (_, i) => i * 2));
  });

  it("copy arguments and results as JSON, in both directions", async () => {
    const seen: unknown[] = [];
    const long = `${"é😀".repeat(1000)}\0\ud800`;
    const s = await session({
      functions: {
        echo(args) {
          seen.push(args);
          return args[0];
        },
      },
      variables: { long, plain: "x".repeat(2000) },
    });
    const { json } = await ok(
      s,
      "const given = { a: [1, -0.5, 1e300, null, true], s: 'ü\\u2028', gone: undefined, d: new Date(0) };" +
        "const back = await echo(given, long, plain, 'end', undefined, undefined);" +
        "[back.a === given.a, back, (await echo(long)) === long, (await echo(plain)) === plain, await echo()]",
    );
    const copied = { a: [1, -0.5, 1e300, null, true], s: "ü\u2028", d: "1970-01-01T00:00:00.000Z" };
    expect(seen).toEqual([[copied, long, "x".repeat(2000), "end"], [long], ["x".repeat(2000)], []]);
    expect(json).toBeUndefined();
    expect((await ok(s, "[back, await echo(long) === long, await echo(plain) === plain]")).json).toEqual([
      copied,
      true,
      true,
    ]);
  });

  it.each([
    ["echo(1n)", "argument 1 is a bigint"],
    ["echo('a', { b: [1n] })", 'argument 2 has at "0" a bigint'],
    ["echo(undefined, 1)", "argument 1 is undefined"],
    ["echo([undefined])", "undefined"],
    ["const o = {}; o.o = o; echo(o)", "contains itself"],
    ["echo(() => 1)", "a function"],
    ["echo(Symbol('x'))", "a symbol"],
    ["echo(NaN)", "NaN"],
    ["echo({ n: Infinity })", "Infinity"],
    ["echo(new Map([[1, 2]]))", "Object.fromEntries(map)"],
    ["echo(new Set([1]))", "[...set]"],
    ["echo([echo(1)])", "did you forget await"],
    ["echo({ get x() { throw new Error('getter') } })", "getter"],
    ["echo({ toJSON() { throw new Error('own toJSON') } })", "own toJSON"],
  ])("of %s say what is wrong with the argument", async (code, message) => {
    const s = await session({ functions: { echo: ([value]) => value } });
    const error = await failing(s, code);
    expect(error.kind).toBe("runtime");
    expect(error.message).toContain(message);
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });

  const circular: Record<string, unknown> = {};
  circular.self = circular;
  const results: [string, () => unknown, string][] = [
    ["a bigint", () => 1n, "BigInt"],
    ["a circle", () => circular, "circular"],
    ["a function", () => () => 1, "it is a function"],
    ["a symbol", () => Symbol("x"), "it is a symbol"],
    [
      "a throwing getter",
      () => ({
        get secret() {
          throw new Error("no getter");
        },
      }),
      "no getter",
    ],
  ];
  it.each(results)(
    "that give %s are an error of the guest, again and again",
    async (_what, give, message) => {
      const s = await session({ functions: { give } });
      const { json } = await ok(
        s,
        "const seen = []; for (let i = 0; i < 2; i++) { try { await give() } catch (e) { seen.push(e instanceof Error, e.message) } } seen",
      );
      expect(json).toEqual([true, expect.stringContaining(message), true, expect.stringContaining(message)]);
      expect((await ok(s, "1 + 1")).json).toBe(2);
    },
  );

  it("give null and undefined as they are", async () => {
    const s = await session({ functions: { nothing: () => undefined, empty: () => null } });
    expect((await ok(s, "[await nothing() === undefined, await empty() === null]")).json).toEqual([
      true,
      true,
    ]);
  });

  it("pass on the message of what they throw, and never a stack", async () => {
    const s = await session({
      functions: {
        plain: () => {
          throw new RangeError("out of cheese");
        },
        async later() {
          await sleep(1);
          throw Object.assign(new Error("late"), { stack: "at /home/secret/file.js:1:1", secret: 1 });
        },
        text: () => {
          throw "just text";
        },
        nothing: () => {
          throw undefined;
        },
      },
    });
    const { json } = await ok(
      s,
      "const all = []; for (const f of [plain, later, text, nothing]) try { await f() } catch (e) { all.push(e.name, e.message, e instanceof Error, Object.keys(e).length, String(e.stack).includes('/home') || String(e.stack).includes('packages')) } all",
    );
    expect(json).toEqual([
      ...["RangeError", "out of cheese", true, 0, false],
      ...["Error", "late", true, 0, false],
      ...["Error", "just text", true, 0, false],
      ...["Error", "unknown error", true, 0, false],
    ]);
    const error = await failing(s, "let before = 1\nconst x = await plain()");
    expect(error).toMatchObject({ kind: "runtime", name: "RangeError", message: "out of cheese" });
    expect(error.traceback).toBe("at cell 2, line 2: const x = await plain()");
  });

  it("do not reach names that objects inherit", async () => {
    const s = await session({ functions: { real: () => 1 } });
    expect((await ok(s, "[typeof constructor, typeof toString, await real()]")).json).toEqual([
      "function",
      "function",
      1,
    ]);
  });

  it("take texts of megabytes", async () => {
    const s = await session({
      functions: { size: ([text]) => (text as string).length, make: () => "y".repeat(5_000_000) },
    });
    expect((await ok(s, "await size('x'.repeat(1e6).repeat(5))")).json).toBe(5_000_000);
    expect((await ok(s, "(await make()).length")).json).toBe(5_000_000);
  });

  it("refuse structures that the host would read too long", async () => {
    const s = await session({ functions: { take: () => 1 } });
    expect((await failing(s, "take(Array.from({ length: 400000 }, () => 0))")).message).toContain(
      "500000 characters as JSON",
    );
    expect((await ok(s, "await take([1])")).json).toBe(1);
  });

  it("whose result does not fit are an error of the guest", async () => {
    const s = await session({
      limits: { memoryBytes: 4 * 1024 * 1024 },
      functions: { make: () => "z".repeat(20_000_000) },
    });
    const { json } = await ok(s, "let m; try { await make() } catch (e) { m = e.message } m");
    expect(json).toContain("out of memory");
    expect((await ok(s, "1 + 1")).json).toBe(2);
  });
});

describe("await", () => {
  const functions = { ask: async ([q]: readonly unknown[]) => `re: ${String(q)}` };

  it.each([
    ["const r = ask('a'); r.toUpperCase()", "RE: A"],
    ["ask('a').split(' ')[1]", "a"],
    ["ask(ask('a'))", "re: re: a"],
    ["const out = []; for (const q of ['a', 'b']) { out.push(ask(q)) } out", ["re: a", "re: b"]],
    ["async function f(q) { const r = ask(q); return r.length } await f('a')", 5],
    ["[`$`, ask].length + ask('a')", "2re: a"],
    ["let n = 0\nn++\nask('x')\nask('a')", "re: a"],
    ["ask('a') + ask('b')", "re: are: b"],
    ["const o = { v: ask('a') }; o.v", "re: a"],
    ["if (ask('a') === 're: a') 'right'.length; 1", 1],
    ["(await ask('a')).length", 5],
    ["return ask('a')", "re: a"],
  ])("is put in where it is missing: %s", async (code, expected) => {
    expect((await ok(await session({ functions }), code)).json).toEqual(expected);
  });

  it.each([
    ["await Promise.all([ask('a'), ask('b')])", ["re: a", "re: b"]],
    ["await Promise.all(['a', 'b'].map((q) => ask(q)))", ["re: a", "re: b"]],
    ["const ps = []; for (const q of ['a', 'b']) ps.push(ask(q)); await Promise.all(ps)", ["re: a", "re: b"]],
    ["await ask('a').then((r) => r + '!')", "re: a!"],
    ["await ask('a').catch(() => 0)", "re: a"],
    ["const p = ask('a'); const q = ask('b'); [await p, await q]", ["re: a", "re: b"]],
    ["const p = ask('a'), q = ask('b'); (await Promise.all([p, q])).length", 2],
    ["const f = (q = ask('d')) => q; await f()", "re: d"],
    ["class K { v = ask('f') } await new K().v", "re: f"],
  ])("is left out where a promise is wanted: %s", async (code, expected) => {
    const s = await session({ functions });
    expect((await ok(s, code)).json).toEqual(expected);
  });

  it("keeps calls running at once where their promises are collected", async () => {
    let running = 0;
    let most = 0;
    const slow = async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(10);
      running -= 1;
      return most;
    };
    const s = await session({ functions: { slow } });
    await ok(s, "const jobs = []; for (let i = 0; i < 4; i++) jobs.push(slow()); await Promise.all(jobs)");
    expect(most).toBe(4);
    most = 0;
    await ok(s, "const a = slow(); const b = slow(); await a; await b");
    expect(most).toBe(2);
  });

  it("that cannot be put in gets a hint when the cell fails for it", async () => {
    const s = await session({ functions });
    const error = await failing(s, "function helper(q) { return ask(q).toUpperCase() }\nhelper('x')");
    expect(error.message).toContain("`helper` calls ask without await: make it async");
  });

  it("can be left to the guest", async () => {
    const { session: plain } = useSandboxWithoutAwait;
    const s = await plain({ functions });
    expect((await ok(s, "ask('a')")).value).toContain("did you forget await?");
  });
});

const useSandboxWithoutAwait = useSandbox({ insertAwait: false });

describe("the end of a cell", () => {
  it("aborts calls that still run, drops their results and says so", async () => {
    const signals: AbortSignal[] = [];
    let finish: (value: string) => void = () => undefined;
    const s = await session({
      functions: {
        hang(_args, { signal }) {
          signals.push(signal);
          return new Promise((resolve) => {
            finish = resolve;
          });
        },
        quick: () => "quick",
      },
    });
    const first = await ok(s, "let late = 'none'; hang().then((v) => { late = v }); void hang(); 'done'");
    expect(first.value).toBe("'done'");
    expect(first.stderr).toContain("2 calls of host functions were still running");
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
    finish("late result");
    await sleep(20);
    expect((await ok(s, "[await quick(), late]")).json).toEqual(["quick", "none"]);
  });

  it("that waits for a call of an earlier cell is told", async () => {
    const s = await session({ functions: { hang: () => new Promise(() => undefined) } });
    await ok(s, "const p = hang().then(String); 1");
    const error = await failing(s, "await p");
    expect(error.name).toBe("UnsettledPromise");
    expect(error.message).toContain("did not finish");
  });

  it("does not warn about many listeners of one signal", async () => {
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on("warning", onWarning);
    const s = await session({
      functions: {
        async listen(_args, { signal }) {
          signal.addEventListener("abort", () => undefined);
          await sleep(5);
          return 1;
        },
      },
    });
    await ok(s, "await Promise.all(Array.from({ length: 30 }, () => listen()))");
    await sleep(10);
    process.off("warning", onWarning);
    expect(warnings).toEqual([]);
  });
});
