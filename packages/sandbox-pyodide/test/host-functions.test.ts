import { setTimeout as sleep } from "node:timers/promises";
import type { HostFunction } from "@openjarvis/core";
import { describe, expect, it } from "vitest";
import { testSandbox, told, withSession } from "./helpers/sandbox.js";

const sandbox = testSandbox();

/** Counts how many calls run at the same time. */
function countingAsk() {
  const counts = { now: 0, most: 0 };
  const ask: HostFunction = async ([question]) => {
    counts.now += 1;
    counts.most = Math.max(counts.most, counts.now);
    await sleep(30);
    counts.now -= 1;
    return `re: ${String(question)}`;
  };
  return { ask, counts };
}

const functions: Record<string, HostFunction> = {
  ask: countingAsk().ask,
  echo: (args) => args,
  fail: () => {
    throw new Error("the model is away");
  },
};
const session = await sandbox.createSession({ functions });

describe("a host function", () => {
  it.each([
    ["without await", "r = ask('a')\nr"],
    ["with await", "r = await ask('a')\nr"],
    ["in a function", "def f(q):\n    return ask(q)\nf('a')"],
    ["in a function of an earlier cell", "f('a')"],
    ["in an async function, with await", "async def g(q):\n    return await ask(q)\nawait g('a')"],
    [
      "in an async function, without await",
      "async def g(q):\n    r = ask(q)\n    return r.strip()\nawait g('a')",
    ],
    [
      "in an async function run by asyncio.run",
      "import asyncio\nasync def g():\n    return ask('a')\nasyncio.run(g())",
    ],
    ["in a lambda", "(lambda q: ask(q))('a')"],
    ["by another name", "other = ask\nother('a')"],
    ["as an argument", "str(ask('a'))"],
    ["by another name, with await", "other = ask\nawait other('a')"],
    ["from a dict, with await", "tools = {'ask': ask}\nawait tools['ask']('a')"],
    ["by a function it is passed to", "async def run(f, q):\n    return await f(q)\nawait run(ask, 'a')"],
    ["in a method", "class A:\n    async def go(self):\n        return await ask('a')\nawait A().go()"],
    ["in a generator", "''.join(ask(q) for q in ['a'])"],
    ["in a class body", "class C:\n    r = ask('a')\nC.r"],
    ["as a task", "import asyncio\nt = asyncio.create_task(ask('a'))\nawait t"],
    ["with a timeout", "import asyncio\nawait asyncio.wait_for(ask('a'), 5)"],
    [
      "in a task group",
      "import asyncio\nasync with asyncio.TaskGroup() as tg:\n    t = tg.create_task(ask('a'))\nt.result()",
    ],
    ["in another thread", "import asyncio\nawait asyncio.to_thread(ask, 'a')"],
    ["in an executor", "import asyncio\nawait asyncio.get_running_loop().run_in_executor(None, ask, 'a')"],
  ])("can be called %s", async (_how, code) => {
    expect(told(await session.run(code))).toBe("'re: a'");
  });

  it.each([
    ["asyncio.gather", "await asyncio.gather(*[ask(i) for i in range(8)])"],
    ["asyncio.gather and map", "await asyncio.gather(*map(ask, range(8)))"],
    [
      "asyncio.gather of a list made before",
      "tasks = [ask(i) for i in range(8)]\nawait asyncio.gather(*tasks)",
    ],
    ["tasks in a dict", "ts = {i: ask(i) for i in range(8)}\n[await t for t in ts.values()]"],
    ["tasks appended in a loop", "ts = []\nfor i in range(8):\n    ts.append(ask(i))\n[await t for t in ts]"],
    [
      "async functions",
      "async def one(i):\n    return ask(i)\nawait asyncio.gather(*[one(i) for i in range(8)])",
    ],
    ["as_completed", "[await t for t in asyncio.as_completed([ask(i) for i in range(8)])]"],
    [
      "asyncio.run",
      "async def main():\n    return await asyncio.gather(*[ask(i) for i in range(8)])\nasyncio.run(main())",
    ],
    [
      "a function it is passed to",
      "async def each(f, qs):\n    return await asyncio.gather(*[f(q) for q in qs])\nawait each(ask, range(8))",
    ],
    [
      "map in a function it is passed to",
      "async def each(f, qs):\n    return await asyncio.gather(*map(f, qs))\nawait each(ask, range(8))",
    ],
    [
      "a thread pool",
      "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor(8) as pool:\n    r = list(pool.map(ask, range(8)))\nr",
    ],
    [
      "futures of a thread pool",
      "from concurrent.futures import ThreadPoolExecutor, as_completed\nwith ThreadPoolExecutor() as pool:\n" +
        "    fs = [pool.submit(ask, i) for i in range(8)]\n    r = sorted(f.result() for f in as_completed(fs))\nr",
    ],
  ])("runs many times at once by %s", async (_how, code) => {
    const { ask, counts } = countingAsk();
    await withSession(sandbox, { functions: { ask } }, async (fresh) => {
      const result = await fresh.run(`import asyncio\n${code}`);
      expect(result.error).toBeUndefined();
      expect([...(result.json as string[])].sort()).toEqual(Array.from({ length: 8 }, (_, i) => `re: ${i}`));
    });
    expect(counts.most).toBe(8);
  });

  it.each(["add", "map", "values", "gather", "run", "wait", "list", "append"])(
    "can be named %s, as other functions are that this depends on",
    async (name) => {
      await withSession(sandbox, { functions: { [name]: ([n]) => `re: ${String(n)}` } }, async (fresh) => {
        const code = `import asyncio\nts = [${name}(n) for n in 'ab']\n(await asyncio.gather(*ts, ${name}(3)), ${name}(4))`;
        expect(told(await fresh.run(code))).toBe("(['re: a', 're: b', 're: 3'], 're: 4')");
      });
    },
  );

  it("gives its results, not awaitables, where nothing awaits them", async () => {
    expect(told(await session.run("rs = [ask(q) for q in 'ab']\nrs"))).toBe("['re: a', 're: b']");
    expect(told(await session.run("{q: ask(q) for q in 'a'}"))).toBe("{'a': 're: a'}");
    expect(told(await session.run("list(map(ask, 'ab'))"))).toBe("['re: a', 're: b']");
  });

  it.each([
    [
      "a method of its own name",
      "class Runner:\n    def run(self, q): return q.upper()\nRunner().run(ask('a'))",
      "'RE: A'",
    ],
    ["a function of its own", "def run(q): return q.upper()\nrun(ask('a'))", "'RE: A'"],
    ["such a function of an earlier cell", "run(ask('b'))", "'RE: B'"],
    ["an argument of what is awaited", "async def up(q): return q.upper()\nawait up(ask('a'))", "'RE: A'"],
    ["asyncio under another name", "import asyncio as aio\nawait aio.gather(ask('a'))", "['re: a']"],
    ["functions imported from asyncio", "from asyncio import gather as g\nawait g(ask('a'))", "['re: a']"],
    ["such functions in a later cell", "await g(ask('a'), ask('b'))", "['re: a', 're: b']"],
  ])("tells what awaits from %s", async (_what, code, shown) => {
    expect(told(await session.run(code))).toBe(shown);
  });

  it("keeps the order of results, and the rest when one fails", async () => {
    const code = "import asyncio\nawait asyncio.gather(ask(1), fail(), ask(2), return_exceptions=True)";
    expect(told(await session.run(code))).toBe("['re: 1', HostError('the model is away'), 're: 2']");
  });

  it("lets other tasks go on while it is awaited", async () => {
    const code =
      "import asyncio\nseen = []\nasync def tick():\n    for i in range(3):\n        seen.append(i)\n" +
      "        await asyncio.sleep(0.001)\nt = asyncio.create_task(tick())\nawait ask('a')\nlen(seen)";
    expect(told(await session.run(code))).toBe("3");
  });

  it("answers a loop that only polls", async () => {
    const code =
      "import asyncio\nt = asyncio.ensure_future(ask('a'))\nwhile not t.done():\n    await asyncio.sleep(0)\nt.result()";
    expect(told(await session.run(code))).toBe("'re: a'");
  });

  it("does not disturb long and deep programs", async () => {
    const sum = Array.from({ length: 450 }, () => "1").join(" + ");
    expect(told(await session.run(`ask('a')\n${sum}`))).toBe("450");
    const long = Array.from({ length: 3_000 }, (_, n) => `x${n} = [${n}, {'k': (${n},)}]`).join("\n");
    expect(told(await session.run(`${long}\nask('a')\nx2999`))).toBe("[2999, {'k': (2999,)}]");
    const deep = `${"[".repeat(90)}ask('a')${"]".repeat(90)}`;
    expect(told(await session.run(deep))).toBe(`${"[".repeat(90)}'re: a'${"]".repeat(90)}`);
  });

  it("can be replaced by the guest, which then gets what it wrote", async () => {
    await withSession(sandbox, { functions }, async (fresh) => {
      expect(told(await fresh.run("def ask(q):\n    return q * 2\nask('a')"))).toBe("'aa'");
      expect(told(await fresh.run("[ask(q) for q in 'ab']"))).toBe("['aa', 'bb']");
    });
  });
});

