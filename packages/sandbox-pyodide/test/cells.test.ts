import { describe, expect, it } from "vitest";
import { testSandbox, told, withSession } from "./helpers/sandbox.js";

const sandbox = testSandbox();
const session = await sandbox.createSession();

describe("the value of a cell", () => {
  it.each([
    ["1 + 1", "2", 2],
    ["'a\\nb'", "'a\\nb'", "a\nb"],
    ["[1, (2, None), {'k': True}]", "[1, (2, None), {'k': True}]", [1, [2, null], { k: true }]],
    ["1.5", "1.5", 1.5],
    ["x = 3\nx * 2", "6", 6],
    ["False", "False", false],
    ["'é😀'", "'é😀'", "é😀"],
  ])("of %j is its last expression, as Python prints it and as JSON", async (code, value, json) => {
    expect(await session.run(code)).toMatchObject({ success: true, value, json });
  });

  it.each([
    "{1}",
    "object()",
    "{1: 2}",
    "float('nan')",
    "2**60",
    "b'x'",
    "[1, {2}]",
    "a = []; a.append(a); a",
  ])("of %j has no JSON", async (code) => {
    const result = await session.run(code);
    expect(result.success).toBe(true);
    expect(result.value).not.toBe("");
    expect(result).not.toHaveProperty("json");
  });

  it.each([
    "x = 1",
    "None",
    "",
    "# only a comment",
    "print('x')",
    "for i in range(3): i",
    "def f(): return 1",
  ])("of %j is absent", async (code) => {
    const result = await session.run(code);
    expect(result.success).toBe(true);
    expect(result).not.toHaveProperty("value");
    expect(result).not.toHaveProperty("json");
  });

  it("is cut in its middle when it is long", async () => {
    const result = await session.run("list(range(100000))", { limits: { maxOutputChars: 500 } });
    expect(result.truncated).toBe(true);
    expect(result.value?.length).toBeLessThanOrEqual(500);
    expect(result.value).toMatch(/^\[0, 1, 2.*characters left out.*99999\]$/s);
  });

  it("tells of a forgotten await", async () => {
    const result = await session.run("async def later(): return 1\nlater()");
    expect(result.value).toContain("<coroutine object later");
    expect(result.stderr).toContain("did you forget await?");
  });
});

describe("a cell", () => {
  it("keeps variables, functions, classes and imports for the next", async () => {
    await session.run("import math\ntotal = 40\ndef add(n):\n    return total + n\nclass Box:\n    size = 3");
    expect(told(await session.run("math.floor(add(2.5)), Box().size"))).toBe("(42, 3)");
    expect(told(await session.run("[total + n for n in range(2)]"))).toBe("[40, 41]");
  });

  it("captures stdout and stderr apart, in whatever way they are written", async () => {
    const result = await session.run(
      "import os, sys, subprocess\nprint('out')\nprint('err', file=sys.stderr)\nsys.stdout.write('no newline')\n" +
        "sys.stdout.buffer.write(b' bytes')\nsys.stdout.flush()\nos.write(1, b' raw')\nNone",
    );
    expect(result.stdout).toContain("out\nno newline");
    expect(result.stdout).toContain(" bytes");
    expect(result.stdout).toContain(" raw");
    expect(result.stderr).toBe("err\n");
  });

  it("prints again after the guest has closed or replaced sys.stdout", async () => {
    await session.run("import sys\nsys.stdout.close()\nsys.stdout = None");
    expect(told(await session.run("print('still here')"))).toBe("still here\n");
  });

  it("can await at its top level", async () => {
    const code = "import asyncio\nasync def f(n):\n    await asyncio.sleep(0.01)\n    return n\n";
    expect(told(await session.run(`${code}await asyncio.gather(f(1), f(2))`))).toBe("[1, 2]");
    expect(told(await session.run("async with asyncio.timeout(5):\n    r = await f(3)\nr"))).toBe("3");
    expect(told(await session.run("[n async for n in (await f(i) for i in range(2))]"))).toBe("[0, 1]");
  });

  it.each([
    ["in a cell of its own", "asyncio.run(main())"],
    ["in a cell that awaits, too", "await asyncio.sleep(0)\nasyncio.run(main())"],
    ["by the loop", "asyncio.get_event_loop().run_until_complete(main())"],
  ])("can use asyncio.run %s", async (_how, code) => {
    const main = "import asyncio\nasync def main():\n    await asyncio.sleep(0.01)\n    return 'done'\n";
    expect(told(await session.run(main + code))).toBe("'done'");
  });

  it("can create tasks without awaiting anything itself, which end with it", async () => {
    const result = await session.run(
      "import asyncio\nt = asyncio.create_task(asyncio.sleep(60))\nprint('made')",
    );
    expect(result).toMatchObject({ success: true, stdout: "made\n" });
    expect(result.stderr).toContain("a task was still running at the end of the cell");
  });

  it("is the main module, as programs and pickle expect", async () => {
    expect(told(await session.run("if __name__ == '__main__':\n    print('main')"))).toBe("main\n");
    const code = "import pickle\nclass P:\n    pass\ntype(pickle.loads(pickle.dumps(P()))) is P";
    expect(told(await session.run(code))).toBe("True");
  });

  it("keeps what it has assigned before it fails", async () => {
    const failed = await session.run("kept = 1\nprint('before')\nraise ValueError('no')\nkept = 2");
    expect(failed).toMatchObject({ success: false, stdout: "before\n", stateLost: false });
    expect(told(await session.run("kept"))).toBe("1");
  });

  it("has no input to read", async () => {
    expect(told(await session.run("input('name? ')"))).toContain("runtime EOFError");
  });

  it("finds future imports of earlier cells in force", async () => {
    await session.run("from __future__ import annotations");
    expect(told(await session.run("def f(x: not_defined): pass\nf.__annotations__"))).toBe(
      "{'x': 'not_defined'}",
    );
  });
});

