import { describe, expect, it } from "vitest";
import { failing, ok, useSandbox } from "./support.js";

const { session } = useSandbox();

describe("variables", () => {
  it("last from cell to cell, however they are declared", async () => {
    const s = await session();
    await ok(s, "let a = 1; const b = a + 1; var c = 3, d; e = 5");
    await ok(
      s,
      "function f(x) { return x * k }\nconst k = 10\nclass P { constructor(n) { this.n = n } get twice() { return this.n * 2 } }",
    );
    await ok(
      s,
      "const { x, y: [z, ...rest], ...others } = { x: 7, y: [8, 9, 10], u: 1, v: 2 }; let [p, , q = 'q'] = [1, 2]",
    );
    await ok(
      s,
      "for (var i = 0; i < 3; i++) { var inBlock = i }\nfor (var key in { only: 1 }) ;\nif (true) { function g() { return 'g' } }",
    );
    const { json } = await ok(
      s,
      "[a, b, c, d === undefined, e, f(2), new P(4).twice, x, z, rest, others, p, q, i, inBlock, key, g()]",
    );
    expect(json).toEqual([1, 2, 3, true, 5, 20, 8, 7, 8, [9, 10], { u: 1, v: 2 }, 1, "q", 3, 2, "only", "g"]);
  });

  it("can be declared again, with any keyword", async () => {
    const s = await session();
    await ok(s, "const v = 1");
    await ok(s, "let v = 2");
    await ok(s, "function v() { return 3 }");
    expect((await ok(s, "v()")).json).toBe(3);
    await ok(s, "class v { static n = 4 }");
    expect((await ok(s, "v.n")).json).toBe(4);
    await ok(s, "var v = 5");
    await ok(s, "var v");
    expect((await ok(s, "v")).json).toBe(5);
    await ok(s, "let v");
    expect((await ok(s, "String(v)")).json).toBe("undefined");
  });

  it("keep what was assigned before an exception, and what was printed", async () => {
    const s = await session();
    const { result, message } = await failing(
      s,
      "let kept = 1; print('before'); kept = 2; throw new Error('stop'); kept = 3",
    );
    expect(message).toBe("stop");
    expect(result.stdout).toBe("before\n");
    expect(result.stateLost).toBe(false);
    expect((await ok(s, "kept")).json).toBe(2);
  });

  it("are shared by functions and the cells that change them", async () => {
    const s = await session();
    await ok(s, "let n = 0; const up = () => ++n; function f() { return 'old' } const callsF = () => f()");
    await ok(s, "up(); n += 10; function f() { return 'new' }");
    expect((await ok(s, "[up(), callsF()]")).json).toEqual([12, "new"]);
  });

  it("are those the session began with and those the host sets", async () => {
    const s = await session({ variables: { context: { rows: [1, 2] }, note: "é\0\ud800x" } });
    expect(
      (await ok(s, "[context.rows.length, note.length, note.charCodeAt(1), note.charCodeAt(2)]")).json,
    ).toEqual([2, 4, 0, 0xd800]);
    await s.set("context", "other");
    expect((await ok(s, "context")).json).toBe("other");
    await ok(s, "context = 'mine'");
    expect((await ok(s, "context")).json).toBe("mine");
    await s.set("nothing", null);
    expect((await ok(s, "nothing")).json).toBeNull();
  });

  it("are forgotten by a reset", async () => {
    const s = await session({ variables: { given: 1 }, functions: { twice: ([n]) => Number(n) * 2 } });
    await ok(s, "let made = 1; Array.prototype.map = null");
    await s.reset();
    expect((await ok(s, "[typeof given, typeof made, [1].map(String)]")).json).toEqual([
      "undefined",
      "undefined",
      ["1"],
    ]);
    expect((await ok(s, "await twice(4)")).json).toBe(8);
  });
});

