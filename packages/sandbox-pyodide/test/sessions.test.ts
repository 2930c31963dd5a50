import { setTimeout as sleep } from "node:timers/promises";
import { isJarvisError, type SandboxSessionOptions } from "@openjarvis/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testSandbox, told, withSession } from "./helpers/sandbox.js";

const sandbox = testSandbox({ graceMs: 300 });

/** The code of the error something rejects with. */
async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return isJarvisError(error) ? error.code : `no JarvisError: ${String(error)}`;
}

describe("a session", () => {
  it("runs cells one after the other, in their order", async () => {
    await withSession(sandbox, { functions: { wait: () => sleep(30) } }, async (session) => {
      const codes = ["log = ['a']", "wait()\nlog.append('b')", "log.append('c')\n''.join(log)"];
      const results = await Promise.all(codes.map((code) => session.run(code)));
      expect(results.map(told)).toEqual(["", "", "'abc'"]);
    });
  });

  it("begins with variables, and takes more", async () => {
    const variables = { text: "a\nb é😀", list: [1, { deep: null }], flag: true, number: 1.5, nothing: null };
    await withSession(sandbox, { variables }, async (session) => {
      expect(told(await session.run("text, list, flag, number, nothing"))).toBe(
        "('a\\nb é😀', [1, {'deep': None}], True, 1.5, None)",
      );
      await session.set("text", ["other"]);
      expect(told(await session.run("text"))).toBe("['other']");
    });
  });

  it("gives back every JSON value as it was", async () => {
    await withSession(sandbox, {}, async (session) => {
      const values = fc.jsonValue().filter((value) => !/__proto__|prototype/.test(JSON.stringify(value)));
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          await session.set("value", value);
          const { json, error } = await session.run("value");
          expect(error).toBeUndefined();
          // A number that is whole in JavaScript may be larger than what survives as JSON.
          if (value !== null && json !== undefined) expect(json).toEqual(JSON.parse(JSON.stringify(value)));
        }),
        { numRuns: 60 },
      );
    });
  });

  it("holds a variable of many megabytes", async () => {
    await withSession(sandbox, { limits: { memoryBytes: 256 * 1024 * 1024 } }, async (session) => {
      const text = "0123456789abcdé\n".repeat(1_250_000);
      await session.set("text", text);
      expect(told(await session.run("len(text), text.count('é'), text[-3:]"))).toBe(
        "(20000000, 1250000, 'dé\\n')",
      );
    });
  });

  it("refuses a variable that does not fit into its memory, and goes on", async () => {
    await withSession(sandbox, { limits: { memoryBytes: 16 * 1024 * 1024 } }, async (session) => {
      expect(await codeOf(session.set("text", "x".repeat(64 * 1024 * 1024)))).toBe("OJ_OPTION");
      expect(told(await session.run("1 + 1"))).toBe("2");
    });
  });

  it("forgets all variables when it is reset, and what was done to the builtins", async () => {
    const options = { variables: { given: 1 }, functions: { ask: () => "yes" } };
    await withSession(sandbox, options, async (session) => {
      await session.run("own = 1\nask = None\nimport builtins\nbuiltins.print = None");
      await session.reset();
      expect(told(await session.run("[n for n in ('given', 'own') if n in globals()]"))).toBe("[]");
      expect(told(await session.run("print(ask())"))).toBe("yes\n");
    });
  });

  it("has what the host put in again after its interpreter had to be ended", async () => {
    await withSession(sandbox, { variables: { given: 1 } }, async (session) => {
      await session.set("later", 2);
      await session.run("own = 3");
      expect(await session.run("import os\nos._exit(1)")).toMatchObject({ stateLost: true });
      expect(told(await session.run("given, later, 'own' in globals()"))).toBe("(1, 2, False)");
    });
  });

  it("holds a bounded number of cells", async () => {
    const session = await sandbox.createSession({ functions: { wait: () => sleep(200) } });
    const runs = Array.from({ length: 300 }, () => session.run("wait()"));
    const full = (await Promise.all(runs.slice(-44))).map((result) => result.error?.name);
    expect(new Set(full)).toEqual(new Set(["QueueFull"]));
    expect(await codeOf(session.set("x", 1))).toBe("OJ_OPTION");
    await session.close();
    const first = await Promise.all(runs.slice(0, 256));
    expect(first.every((result) => result.error?.kind === "cancelled")).toBe(true);
  });
});