describe("the error of a cell", () => {
  it("has the guest's own lines and nothing of the sandbox", async () => {
    await withSession(sandbox, {}, async (fresh) => {
      await fresh.run("def divide(a, b):\n    return a / b");
      const { error } = await fresh.run("x = 1\ndivide(x, 0)");
      expect(error).toEqual({
        kind: "runtime",
        name: "ZeroDivisionError",
        message: "division by zero",
        traceback: [
          "Traceback (most recent call last):",
          '  File "<cell 2>", line 2, in <module>',
          "    divide(x, 0)",
          "    ~~~~~~^^^^^^",
          '  File "<cell 1>", line 2, in divide',
          "    return a / b",
          "           ~~^~~",
          "ZeroDivisionError: division by zero",
        ].join("\n"),
      });
    });
  });

  it("leaves out the lines of the library, and keeps causes, groups and notes", async () => {
    const code = [
      "import json",
      "try:",
      "    json.loads('{')",
      "except ValueError as error:",
      "    raise ExceptionGroup('both', [KeyError('k'), RuntimeError('r')]) from error",
    ].join("\n");
    const { error } = await session.run(code);
    expect(error?.traceback).toContain("JSONDecodeError: Expecting property name");
    expect(error?.traceback).toContain("direct cause");
    expect(error?.traceback).toContain("RuntimeError: r");
    expect(error?.traceback).not.toMatch(/json\/|python314|openjarvis/);
  });

  it.each([
    ["x = (1,", "'(' was never closed"],
    ["if True:\nx = 1", "expected an indented block"],
    ["print 'x'", "Missing parentheses in call to 'print'"],
    ["const x = 1;", "invalid syntax"],
    ["return 1", "'return' outside function"],
    ["x = '\\0'\0", "null bytes"],
  ])("of %j is one of syntax", async (code, message) => {
    const { error } = await session.run(code);
    expect(error?.kind).toBe("syntax");
    expect(error?.message).toContain(message);
    expect(error?.traceback).not.toBe("");
  });

  it("of syntax shows the line", async () => {
    const { error } = await session.run("a = 1\nb = = 2");
    expect(error?.traceback).toMatch(/line 2\n {4}b = = 2\n/);
  });

  it("of code that is compiled while the cell runs is one of run time", async () => {
    expect(told(await session.run("eval('1 +')"))).toContain("runtime SyntaxError");
  });

  it.each([
    ["exit()", "the cell asked to exit"],
    ["import sys; sys.exit(3)", "the cell asked to exit with 3"],
    ["raise SystemExit('bye')", "the cell asked to exit with 'bye'"],
  ])("of %j says so, and the variables are kept", async (code, message) => {
    await session.run("mark = 1");
    expect(await session.run(code)).toMatchObject({ stateLost: false, error: { kind: "exit", message } });
    expect(told(await session.run("mark"))).toBe("1");
  });

  it("is told even when the exception's own text fails", async () => {
    const code = "class Bad(Exception):\n    def __str__(self): raise ValueError\nraise Bad()";
    const { error } = await session.run(code);
    expect(error?.name).toBe("Bad");
    expect(error?.message).not.toBe("");
  });

  it("of a value that cannot be shown is one of the cell", async () => {
    const code = "class Bad:\n    def __repr__(self): return 1 / 0\nBad()";
    expect(told(await session.run(code))).toContain("runtime ZeroDivisionError");
  });

  it.each(["numpy", "pandas", "requests"])("of importing %s says what there is", async (name) => {
    const { error } = await session.run(`import ${name}`);
    expect(error?.message).toContain(`No module named '${name}'`);
    expect(error?.message).toContain("standard library (json, re, math");
  });
});

describe("Python's library", () => {
  it("is there as far as it works without a system", async () => {
    const code = [
      "import sqlite3, hashlib, zlib, lzma, decimal, datetime, zoneinfo, re, csv, uuid, statistics, dataclasses, enum",
      "rows = sqlite3.connect(':memory:').execute('select 6 * 7').fetchall()",
      "rows, hashlib.sha256(b'').hexdigest()[:8], len(zlib.compress(b'a' * 999)) < 50, statistics.mean([1, 2])",
    ].join("\n");
    expect(told(await session.run(code))).toBe("([(42,)], 'e3b0c442', True, 1.5)");
  });

  it("has its own files, which end with the session", async () => {
    await session.run("with open('/tmp/note.txt', 'w') as f: f.write('kept')");
    expect(told(await session.run("open('/tmp/note.txt').read()"))).toBe("'kept'");
    await withSession(sandbox, {}, async (other) => {
      expect(told(await other.run("open('/tmp/note.txt').read()"))).toContain("FileNotFoundError");
    });
  });

  it("gives other random numbers in every session", async () => {
    const draw = "import random, os, uuid\n(random.random(), os.urandom(8), uuid.uuid4())";
    const first = await withSession(sandbox, {}, (one) => one.run(draw));
    const second = await withSession(sandbox, {}, (other) => other.run(draw));
    expect(first.success).toBe(true);
    expect(first.value).not.toBe(second.value);
  });
});