describe("the value of a cell", () => {
  it.each([
    ["1 + 1", "2", 2],
    ["'text'", "'text'", "text"],
    ["let x = 1", undefined, undefined],
    ["undefined", undefined, undefined],
    ["null", "null", null],
    ["5;;", "5", 5],
    ["5; function f() {}", "5", 5],
    ["1, 2", "2", 2],
    ["(3, 4) // comment", "4", 4],
    ["{ a: 1, b: [2] }", "{ a: 1, b: [ 2 ] }", { a: 1, b: [2] }],
    ["{}", "{}", {}],
    ["{ let t = 1; t }", undefined, undefined],
    ["await Promise.resolve(6)", "6", 6],
    ["return 7; 8", "7", 7],
    ["if (true) { return 'early' }\n'late'", "'early'", "early"],
    ["y = 9", "9", 9],
    ["'use strict'; undeclared = 1", "1", 1],
    ["10n", "10n", undefined],
    ["NaN", "NaN", undefined],
    ["[1, undefined]", "[ 1, undefined ]", undefined],
    ["new Date(0)", "1970-01-01T00:00:00.000Z", undefined],
    ["", undefined, undefined],
    ["// nothing", undefined, undefined],
  ])("of %j is %j", async (code, value, json) => {
    const result = await ok(await session(), code);
    expect(result.value).toBe(value);
    expect(result.json).toEqual(json);
    expect("json" in result).toBe(json !== undefined);
  });

  it("is bounded", async () => {
    const s = await session({ limits: { maxOutputChars: 1000 } });
    const long = await ok(s, "'é'.repeat(50000)");
    expect(long.value?.length).toBeLessThanOrEqual(1000);
    expect(long.truncated).toBe(true);
    expect(long.json).toBe("é".repeat(50000));
    const list = await ok(s, "Array.from({ length: 1e5 }, (_, i) => ({ i }))");
    expect(list.value?.length).toBeLessThanOrEqual(1000);
    expect(list.json).toBeUndefined();
    expect((await ok(s, "new Array(1e9)")).value).toBe("[ <1000000000 empty items> ]");
  });

  it("says of a promise that await is missing", async () => {
    const s = await session();
    expect((await ok(s, "Promise.resolve(1)")).value).toContain("this is a Promise: did you forget await?");
    expect((await ok(s, "(async () => { throw 1 })()")).value).toContain("<rejected>");
    expect((await ok(s, "print([new Promise(() => {})])")).stdout).toContain("did you forget await?");
  });
});

describe("output", () => {
  it("goes to the stream it belongs to, formatted as consoles do", async () => {
    const s = await session();
    const { stdout, stderr } = await ok(
      s,
      "print('a', 1, { b: [null] }); console.log('%s is %d%%', 'x', 5, [1]); console.info(); console.error('bad'); console.warn(1n); console.assert(1 > 2, 'why')",
    );
    expect(stdout).toBe("a 1 { b: [ null ] }\nx is 5% [ 1 ]\n\n");
    expect(stderr).toBe("bad\n1n\nAssertion failed: why\n");
  });

  it("is cut in the middle, counts what is left out and breaks no character", async () => {
    const s = await session({ limits: { maxOutputChars: 1000 } });
    const { stdout, truncated } = await ok(s, "print('START' + '😀'.repeat(50000) + 'END')");
    expect(truncated).toBe(true);
    expect(stdout.length).toBeLessThanOrEqual(1000);
    expect(stdout.isWellFormed()).toBe(true);
    expect(stdout.startsWith("START😀")).toBe(true);
    expect(stdout.endsWith("😀END\n")).toBe(true);
    const [, left] = /\[… (\d+) characters left out …\]/.exec(stdout) ?? [];
    const kept = stdout.replace(/\n\[….*…\]\n/, "").length;
    expect(Number(left) + kept).toBe("START".length + 100_000 + "END\n".length);
  });

  it("of many small writes keeps the first and the last", async () => {
    const s = await session({ limits: { maxOutputChars: 500 } });
    const { stdout } = await ok(s, "for (let i = 0; i < 20000; i++) print('line', i)");
    expect(stdout.startsWith("line 0\nline 1\n")).toBe(true);
    expect(stdout.endsWith("line 19998\nline 19999\n")).toBe(true);
    expect(stdout.length).toBeLessThanOrEqual(500);
  });

  it("of both streams together stays within the limit", async () => {
    const s = await session({ limits: { maxOutputChars: 1000 } });
    const { stdout, stderr, truncated } = await ok(
      s,
      "print('o'.repeat(5000)); console.error('e'.repeat(5000))",
    );
    expect(truncated).toBe(true);
    expect(stdout.length + stderr.length).toBeLessThanOrEqual(1000);
    expect(stderr.length).toBeGreaterThan(200);
    const small = await ok(s, "print('o'.repeat(5000)); console.error('short')");
    expect(small.stderr).toBe("short\n");
  });

  it("of 10 MB is taken without growing", async () => {
    const s = await session();
    const { stdout, truncated } = await ok(
      s,
      "const part = 'x'.repeat(1e6); for (let i = 0; i < 10; i++) print(part)",
    );
    expect(truncated).toBe(true);
    expect(stdout.length).toBeLessThanOrEqual(10_000);
    expect(stdout).toContain("characters left out");
  });
});