describe("the arguments of a host function", () => {
  it.each([
    ["1, 'b', None, True, 1.5", "[1, 'b', None, True, 1.5]"],
    ["[1, (2, 3)], {'k': {'d': []}}", "[[1, [2, 3]], {'k': {'d': []}}]"],
    ["'é😀\\n'", "['é😀\\n']"],
    ["1, limit=2, mode='x'", "[1, {'limit': 2, 'mode': 'x'}]"],
    ["mode='x'", "[{'mode': 'x'}]"],
    ["", "[]"],
  ])("%s arrive as JSON, keywords as one object at the end", async (args, shown) => {
    expect(told(await session.run(`echo(${args})`))).toBe(shown);
  });

  it.each(["{1, 2}", "object()", "float('nan')", "b'x'"])(
    "that are no JSON (%s) are refused",
    async (args) => {
      const { error } = await session.run(`echo(${args})`);
      expect(error?.name).toBe("TypeError");
      expect(error?.message).toContain("echo() takes JSON values only");
    },
  );

  it("that are too long are refused", async () => {
    expect(told(await session.run("echo('x' * 20_000_000)"))).toContain(
      "ValueError: the arguments of echo() have",
    );
  });

  it("of some megabytes arrive whole", async () => {
    const seen: unknown[] = [];
    const take: HostFunction = ([text]) => {
      seen.push(String(text).length);
      return String(text);
    };
    await withSession(sandbox, { functions: { take } }, async (fresh) => {
      expect(told(await fresh.run("t = 'é' * 5_000_000\ntake(t) == t"))).toBe("True");
    });
    expect(seen).toEqual([5_000_000]);
  });

  it("cannot pollute the host's prototypes", async () => {
    const seen: unknown[] = [];
    const take: HostFunction = ([value]) => {
      seen.push(Object.assign({}, value));
      return JSON.parse('{"__proto__": {"polluted": 1}}');
    };
    await withSession(sandbox, { functions: { take } }, async (fresh) => {
      const sent = "{'__proto__': {'polluted': 1}, 'a': 1, 'constructor': {'prototype': {'polluted': 1}}}";
      const result = await fresh.run(`take(${sent})\n${sent}`);
      expect(seen).toEqual([{ a: 1 }]);
      expect(result.json).toEqual({ a: 1 });
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    });
  });
});

