import { describe, expect, it } from "vitest";
import { ok, useSandbox } from "./support.js";

const { session } = useSandbox();

describe("a value is shown as consoles do", () => {
  it.each([
    ["'it\\'s'", '"it\'s"'],
    ["'\"both\" \\'quotes\\''", "'\"both\" \\'quotes\\''"],
    ["'line\\nbreak\\t\\0\\ud800'", "'line\\nbreak\\t\\u0000\\ud800'"],
    ["-0", "-0"],
    ["Symbol('s')", "Symbol(s)"],
    ["true", "true"],
    ["[1, , 3, , ,]", "[ 1, <1 empty item>, 3, <2 empty items> ]"],
    ["[[], {}, [[[[1]]]]]", "[ [], {}, [ [ [ [Array] ] ] ] ]"],
    [
      "({ 'a b': 1, c: undefined, [Symbol('k')]: 2, 'd-e': null })",
      "{ 'a b': 1, c: undefined, 'd-e': null, [Symbol(k)]: 2 }",
    ],
    [
      "({ f() {}, g: () => 1, h: class K {}, async i() {}, *j() {} })",
      "{\n  f: [Function: f],\n  g: [Function: g],\n  h: [class K],\n  i: [AsyncFunction: i],\n  j: [GeneratorFunction: j]\n}",
    ],
    ["() => 1", "[Function (anonymous)]"],
    ["class Point { constructor() { this.x = 1 } }; new Point()", "Point { x: 1 }"],
    ["Object.create(null)", "[Object: null prototype] {}"],
    ["Object.assign(Object.create(null), { a: 1 })", "[Object: null prototype] { a: 1 }"],
    ["new Map([['k', { v: 1 }], [{}, []]])", "Map(2) { 'k' => { v: 1 }, {} => [] }"],
    ["new Set([1, 'two'])", "Set(2) { 1, 'two' }"],
    ["new WeakMap()", "WeakMap { <items unknown> }"],
    ["[new Error('inner'), new TypeError()]", "[ [Error: inner], [TypeError] ]"],
    ["/a+/gi", "/a+/gi"],
    ["new Date(NaN)", "Invalid Date"],
    ["new Uint8Array([1, 2])", "Uint8Array(2) [ 1, 2 ]"],
    ["new ArrayBuffer(8)", "ArrayBuffer { byteLength: 8 }"],
    [
      "const o = { name: 'o' }; o.self = o; o.list = [o]; o",
      "{ name: 'o', self: [Circular], list: [ [Circular] ] }",
    ],
    [
      "({ get a() { return 1 }, set b(v) {}, get c() { return 1 }, set c(v) {} })",
      "{ a: [Getter], b: [Setter], c: [Getter/Setter] }",
    ],
    ["const d = { x: 1 }; [d, d]", "[ { x: 1 }, { x: 1 } ]"],
    ["({ [Symbol.toStringTag]: 'Map' })", "Object [Map] {}"],
    ["Object.assign(() => 1, { extra: 2 })", "[Function (anonymous)] { extra: 2 }"],
  ])("%s", async (code, shown) => {
    expect((await ok(await session(), code)).value).toBe(shown);
  });

  it("long ones on several lines, numbers and texts as many to a line as fit", async () => {
    const s = await session();
    const { value } = await ok(s, "Array.from({ length: 40 }, (_, i) => i * 1000)");
    const lines = value?.split("\n") ?? [];
    expect(lines[0]).toBe("[");
    expect(lines.at(-1)).toBe("]");
    expect(lines.every((line) => line.length <= 80)).toBe(true);
    expect(lines.length).toBeLessThan(8);
    expect(
      (await ok(s, "Array.from({ length: 3 }, (_, i) => ({ name: 'item number ' + i, list: [1, 2] }))"))
        .value,
    ).toBe(
      "[\n  { name: 'item number 0', list: [ 1, 2 ] },\n  { name: 'item number 1', list: [ 1, 2 ] },\n  { name: 'item number 2', list: [ 1, 2 ] }\n]",
    );
  });

  it("with what is left out counted", async () => {
    const s = await session();
    expect((await ok(s, "Array.from({ length: 150 }, () => 1)")).value).toContain("… 50 more items");
    expect((await ok(s, "new Set(Array.from({ length: 101 }, (_, i) => i))")).value).toContain(
      "… 1 more item",
    );
    expect(
      (await ok(s, "Object.fromEntries(Array.from({ length: 120 }, (_, i) => ['k' + i, i]))")).value,
    ).toContain("… 20 more");
    expect((await ok(s, "[{ text: 'x'.repeat(5000) }]")).value).toContain("'… 4000 more characters");
  });

  it("huge ones without walking through them", async () => {
    const s = await session();
    for (const code of [
      "new Array(4e9)",
      "const m = new Map(); for (let i = 0; i < 1e5; i++) m.set(i, i); m",
      "let deep = 1; for (let i = 0; i < 1e5; i++) deep = [deep]; deep",
      "Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => ({ a: 'x'.repeat(900) })))",
    ]) {
      const { value } = await ok(s, code);
      expect(value?.length).toBeLessThanOrEqual(10_000);
    }
  });
});