describe("errors", () => {
  it("name the guest's own lines, also of earlier cells", async () => {
    const s = await session();
    await ok(s, "// a comment\nfunction inner(v) {\n  return v.x.y;\n}");
    const error = await failing(s, "let o = {};\nconst outer = () =>\n  inner(o);\n\nouter();");
    expect(error).toMatchObject({ kind: "runtime", name: "TypeError" });
    expect(error.traceback.split("\n")).toEqual([
      "at inner (cell 1, line 3): return v.x.y;",
      "at outer (cell 2, line 3): inner(o);",
      "at cell 2, line 5: outer();",
    ]);
  });

  it("tell line and column of a syntax error", async () => {
    const error = await failing(await session(), "let a = 1;\nlet b = (2 +;\n");
    expect(error).toMatchObject({ kind: "syntax", name: "SyntaxError", message: "Unexpected token" });
    expect(error.traceback).toBe("at cell 1, line 2:\nlet b = (2 +;\n            ^");
  });

  it("tell the line of what only the interpreter refuses", async () => {
    const error = await failing(await session(), "let a = 1;\n{ using b = null; }");
    expect(error.kind).toBe("syntax");
    expect(error.traceback).toContain("line 2: { using b = null; }");
  });

  it("say what was thrown when it is no error, and the causes when it is", async () => {
    const s = await session();
    expect(await failing(s, "throw 'plain'")).toMatchObject({ name: "Uncaught", message: "plain" });
    expect(await failing(s, "throw null")).toMatchObject({ kind: "runtime", message: "null" });
    expect(await failing(s, "throw { code: 5 }")).toMatchObject({ message: "{ code: 5 }" });
    const error = await failing(s, "throw new Error('top', { cause: new RangeError('deep') })");
    expect(error.traceback).toContain("caused by RangeError: deep");
    expect(
      (await failing(s, "await Promise.any([Promise.reject(new TypeError('one'))])")).traceback,
    ).toContain("one");
  });

  it("tell of what cannot be looked at that it was thrown", async () => {
    const s = await session();
    const loops = "{ getPrototypeOf() { for (;;) {} }, getOwnPropertyDescriptor() { for (;;) {} } }";
    expect((await failing(s, `throw new Proxy(new Error('x'), ${loops})`)).message).toContain(
      "cannot be shown",
    );
    const { proxy } = { proxy: "const r = Proxy.revocable({}, {}); r.revoke(); " };
    expect((await failing(s, `${proxy}throw r.proxy`)).kind).toBe("runtime");
    expect((await ok(s, "r.proxy")).value).toContain("cannot be shown");
    expect((await ok(s, "({ get x() { throw 1 }, y: { get z() { for (;;) {} } } })")).value).toBe(
      "{ x: [Getter], y: { z: [Getter] } }",
    );
  });

  it("fold a deep recursion", async () => {
    const error = await failing(await session(), "function down(n) {\n  return down(n + 1) + 1;\n}\ndown(0)");
    expect(error.kind).toBe("stack");
    expect(error.traceback).toMatch(/^at down \(cell 1, line 2\): return down\(n \+ 1\) \+ 1; \[\d+ times\]/);
  });

  it.each([
    ["def f(x):\n    return x + 1", "Python"],
    ["import json", "Python"],
    ["print 'hello'", "Python"],
    ["for x in range(3):\n    print(x)", "Python"],
    ["x = [i for i in range(3)]", "Python"],
    ["# comment\nx = 1", "Python"],
    ["if x is not None:\n  pass", "Python"],
    ['answer = f"{x}"', "Python"],
    ["from math import sqrt", "Python"],
    ["let n: number = 1", "TypeScript"],
    ["interface A { b: string }", "TypeScript"],
    ["function f(a: string): void {}", "TypeScript"],
    ["import fs from 'fs'", "no modules"],
    ["```js\n1\n```", "fences"],
    ["function f() { await g() }", "async"],
  ])("of %j get a hint", async (code, hint) => {
    const error = await failing(await session(), code);
    expect(error.kind).toBe("syntax");
    expect(error.message).toContain(hint);
  });

  it.each([
    ["fetch('http://x')", "no network"],
    ["require('fs')", "no modules"],
    ["process.exit(1)", "no files, processes"],
    ["setTimeout(() => {}, 1)", "no timers"],
    ["len([1])", "value.length"],
    ["None", "null"],
  ])("of the missing name in %j get a hint", async (code, hint) => {
    const error = await failing(await session(), code);
    expect(error).toMatchObject({ kind: "runtime", name: "ReferenceError" });
    expect(error.message).toContain(hint);
  });
});

describe("names of the host", () => {
  it("cannot be replaced, in whatever way", async () => {
    const s = await session({ functions: { ask: ([q]) => `re: ${String(q)}` } });
    const { stderr } = await ok(
      s,
      "function ask(q) { return 'fake' }\nlet print = 1; console = null; globalThis.ask = 2; delete globalThis.print",
    );
    expect(stderr).toContain("`ask` is provided by the host");
    expect(stderr).toContain("`print` is provided by the host");
    await ok(
      s,
      "try { Object.defineProperty(globalThis, 'ask', { value: 3 }) } catch {} ask.x = 1; console.log = null",
    );
    const { stdout, json } = await ok(
      s,
      "console.log('still'); print('there'); [await ask('you'), ask.x === undefined]",
    );
    expect(stdout).toBe("still\nthere\n");
    expect(json).toEqual(["re: you", true]);
  });

  it("may be used for locals of a function", async () => {
    const s = await session({ functions: { ask: () => "host" } });
    expect((await ok(s, "((ask) => ask('x'))((q) => q + q)")).json).toBe("xx");
  });
});
