import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { prepareCell } from "../src/rewrite/prepare-cell.js";
import { CellSyntaxError } from "../src/rewrite/syntax.js";
import { type Program, programs, reference, render } from "./programs.js";
import { useSandbox } from "./support.js";

const options = {
  functions: new Set(["ask"]),
  reserved: new Set(["ask", "print", "console"]),
  insertAwait: true,
};
const { sandbox } = useSandbox({ graceMs: 5000 });

describe("a rewritten cell", () => {
  it("has the lines of the cell, and so the places of errors", () => {
    const code =
      "let a = 1,\n  b\nfunction f() {\n  return ask('x')\n}\nclass K {\n}\n;[a, b].length\nfor (var i = 0,\n  n; ;) break\nask(\n  'y'\n)\na";
    const { functions, body } = prepareCell(code, options);
    const lines = code.split("\n");
    expect(body.split("\n")).toHaveLength(lines.length + 1);
    expect(functions.split("\n")[2]).toContain("function");
    for (const [line, part] of [
      [7, "[a, b].length"],
      [8, "for ("],
      [11, "'y'"],
    ] as const) {
      expect(body.split("\n")[line]).toContain(part);
    }
  });

  it.each([
    "let x\n(1)",
    "var x\n(1)",
    "foo()\nfunction f() {}\n(1)",
    "foo()\nlet y = 1\n;[y]",
    "foo()\nclass K {}\n(1)",
    "foo()\nask(1)\nfoo()",
    "foo()\n{ ask(1) }\n;(1)",
    "switch (1) { case 1: foo()\nask(1) }",
  ])("keeps statements apart that have no semicolons: %j", (code) => {
    const { body } = prepareCell(code, options);
    // Nothing that ends with a parenthesis may become the callee of what stands on the next line.
    expect(body.replace(/;\s*/g, ";")).not.toMatch(/[)\]]\s+[([]/);
    expect(() => new Function(`return ${body}`)).not.toThrow();
  });

  it("is a script, whatever the cell was, or the cell is refused", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...fragments), { maxLength: 12 }), (parts) => {
        const code = parts.join("");
        try {
          const { body, functions } = prepareCell(code, options);
          expect(() => new Function(`return ${body}`), body).not.toThrow();
          expect(() => new Function(functions), functions).not.toThrow();
          expect(body.split("\n").length).toBe(code.split("\n").length + 1);
        } catch (error) {
          if (!(error instanceof CellSyntaxError)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });
});

const fragments = [
  ..."let |const |var |x|y| = |1|;|\n|(|)|{|}|[|]|, |...|function f() {}|function g(a, b = ask(1)) { return ask(a) }|class K { z = ask(2) }".split(
    "|",
  ),
  ..."ask(x)|await |async |=> |if (x) |else |for (|of |in |while (0) |do |return |x;|y = |x\n|// c\n|/* c\n */|`t`|'s'|!|x.y|.then(f)".split(
    "|",
  ),
  ..."try { ask(1) } catch (e) { var t } |switch (x) { case 1: function h() {} } |void |new |label: |for (var i = 0, n; i < 1; i++) { var q }|for (const v of [ask(1)]) ask(v)\n|let {a, b: [c]} = {a: 1, b: [2]}|{ function inner() {} }".split(
    "|",
  ),
];

describe("programs in cells", () => {
  it("behave as a reference says, whatever is declared where", async () => {
    const session = await sandbox.createSession();
    await fc.assert(
      fc.asyncProperty(programs, async (program: Program) => {
        await session.reset();
        const expected = reference(program);
        for (const [index, cell] of program.entries()) {
          const code = render(cell);
          const result = await session.run(code);
          const { failed, value: expectedValue, variables } = expected[index] as (typeof expected)[number];
          expect(result.success, code).toBe(!failed);
          if (!failed) expect(result.json, code).toEqual(expectedValue);
          const names = [...variables.keys()];
          const read = names.map((name) => `(typeof ${name} === 'function' ? ${name}() : ${name}) ?? null`);
          const seen = await session.run(`[${read.join(", ")}]`);
          expect(seen.error, code).toBeUndefined();
          expect(seen.json, code).toEqual([...variables.values()].map((value) => value ?? null));
        }
      }),
      { numRuns: 150 },
    );
    await session.close();
  }, 60_000);
});

describe("any text", () => {
  it("is a result, and the session goes on", async () => {
    const session = await sandbox.createSession({
      functions: { ask: ([q]) => q },
    });
    await session.run("let alive = 'alive'");
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 60 }),
      fc.string({ unit: "grapheme", maxLength: 60 }),
      fc.array(fc.constantFrom(...fragments), { maxLength: 15 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(anyText, async (code) => {
        const result = await session.run(code, { limits: { timeoutMs: 500 } });
        expect(result.success).toBe(result.error === undefined);
        expect(
          ["crash", undefined, "syntax", "runtime", "timeout", "stack", "memory"].indexOf(result.error?.kind),
        ).toBeGreaterThan(0);
        expect((await session.run("1 + 1")).value).toBe("2");
      }),
      { numRuns: 400 },
    );
    expect((await session.run("alive")).json).toBe("alive");
    await session.close();
  }, 60_000);
});
