import { describe, expect, it } from "vitest";
import { ok, useSandbox } from "./support.js";

const { session } = useSandbox();

const hostNames = [
  ..."process require module exports global Buffer fetch WebAssembly setTimeout setInterval setImmediate".split(
    " ",
  ),
  ..."queueMicrotask structuredClone performance navigator crypto Worker SharedArrayBuffer_ std os bjson scriptArgs".split(
    " ",
  ),
  ..."gc load loadFile __filename __dirname importScripts self window document Deno Bun XMLHttpRequest WebSocket".split(
    " ",
  ),
];

describe("the guest", () => {
  it("finds no name of the host", async () => {
    const s = await session();
    const { json } = await ok(
      s,
      `${JSON.stringify(hostNames)}.filter((name) => name in globalThis || eval('typeof ' + name) !== 'undefined')`,
    );
    expect(json).toEqual([]);
    const { json: own } = await ok(
      s,
      "Object.getOwnPropertyNames(globalThis).filter((name) => /^[a-z]/.test(name)).sort()",
    );
    expect(own).toEqual([
      ..."console decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt print undefined unescape".split(
        " ",
      ),
    ]);
  });

  // Ways to the objects of a host that hold for `node:vm` and for filters of names; here each must see the guest only.
  it.each([
    "this.constructor.constructor('return typeof process + typeof require')()",
    "(() => {}).constructor('return typeof process + typeof require')()",
    "await (async () => {}).constructor('return typeof process + typeof require')()",
    "print.constructor('return typeof process + typeof require')()",
    "host.constructor('return typeof process + typeof require')()",
    "host.constructor.constructor('return typeof process + typeof require')()",
    "console.log.constructor('return typeof process + typeof require')()",
    "(await host()).constructor.constructor('return typeof process + typeof require')()",
    "host().constructor.constructor('return typeof process + typeof require')()",
    "await Object.getPrototypeOf(async function* () {}).constructor('yield typeof process + typeof require')().next().then((r) => r.value)",
    "(function* () {}).constructor('yield typeof process + typeof require')().next().value",
    "(0, eval)('typeof process + typeof require')",
    "Reflect.construct(Function, ['return typeof process + typeof require'])()",
    "Reflect.apply(Function, null, ['return typeof process + typeof require'])()",
    "[].at.constructor.call(null, 'return typeof process + typeof require')()",
    "new Function('return this')().process === undefined ? 'undefinedundefined' : 'leak'",
    "(function () { return this })().process === undefined ? 'undefinedundefined' : 'leak'",
    "let c; try { await host('throw') } catch (e) { c = e.constructor.constructor('return typeof process + typeof require')() } c",
    "let c; try { null.x } catch (e) { c = e.constructor.constructor('return typeof process + typeof require')() } c",
    "let c; try { (function f() { f() })() } catch (e) { c = e.constructor.constructor('return typeof process + typeof require')() } c",
    "class A extends Promise { static get [Symbol.species]() { return Function } }; let c; try { c = A.resolve(1).then } catch {} c.constructor('return typeof process + typeof require')()",
    "new Proxy(host, {}).constructor('return typeof process + typeof require')()",
    "Object.getOwnPropertyDescriptor(globalThis, 'host').value.constructor('return typeof process + typeof require')()",
    "host.bind(null).constructor('return typeof process + typeof require')()",
    "new WeakRef(host).deref().constructor('return typeof process + typeof require')()",
    "[..._iter()].join('')\nfunction* _iter() { yield typeof globalThis.process; yield typeof globalThis.require }",
    "String.raw.constructor`return typeof process + typeof require`()",
    "JSON.parse.constructor('return typeof process + typeof require')()",
    "Symbol.iterator.description.constructor.constructor('return typeof process + typeof require')()",
    "(1n).constructor.constructor('return typeof process + typeof require')()",
  ])("sees only itself by %s", async (code) => {
    const s = await session({
      functions: {
        host: ([what]) => {
          if (what === "throw") throw new Error("thrown by the host");
          return { answer: 1 };
        },
      },
    });
    expect((await ok(s, code)).json).toBe("undefinedundefined");
  });

  it("has no callers, arguments or stack of the host to look at", async () => {
    const s = await session({ functions: { host: () => 1 } });
    const { json } = await ok(
      s,
      "const seen = []; for (const f of [print, host, console.log]) { for (const key of ['caller', 'arguments']) { try { seen.push(f[key] == null) } catch { seen.push(true) } } } seen",
    );
    expect(json).toEqual([true, true, true, true, true, true]);
    const { json: stacks } = await ok(
      s,
      "const stacks = [new Error('a').stack]; try { await host(1n) } catch (e) { stacks.push(e.stack) } " +
        "Error.prepareStackTrace = (e, frames) => { stacks.push(String(frames)); return '' }; Error.stackTraceLimit = 1000; try { null.x } catch (e) { stacks.push(String(e.stack)) } stacks",
    );
    const all = (stacks as string[]).join("\n");
    expect(all).toContain("cell-");
    expect(all).not.toMatch(/node:|file:|\.js\b|\.ts\b|\/work|dist|worker/);
  });

  it("cannot import anything", async () => {
    const s = await session();
    for (const name of [
      "fs",
      "node:fs",
      "os",
      "std",
      "./x.js",
      "/etc/passwd",
      "file:///etc/passwd",
      "data:text/javascript,1",
    ]) {
      const { json } = await ok(
        s,
        `let r; try { await import(${JSON.stringify(name)}); r = 'imported' } catch (e) { r = e.name } r`,
      );
      expect(json).not.toBe("imported");
    }
    expect((await s.run("import x from 'fs'")).error?.kind).toBe("syntax");
    expect((await s.run("eval(\"import('fs')\"); await eval(\"import('fs')\")")).success).toBe(false);
  });

  it("pollutes nothing of the host, in whatever way values leave it", async () => {
    const taken: unknown[] = [];
    const s = await session({
      functions: {
        take(args) {
          taken.push(...args);
          // What a careless host does with what it gets.
          Object.assign({}, ...args.filter((arg) => typeof arg === "object"));
          return JSON.parse('{"__proto__":{"polluted":"guest"},"kept":1}');
        },
      },
    });
    const { json } = await ok(
      s,
      'const evil = JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":{"__proto__":{"polluted":1}},"kept":true}\');' +
        "const back = await take(evil, [evil]); [evil, Object.keys(back), back.polluted === undefined, {}.polluted === undefined]",
    );
    expect(taken).toEqual([{ a: {}, kept: true }, [{ a: {}, kept: true }]]);
    expect(json).toEqual([{ a: {}, kept: true }, ["kept"], true, true]);
    const value = await ok(s, 'JSON.parse(\'{"__proto__":{"polluted":1}}\')');
    for (const object of [...taken, json, value.json, {}] as { polluted?: unknown }[])
      expect(object.polluted).toBeUndefined();
    expect(Object.getPrototypeOf((taken[0] as { a: object }).a)).toBe(Object.prototype);
  });

  it("that changes its own built-ins changes nothing of what the sandbox does", async () => {
    const s = await session({ functions: { echo: ([value]) => value } });
    await ok(
      s,
      "const names = Object.getOwnPropertyNames; for (const C of [Object, Array, String, Function, Promise, Map, Set, RegExp, Error, JSON, Reflect, Symbol, Number]) {" +
        "for (const target of [C, C.prototype]) { if (target) for (const key of names(target)) { if (key !== 'constructor' && key !== 'prototype') { try { if (typeof target[key] === 'function') target[key] = () => { throw 'changed' } } catch {} } } } }" +
        "Object.prototype.toJSON = () => 'fake'; Object.prototype.get = () => 'fake'; Array.prototype[Symbol.iterator] = () => { throw 1 }; Promise.prototype.then = () => { throw 1 }",
    );
    const { stdout, value } = await ok(
      s,
      "let e; try { null.x } catch (x) { e = x } print('a', [1, 'b'], e); await echo('text')",
    );
    expect(stdout).toContain("a [ 1, 'b' ] [TypeError: cannot read property 'x' of null]");
    expect(value).toBe("'text'");
    expect((await s.run("throw new RangeError('seen')")).error).toMatchObject({
      name: "RangeError",
      message: "seen",
    });
    await s.set("x", { y: 1 });
    expect((await ok(s, "x.y")).json).toBe(1);
  });

  it("cannot change what the host gave it", async () => {
    const s = await session({ functions: { echo: ([value]) => value } });
    await ok(
      s,
      "for (const [o, k] of [[console, 'log'], [print, 'name'], [echo, 'name'], [globalThis, 'echo'], [globalThis, 'console']]) { for (const how of [(o, k) => { o[k] = 0 }, (o, k) => Object.defineProperty(o, k, { value: 0 }), (o, k) => delete o[k], (o) => Object.setPrototypeOf(o, null), (o, k) => o.__defineGetter__(k, () => 0)]) { try { how(o, k) } catch {} } }",
    );
    const { stdout, json } = await ok(s, "console.log('log'); print('print'); [print.name, await echo('x')]");
    expect(stdout).toBe("log\nprint\n");
    expect(json).toEqual(["print", "x"]);
  });

  it("finds finalizers and weak references that do no harm", async () => {
    const s = await session();
    await ok(
      s,
      "let calls = 0; if (typeof FinalizationRegistry === 'function') { const registry = new FinalizationRegistry(() => { calls++; for (;;) ; }); for (let i = 0; i < 100; i++) registry.register({}, i); }",
    );
    const next = await s.run("let junk = []; for (let i = 0; i < 1e5; i++) junk = [junk.length]; 1 + 1", {
      limits: { timeoutMs: 2000 },
    });
    expect([true, false]).toContain(next.success);
    expect((await s.run("2 + 2")).error?.kind).not.toBe("crash");
  });

  it("gets none of the sandbox's own functions by getters, proxies or species", async () => {
    const s = await session({ functions: { echo: ([value]) => value } });
    const { json } = await ok(
      s,
      "const seen = new Set(); const note = (v) => { if (typeof v === 'function') seen.add(v.name) };" +
        "Object.defineProperty(Object.prototype, 'name', { configurable: true, get() { note(this); return undefined }, set(v) { note(v) } });" +
        "Object.defineProperty(Array.prototype, 0, { configurable: true, get() { return undefined }, set(v) { note(v) } });" +
        "Array.prototype[Symbol.iterator] = function () { for (let i = 0; i < this.length; i++) note(this[i]); return { next: () => ({ done: true }) } };" +
        "const call = Function.prototype.call; Function.prototype.call = function (...a) { note(this); return Reflect.apply(call, this, a) };" +
        "print({ a: [1] }); await echo({ b: [2] }); delete Object.prototype.name; delete Array.prototype[0]; Array.from(seen.values?.() ?? [])",
    );
    for (const name of ["write", "call", "promiseState"]) expect(json ?? []).not.toContain(name);
  });
});