describe("a cell that is cancelled", () => {
  it.each([
    ["computes", "while True: pass"],
    ["sleeps", "import time\ntime.sleep(60)"],
    ["waits for the host", "never()"],
    ["awaits the host", "await never()"],
    ["sleeps asynchronously", "import asyncio\nawait asyncio.sleep(60)"],
  ])("while it %s ends, and the variables are kept", async (_how, code) => {
    const signals: AbortSignal[] = [];
    const never = (_args: readonly unknown[], call: { signal: AbortSignal }) => {
      signals.push(call.signal);
      return new Promise(() => undefined);
    };
    await withSession(sandbox, { functions: { never } }, async (session) => {
      await session.run("mark = 1");
      const controller = new AbortController();
      const run = session.run(code, { signal: controller.signal });
      await sleep(150);
      controller.abort();
      expect(await run).toMatchObject({
        success: false,
        stateLost: false,
        error: { kind: "cancelled", name: "AbortError" },
      });
      expect(signals.every((signal) => signal.aborted)).toBe(true);
      expect(told(await session.run("mark"))).toBe("1");
    });
  });

  it("before its turn does not run, and does not wait for the one before", async () => {
    await withSession(sandbox, { functions: { wait: () => sleep(300) } }, async (session) => {
      const controller = new AbortController();
      const first = session.run("wait()\nran = 'first'");
      const second = session.run("ran = 'second'", { signal: controller.signal });
      controller.abort();
      expect((await second).error?.kind).toBe("cancelled");
      await first;
      expect(told(await session.run("ran"))).toBe("'first'");
      expect((await session.run("ran = 1", { signal: AbortSignal.abort() })).error?.kind).toBe("cancelled");
    });
  });

  it("and does not stop is ended with its interpreter", async () => {
    await withSession(sandbox, {}, async (session) => {
      const run = session.run("sum(iter(int, 1))", { signal: AbortSignal.timeout(100) });
      expect(await run).toMatchObject({ stateLost: true, error: { kind: "cancelled" } });
      expect(told(await session.run("1"))).toBe("1");
    });
  });
});

describe("closing", () => {
  it("a session ends the cell that runs and those that wait; later calls are refused", async () => {
    const session = await sandbox.createSession();
    const runs = [session.run("while True: pass"), session.run("1")];
    await sleep(100);
    await Promise.all([session.close(), session.close()]);
    expect((await Promise.all(runs)).map((result) => result.error?.kind)).toEqual(["cancelled", "cancelled"]);
    expect(await codeOf(session.run("1"))).toBe("OJ_CLOSED");
    expect(await codeOf(session.set("x", 1))).toBe("OJ_CLOSED");
    expect(await codeOf(session.reset())).toBe("OJ_CLOSED");
  });

  it("a sandbox closes its sessions, and those that start", async () => {
    const other = testSandbox();
    const session = await other.createSession();
    const starting = codeOf(other.createSession());
    other.warm();
    await other.close();
    await other.close();
    expect(await codeOf(session.run("1"))).toBe("OJ_CLOSED");
    expect(await starting).toBe("OJ_CLOSED");
    expect(await codeOf(other.createSession())).toBe("OJ_CLOSED");
    expect(() => other.warm()).toThrow("closed");
  });
});

describe("creating a session", () => {
  it("ends when its signal fires", async () => {
    expect(await codeOf(sandbox.createSession({ signal: AbortSignal.abort() }))).toBe("OJ_ABORTED");
    const controller = new AbortController();
    const creating = codeOf(sandbox.createSession({ signal: controller.signal }));
    controller.abort();
    expect(await creating).toBe("OJ_ABORTED");
  });

  it("is refused when as many are open as may be", async () => {
    const small = testSandbox({ maxSessions: 1 });
    const first = await small.createSession();
    expect(await codeOf(small.createSession())).toBe("OJ_OPTION");
    await first.close();
    await (await small.createSession()).close();
  });

  it.each([
    ["a name with spaces", { variables: { "not a name": 1 } }, "no Python identifier"],
    ["a keyword", { variables: { class: 1 } }, "no Python identifier"],
    ["a name Python reads otherwise", { variables: { ﬁ: 1 } }, "no Python identifier"],
    ["a name of the sandbox", { variables: { __builtins__: 1 } }, "the sandbox uses it itself"],
    ["undefined", { variables: { x: undefined } }, "undefined"],
    ["a BigInt", { variables: { x: 1n } }, "not a JSON value"],
    ["a function with a hyphen", { functions: { "a-b": () => 1 } }, "no Python identifier"],
    ["a function that is none", { functions: { x: 1 as never } }, "no function"],
    ["one name for two things", { functions: { x: () => 1 }, variables: { x: 1 } }, "is a host function"],
    ["an impossible limit", { limits: { timeoutMs: 0 } }, "timeoutMs"],
    ["an unknown limit", { limits: { memory: 1 } as never }, "memory"],
    ["an unknown option", { limit: {} } as never, "limit"],
  ] satisfies [string, SandboxSessionOptions, string][])(
    "is refused for %s",
    async (_what, options, message) => {
      const error: unknown = await sandbox.createSession(options).catch((reason: unknown) => reason);
      expect(isJarvisError(error, "OJ_OPTION")).toBe(true);
      expect(String((error as Error).message)).toContain(message);
    },
  );

  it("takes any name that Python takes", async () => {
    await withSession(sandbox, { variables: { größe: 1, _x1: 2, 変数: 3 } }, async (session) => {
      expect(told(await session.run("größe + _x1 + 変数"))).toBe("6");
    });
  });
});
