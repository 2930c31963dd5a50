import { setTimeout as sleep } from "node:timers/promises";
import type { SandboxLimits } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { testSandbox, told, withSession } from "./helpers/sandbox.js";

const sandbox = testSandbox({ graceMs: 300 });
const session = await sandbox.createSession({
  functions: { ask: () => sleep(150, "answer"), never: () => new Promise(() => undefined), quick: () => 1 },
});

async function expectAlive(): Promise<void> {
  expect(told(await session.run("20 + 1"))).toBe("21");
}

describe("the time a cell computes", () => {
  it.each([
    ["an endless loop", "while True: pass"],
    ["one in an async function", "async def f():\n    while True: pass\nawait f()"],
    ["one in asyncio.run", "import asyncio\nasync def f():\n    while True: pass\nasyncio.run(f())"],
    ["a catastrophic regular expression", "import re\nre.match('(a+)+$', 'a' * 60 + 'b')"],
    ["a power that does not end", "x = 10 ** 10 ** 9"],
    ["sleeping", "import time\ntime.sleep(60)"],
    ["sleeping asynchronously", "import asyncio\nawait asyncio.sleep(60)"],
    ["an endless __repr__", "class R:\n    def __repr__(self):\n        while True: pass\nR()"],
    ["an endless finally", "try:\n    while True: pass\nfinally:\n    print('cleaned up')"],
    ["a loop of printing", "while True: print('x' * 100)"],
    [
      "a task that will not be cancelled",
      "import asyncio\nwhile True:\n    try: await asyncio.sleep(1)\n    except BaseException: pass",
    ],
    ["a busy event loop", "import asyncio\nwhile True: await asyncio.sleep(0)"],
  ])("is bounded for %s, and the variables are kept", async (_what, code) => {
    await session.run("mark = 'kept'");
    const result = await session.run(code, { limits: { timeoutMs: 250 } });
    expect(result).toMatchObject({
      success: false,
      stateLost: false,
      error: { kind: "timeout", name: "timeoutMs" },
    });
    expect(result.error?.message).toBe("The cell computed longer than 250 ms.");
    expect(told(await session.run("mark"))).toBe("'kept'");
  });

  it("shows the line where the cell was, and what it had printed", async () => {
    const result = await session.run("print('before')\nn = 0\nwhile True:\n    n += 1", {
      limits: { timeoutMs: 200 },
    });
    expect(result.stdout).toBe("before\n");
    expect(result.error?.traceback).toMatch(/line [34], in <module>/);
    expect(result.error?.traceback).toMatch(/\ntimeoutMs: The cell computed longer than 200 ms\.$/);
    expect(result.error?.traceback).not.toContain("KeyboardInterrupt");
  });

  it.each([
    [
      "a loop that catches everything",
      "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    ],
    ["a guest that ignores signals", "import signal\nsignal.signal(2, signal.SIG_IGN)\nwhile True: pass"],
    ["a loop inside one operation", "sum(iter(int, 1))"],
    [
      "a guest that catches the end of every sleep",
      "import time\nwhile True:\n    try: time.sleep(1)\n    except BaseException: pass",
    ],
  ])("is enforced for %s, at the price of the variables", async (_what, code) => {
    await session.run("mark = 1");
    const result = await session.run(`print('before')\n${code}`, { limits: { timeoutMs: 250 } });
    expect(result).toMatchObject({
      success: false,
      stateLost: true,
      stdout: "before\n",
      error: { kind: "timeout" },
    });
    expect(result.error?.message).toContain("The variables of the session are lost.");
    expect(told(await session.run("mark"))).toContain("NameError");
    expect(told(await session.run("quick()"))).toBe("1");
  });

  it("does not count the wait for host functions, but counts what lies between", async () => {
    const limits: SandboxLimits = { timeoutMs: 400 };
    const waits = "rs = [ask() for _ in range(4)]\nawait asyncio.gather(*[ask() for _ in range(4)])\nlen(rs)";
    expect(told(await session.run(`import asyncio\n${waits}`, { limits }))).toBe("4");
    const mixed = await session.run("ask()\nwhile True: pass", { limits });
    expect(mixed).toMatchObject({ stateLost: false, error: { name: "timeoutMs" } });
  });

  it("leaves no mark on the next cell when it ends just in time", async () => {
    for (let round = 0; round < 8; round += 1) {
      await session.run(
        `import time\nt = time.monotonic()\nwhile time.monotonic() - t < 0.0${round + 1}: pass`,
        {
          limits: { timeoutMs: 50 },
        },
      );
      await expectAlive();
    }
  });
});

describe("the time a cell takes", () => {
  it.each([
    ["never answers", "never()"],
    ["never answers what is awaited", "await never()"],
    ["never answers what is gathered", "import asyncio\nawait asyncio.gather(never(), ask())"],
  ])("is bounded when the host %s", async (_what, code) => {
    const result = await session.run(`mark = 2\n${code}`, { limits: { totalTimeoutMs: 300 } });
    expect(result).toMatchObject({ stateLost: false, error: { kind: "timeout", name: "totalTimeoutMs" } });
    expect(result.error?.traceback).toContain("<cell ");
    expect(told(await session.run("mark"))).toBe("2");
  });

  it.each([
    ["a future", "import asyncio\nawait asyncio.Future()"],
    ["an event", "import asyncio\nawait asyncio.Event().wait()"],
    ["a queue", "import asyncio\nawait asyncio.Queue().get()"],
    [
      "a task that waits itself",
      "import asyncio\nasync def f(): await asyncio.Future()\nawait asyncio.create_task(f())",
    ],
  ])(
    "is not used up by waiting for %s that nothing completes: the cell did not finish",
    async (_what, code) => {
      const result = await session.run(code, { limits: { timeoutMs: 15_000 } });
      expect(result).toMatchObject({ stateLost: false, error: { kind: "runtime", name: "DidNotFinish" } });
      expect(result.error?.message).toContain("did not finish");
      await expectAlive();
    },
  );
});

describe("memory", () => {
  const limits: SandboxLimits = { memoryBytes: 64 * 1024 * 1024 };

  it.each([
    ["one large object", "x = bytearray(1 << 30)"],
    ["many objects", "x = []\nwhile True: x.append(bytearray(1 << 18))"],
    ["small objects", "x = []\nwhile True: x.append(object())"],
    ["a large text", "x = 'é' * (1 << 30)"],
    ["a set", "x = set(range(10 ** 9))"],
  ])("for %s is bounded, and the session goes on", async (_what, code) => {
    await withSession(sandbox, { limits }, async (fresh) => {
      await fresh.run("mark = 1");
      const result = await fresh.run(code, { limits: { timeoutMs: 20_000 } });
      expect(result).toMatchObject({
        success: false,
        stateLost: false,
        error: { kind: "memory", name: "MemoryError", message: expect.stringContaining("67108864 bytes") },
      });
      expect(told(await fresh.run("x = None\nmark"))).toBe("1");
      expect(told(await fresh.run("len(bytearray(1 << 20))"))).toBe("1048576");
    });
  });

  it("that is full of what the guest keeps fails every cell until it lets go", async () => {
    await withSession(sandbox, { limits }, async (fresh) => {
      await fresh.run("x = []\nwhile True: x.append(bytearray(4096))", { limits: { timeoutMs: 20_000 } });
      expect(told(await fresh.run("y = bytearray(1 << 25)"))).toContain("memory MemoryError");
      await fresh.run("x = None");
      expect(told(await fresh.run("y = bytearray(1 << 22)\nlen(y)"))).toBe(String(1 << 22));
    });
  });

  it.runIf(process.platform === "linux")(
    "outside of Python's own is bounded by ending the process",
    async () => {
      await withSession(sandbox, { limits }, async (fresh) => {
        const files = "i = 0\nwhile True:\n    open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))\n    i += 1";
        const result = await fresh.run(files, { limits: { timeoutMs: 30_000 } });
        expect(result).toMatchObject({ success: false, error: { kind: "memory" } });
        expect(told(await fresh.run("1 + 1"))).toBe("2");
      });
    },
  );
});

describe("recursion", () => {
  it.each([
    ["of a function", "def f(n): return f(n + 1)\nf(0)"],
    ["of __repr__", "class R:\n    def __repr__(self): return repr(self)\nrepr(R())"],
    ["of the JSON parser", "import json\njson.loads('[' * 200_000)"],
    ["of a nested list", "x = []\nfor _ in range(20_000): x = [x]\nrepr(x)"],
    [
      "with the recursion limit raised",
      "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(n): return f(n + 1)\nf(0)",
    ],
    ["of a deep copy", "import copy\nx = []\nfor _ in range(20_000): x = [x]\ncopy.deepcopy(x)"],
  ])("%s is an error like others", async (_what, code) => {
    const result = await session.run(code, { limits: { timeoutMs: 15_000 } });
    expect(result).toMatchObject({ stateLost: false, error: { kind: "stack", name: "RecursionError" } });
    expect(result.error?.traceback.length).toBeLessThanOrEqual(10_000);
    await expectAlive();
  });
});

describe("output", () => {
  it("of ten megabytes is cut to its head and tail", async () => {
    const result = await session.run(
      "print('first')\nfor i in range(100_000): print('x' * 99)\nprint('last')",
    );
    expect(result).toMatchObject({ success: true, truncated: true });
    expect(result.stdout.length).toBeLessThanOrEqual(10_000);
    expect(result.stdout).toMatch(/^first\nxxx.*characters left out.*xxx\nlast\n$/s);
  });

  it("of ten megabytes in one piece is, too, without breaking a character", async () => {
    const result = await session.run("print('é😀' * 3_500_000 + 'end')", {
      limits: { maxOutputChars: 1_000 },
    });
    expect(result.stdout.length).toBeLessThanOrEqual(1_000);
    expect(result.stdout).toMatch(/^(?:é😀)+é?\n\[… \d+ characters left out …\]\n😀?(?:é😀)+end\n$/u);
  });

  it("of both streams together keeps the limit", async () => {
    const code = "import sys\nfor i in range(5000):\n    print('o' * 9)\n    print('e' * 9, file=sys.stderr)";
    const { stdout, stderr } = await session.run(code, { limits: { maxOutputChars: 4_000 } });
    expect(stdout.length + stderr.length).toBeLessThanOrEqual(4_000);
    expect(stderr.length).toBeGreaterThan(500);
  });
});

describe("host calls", () => {
  it("are counted, and the cell ends with the first one too many", async () => {
    const code = "n = 0\nwhile True:\n    quick()\n    n += 1";
    const result = await session.run(code, { limits: { maxHostCalls: 10 } });
    expect(result).toMatchObject({ stateLost: false, error: { kind: "host_calls", name: "maxHostCalls" } });
    expect(result.error?.message).toBe("The cell called host functions more than 10 times.");
    expect(told(await session.run("n"))).toBe("10");
  });

  it("that are too many cannot be hidden by `except Exception`", async () => {
    const code = "while True:\n    try: quick()\n    except Exception: pass";
    const result = await session.run(code, { limits: { maxHostCalls: 3 } });
    expect(result.error?.kind).toBe("host_calls");
  });
});

describe("an interpreter that ends", () => {
  it.each([
    ["os._exit", "import os\nos._exit(3)", "exit", "SystemExit"],
    ["os.abort", "import os\nos.abort()", "crash", "InterpreterError"],
    ["broken memory", "import ctypes\nctypes.memset(16, 255, 100_000_000)", "crash", "InterpreterError"],
  ])("by %s is noticed and replaced", async (_what, code, kind, name) => {
    const result = await session.run(`print('before')\n${code}`);
    expect(result).toMatchObject({
      success: false,
      stateLost: true,
      stdout: "before\n",
      error: { kind, name },
    });
    await expectAlive();
  });

  it("takes only its own session with it", async () => {
    await withSession(sandbox, {}, async (other) => {
      await other.run("mark = 1");
      await session.run("import os\nos._exit(1)");
      expect(told(await other.run("mark"))).toBe("1");
    });
  });
});

describe("the host", () => {
  it("is never held up by what guests do", async () => {
    let ticks = 0;
    const ticker = setInterval(() => {
      ticks += 1;
    }, 20);
    const limits: SandboxLimits = { timeoutMs: 300 };
    try {
      for (const code of [
        "while True: pass",
        "while True: print('x' * 1000)",
        "sum(iter(int, 1))",
        "import asyncio\nawait asyncio.gather(*[quick() for _ in range(900)])",
      ]) {
        const before = ticks;
        await session.run(code, { limits });
        // A host that is held up gets to none while the cell runs; a busy machine only to fewer.
        expect(ticks - before, code).toBeGreaterThan(1);
      }
    } finally {
      clearInterval(ticker);
    }
  });
});
