import { describe, expect, it, vi } from "vitest";
import { type BaseTool, defineTool, type ToolExecutorOptions } from "../src/index.js";
import { call, guarded, setUp, turn, typesOf } from "./guarded-support.js";
import { deferred, eventsOf } from "./support.js";

describe("the deadline of a tool", () => {
  it("ends the call promptly, fires the tool's signal, and ignores what comes later", async () => {
    const late = deferred<string>();
    let reason: unknown;
    const tool = defineTool({
      name: "slow",
      description: "d",
      timeoutSeconds: 0.02,
      run: (_params, { signal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        return late.promise;
      },
    });
    const { executor, events } = setUp(tool);
    const result = await executor.execute({ id: "c", name: "slow", arguments: "" });
    expect(result).toMatchObject({
      success: false,
      content: 'Tool "slow" timed out after 0.02 s.',
      metadata: { code: "OJ_TOOL_TIMEOUT" },
    });
    expect(reason).toMatchObject({ code: "OJ_TOOL_TIMEOUT" });
    late.resolve("too late");
    await turn();
    expect(typesOf(events)).toEqual(["TOOL_CALL_START", "TOOL_TIMEOUT", "TOOL_CALL_END"]);
    expect(events[1]?.data).toEqual({ tool: "slow", timeout: 0.02, callId: "c" });
    expect(result.content).toContain("timed out");
  });

  it("does not wait for a tool that never ends and holds no process open", async () => {
    const tool = defineTool({ name: "stuck", description: "d", run: () => new Promise(() => {}) });
    const { executor } = setUp(tool, { timeoutSeconds: 0.02 });
    const results = await executor.executeAll(
      Array.from({ length: 24 }, () => ({ name: "stuck", arguments: "" })),
    );
    expect(results.every((result) => result.metadata.code === "OJ_TOOL_TIMEOUT")).toBe(true);
  });

  it("is the tool's own before the executor's, and 30 seconds without either", async () => {
    vi.useFakeTimers();
    try {
      const make = (timeoutSeconds?: number) =>
        defineTool({
          name: "stuck",
          description: "d",
          ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
          run: () => new Promise(() => {}),
        });
      const timeoutOf = async (tool: BaseTool, options: Partial<ToolExecutorOptions> = {}) => {
        const { executor, events } = setUp(tool, options);
        const done = executor.execute({ name: "stuck", arguments: "" });
        await vi.runAllTimersAsync();
        await done;
        return eventsOf(events, "TOOL_TIMEOUT")[0]?.data.timeout;
      };
      expect(await timeoutOf(make(42), { timeoutSeconds: 5 })).toBe(42);
      expect(await timeoutOf(make(), { timeoutSeconds: 5 })).toBe(5);
      expect(await timeoutOf(make())).toBe(30);
    } finally {
      vi.useRealTimers();
    }
  });

  it("can be infinite", async () => {
    const tool = defineTool({
      name: "t",
      description: "d",
      timeoutSeconds: Number.POSITIVE_INFINITY,
      run: async () => "ok",
    });
    expect(await setUp(tool).executor.execute({ name: "t", arguments: "" })).toMatchObject({ content: "ok" });
  });

  it("leaves the signal of a tool that ended in time alone", async () => {
    let signal: AbortSignal | undefined;
    const tool = defineTool({
      name: "t",
      description: "d",
      timeoutSeconds: 0.02,
      run: (_params, ctx) => {
        signal = ctx.signal;
        return "ok";
      },
    });
    await setUp(tool).executor.execute({ name: "t", arguments: "" });
    await new Promise((resolve) => setTimeout(resolve, 40));
    expect(signal?.aborted).toBe(false);
  });
});

describe("cancelling", () => {
  it("before the call keeps the tool from running", async () => {
    const { tool, runs } = guarded({});
    const { executor, events } = setUp(tool);
    const result = await executor.execute(call, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      success: false,
      content: 'Tool "delete" was cancelled.',
      metadata: { code: "OJ_ABORTED" },
    });
    expect(runs).toEqual([]);
    expect(typesOf(events)).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
  });

  it("during the call ends it at once and fires the tool's signal with the reason", async () => {
    let signal: AbortSignal | undefined;
    const tool = defineTool({
      name: "slow",
      description: "d",
      run: (_params, ctx) => {
        signal = ctx.signal;
        return new Promise(() => {});
      },
    });
    const { executor, events } = setUp(tool);
    const controller = new AbortController();
    const done = executor.execute({ name: "slow", arguments: "" }, { signal: controller.signal });
    await turn();
    controller.abort("stop");
    expect(await done).toMatchObject({ success: false, metadata: { code: "OJ_ABORTED" } });
    expect(signal?.reason).toMatchObject({ code: "OJ_ABORTED", cause: "stop" });
    expect(typesOf(events)).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
  });

  it("reaches a tool that looks at its signal only later", async () => {
    const gate = deferred();
    const seen = deferred<boolean>();
    const tool = defineTool({
      name: "slow",
      description: "d",
      run: async (_params, ctx) => {
        await gate.promise;
        seen.resolve(ctx.signal.aborted);
      },
    });
    const controller = new AbortController();
    const done = setUp(tool).executor.execute({ name: "slow", arguments: "" }, { signal: controller.signal });
    await turn();
    controller.abort();
    await done;
    gate.resolve();
    expect(await seen.promise).toBe(true);
  });

  it("ends all calls of a turn, those that wait for their place too", async () => {
    let runs = 0;
    const tool = defineTool({
      name: "slow",
      description: "d",
      run: () => {
        runs += 1;
        return new Promise(() => {});
      },
    });
    const { executor, events } = setUp(tool, { concurrency: 2 });
    const controller = new AbortController();
    const calls = Array.from({ length: 5 }, (_, n) => ({ id: String(n), name: "slow", arguments: "" }));
    const done = executor.executeAll(calls, { signal: controller.signal });
    await turn();
    controller.abort();
    expect((await done).map((result) => result.metadata.code)).toEqual(Array(5).fill("OJ_ABORTED"));
    expect(runs).toBe(2);
    expect(eventsOf(events, "TOOL_CALL_END")).toHaveLength(5);
  });

  it("leaves no listener on the signal behind", async () => {
    const { tool } = guarded();
    const { executor } = setUp(tool, { confirm: () => true });
    const { signal } = new AbortController();
    const add = vi.spyOn(signal, "addEventListener");
    const remove = vi.spyOn(signal, "removeEventListener");
    await executor.execute(call, { signal });
    expect(add.mock.calls.length).toBeGreaterThan(0);
    expect(remove.mock.calls.length).toBe(add.mock.calls.length);
  });
});