describe("the answer of a host function", () => {
  it.each([
    [undefined, "None"],
    [null, "None"],
    ["text", "'text'"],
    [12.5, "12.5"],
    [{ list: [1, { deep: true }] }, "{'list': [1, {'deep': True}]}"],
  ])("%j arrives as %s", async (answer, shown) => {
    await withSession(sandbox, { functions: { give: () => answer } }, async (fresh) => {
      expect(told(await fresh.run("repr(give())"))).toBe(
        JSON.stringify(shown).replaceAll('"', shown.includes("'") ? '"' : "'"),
      );
    });
  });

  it.each([
    [
      "a thrown error",
      () => {
        throw new Error("the model is away");
      },
      "the model is away",
    ],
    [
      "a rejection",
      async () => {
        throw new TypeError("no such thing");
      },
      "no such thing",
    ],
    [
      "a thrown text",
      () => {
        throw "just text";
      },
      "just text",
    ],
    [
      "nothing at all that was thrown",
      () => {
        throw undefined;
      },
      "unknown error",
    ],
    [
      "a cycle",
      () => {
        const a: unknown[] = [];
        a.push(a);
        return a;
      },
      "The result of give is not a JSON value",
    ],
    ["a BigInt", () => 1n, "The result of give is not a JSON value"],
    ["a function", () => () => 1, "The result of give is not a JSON value: it is a function"],
    [
      "a getter that throws",
      () => ({
        get a() {
          throw new Error("trap");
        },
      }),
      "trap",
    ],
  ] satisfies [string, HostFunction, string][])(
    "%s is an exception with the message",
    async (_what, give, message) => {
      await withSession(sandbox, { functions: { give } }, async (fresh) => {
        const code = "try:\n    give()\nexcept Exception as error:\n    print(type(error).__name__, error)";
        for (let round = 0; round < 2; round += 1) {
          const { stdout } = await fresh.run(code);
          expect(stdout).toMatch(/^HostError /);
          expect(stdout).toContain(message);
        }
        expect(told(await fresh.run("1 + 1"))).toBe("2");
      });
    },
  );

  it("that is an error shows the guest's line, and no line of the host", async () => {
    const { error } = await session.run("x = 1\nfail()");
    expect(error).toMatchObject({ kind: "runtime", name: "HostError", message: "the model is away" });
    expect(error?.traceback).toMatch(/line 2, in <module>\n {4}fail\(\)\n/);
    expect(error?.traceback).not.toMatch(/host-functions|\.ts|openjarvis/);
  });

  it("is dropped when it comes after its cell, and its signal has fired", async () => {
    const signals: AbortSignal[] = [];
    const slow: HostFunction = async (_args, { signal }) => {
      signals.push(signal);
      await sleep(10_000, undefined, { signal }).catch(() => undefined);
      return "late";
    };
    await withSession(sandbox, { functions: { slow } }, async (fresh) => {
      await fresh.run("import asyncio\nt = asyncio.ensure_future(slow())\nawait asyncio.sleep(0.02)");
      expect(signals.map((signal) => signal.aborted)).toEqual([true]);
      expect(told(await fresh.run("1 + 1"))).toBe("2");
      expect(told(await fresh.run("await t"))).toContain("CancelledError");
    });
  });
});
