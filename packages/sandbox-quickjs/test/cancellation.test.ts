import { describe, expect, it } from "vitest";
import { failing, ok, sleep, useSandbox } from "./support.js";

// A long grace: whether a cell is interrupted must not depend on how busy the machine is.
const { sandbox, session } = useSandbox({ graceMs: 5000 });
const impatient = useSandbox({ graceMs: 100 });

/** A signal that fires after some milliseconds, when the cell has begun. */
function soon(ms = 300): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), ms);
  return controller.signal;
}

describe("cancelling", () => {
  it.each([
    ["computes", "kept = 2; for (;;) ;"],
    ["computes in jobs", "kept = 2; for (;;) await null"],
    ["waits for a host function", "kept = 2; await hang(); kept = 3"],
    ["waits and catches", "kept = 2; for (;;) { try { await hang() } catch {} }"],
    ["searches", "kept = 2; /(a+)+b/.test('a'.repeat(60))"],
  ])("a cell that %s ends it soon, and the variables stay", async (_what, code) => {
    const s = await session({ functions: { hang: () => new Promise(() => undefined) } });
    await ok(s, "let kept = 1");
    const { error, stateLost, durationSeconds } = await s.run(code, { signal: soon() });
    expect(error?.kind).toBe("cancelled");
    expect(stateLost).toBe(false);
    expect(durationSeconds).toBeLessThan(5);
    expect((await ok(s, "kept")).json).toBe(2);
  });

  it("what cannot be interrupted ends the worker, and says so", async () => {
    const s = await impatient.session();
    await ok(s, "let made = 1");
    const { error, stateLost } = await s.run("new Array(1e9) + ''", { signal: soon() });
    expect(error?.kind).toBe("cancelled");
    expect(stateLost).toBe(true);
    expect((await ok(s, "typeof made")).json).toBe("undefined");
  });

  it("before a cell begins keeps it from running", async () => {
    const s = await session();
    const already = await s.run("globalThis.ran = true", { signal: AbortSignal.abort() });
    expect(already).toMatchObject({ success: false, error: { kind: "cancelled" }, stateLost: false });

    const controller = new AbortController();
    const first = s.run("for (;;) ;", { limits: { timeoutMs: 300 } });
    const second = s.run("globalThis.ran = true", { signal: controller.signal });
    controller.abort();
    let firstIsOver = false;
    void first.then(() => {
      firstIsOver = true;
    });
    expect((await second).error?.kind).toBe("cancelled");
    expect(firstIsOver).toBe(false);
    await first;
    expect((await ok(s, "typeof ran")).json).toBe("undefined");
  });

  it("after a cell has ended is no matter", async () => {
    const s = await session();
    const controller = new AbortController();
    expect((await s.run("1", { signal: controller.signal })).success).toBe(true);
    controller.abort();
    expect((await ok(s, "2")).json).toBe(2);
  });

  it("aborts the host calls of the cell", async () => {
    const reasons: unknown[] = [];
    const s = await session({
      functions: {
        hang: (_args, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              reasons.push((signal.reason as { code?: string }).code);
              reject(signal.reason);
            });
          }),
      },
    });
    await s.run("await Promise.all([hang(), hang()])", { signal: soon() });
    expect(reasons).toEqual(["OJ_ABORTED", "OJ_ABORTED"]);
  });

  it("leaves nothing running that a stopped cell has begun", async () => {
    const s = await session();
    await s.run(
      "let n = 0; const spin = async () => { for (;;) { n++; await null } }; spin(); spin(); await spin()",
      {
        signal: soon(),
      },
    );
    const first = (await ok(s, "n")).json;
    await sleep(20);
    expect((await ok(s, "n")).json).toBe(first);
  });

  it("the wait for a session gives it up", async () => {
    await expect(sandbox.createSession({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: "OJ_ABORTED",
    });
    const controller = new AbortController();
    const waiting = sandbox.createSession({ signal: controller.signal, variables: { x: "y".repeat(1e6) } });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OJ_ABORTED" });
    const s = await session();
    expect((await ok(s, "1")).json).toBe(1);
  });

  it("by a signal of a session that exists changes nothing", async () => {
    const controller = new AbortController();
    const s = await session({ signal: controller.signal });
    controller.abort();
    expect((await ok(s, "1")).json).toBe(1);
  });

  it("of a cell that fails by itself keeps its own error", async () => {
    const s = await session();
    expect((await failing(s, "throw new Error('own')")).message).toBe("own");
  });
});
