import { describe, expect, it, vi } from "vitest";
import { type ConfirmCallback, defineTool, type ToolPolicy } from "../src/index.js";
import { call, guarded, setUp, turn, typesOf } from "./guarded-support.js";

describe("confirmation", () => {
  it("is asked with everything a person must know, and lets the call run", async () => {
    const { tool, runs } = guarded();
    const asked: unknown[] = [];
    const { executor, events } = setUp(tool, {
      agentId: "tester",
      confirm: (request) => {
        asked.push(request);
        return true;
      },
    });
    expect(await executor.execute(call)).toMatchObject({ content: "deleted" });
    expect(asked).toEqual([
      {
        tool: "delete",
        description: "Deletes a file.",
        arguments: { path: "/x" },
        agentId: "tester",
        callId: "c1",
        signal: undefined,
      },
    ]);
    expect(runs).toEqual([{ path: "/x" }]);
    expect(typesOf(events)).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
  });

  it.each<[string, ConfirmCallback | undefined, string]>([
    ["there is nobody to ask", undefined, "it requires confirmation, and there is nobody to ask"],
    ["the answer is no", () => false, "denied by user"],
    [
      "the answer is no with a reason",
      async () => ({ allow: false, reason: "keep it" }),
      "denied by user: keep it",
    ],
    ["the answer is nonsense", () => "yes" as never, "denied by user"],
    ["the answer is nothing", () => undefined as never, "denied by user"],
    ["the answer is null", () => null as never, "denied by user"],
    [
      "asking throws",
      () => {
        throw new Error("no terminal");
      },
      "asking for confirmation failed: no terminal",
    ],
    ["asking rejects", () => Promise.reject(new Error("closed")), "asking for confirmation failed: closed"],
  ])("denies when %s", async (_name, confirm, reason) => {
    const { tool, runs } = guarded();
    const { executor, events } = setUp(tool, confirm === undefined ? {} : { confirm });
    const result = await executor.execute(call);
    expect(result).toMatchObject({
      success: false,
      content: `Tool "delete" was not run: ${reason}.`,
      metadata: { code: "OJ_TOOL_DENIED", arguments: { path: "/x" } },
    });
    expect(runs).toEqual([]);
    expect(typesOf(events)).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
  });

  it("allows with an object that says so", async () => {
    const { tool } = guarded();
    expect(await setUp(tool, { confirm: () => ({ allow: true }) }).executor.execute(call)).toMatchObject({
      success: true,
    });
  });

  it("is not asked for tools that need none, nor for arguments that do not fit", async () => {
    const confirm = vi.fn(() => true);
    await setUp(guarded({}).tool, { confirm }).executor.execute(call);
    await setUp(guarded().tool, { confirm }).executor.execute({ name: "delete", arguments: "{}" });
    expect(confirm).not.toHaveBeenCalled();
  });

  it("is given up when the call is cancelled while somebody thinks", async () => {
    const { tool, runs } = guarded();
    const controller = new AbortController();
    let wanted: AbortSignal | undefined;
    const { executor, events } = setUp(tool, {
      confirm: (request) => {
        wanted = request.signal;
        return new Promise(() => {});
      },
    });
    const done = executor.execute(call, { signal: controller.signal });
    await turn();
    controller.abort();
    expect(await done).toMatchObject({ success: false, metadata: { code: "OJ_ABORTED" } });
    expect(wanted?.aborted).toBe(true);
    expect(runs).toEqual([]);
    expect(typesOf(events)).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
  });

  it("is not asked for a call that is cancelled already", async () => {
    const { tool } = guarded();
    const confirm = vi.fn(() => {
      throw new Error("must not be asked");
    });
    const result = await setUp(tool, { confirm }).executor.execute(call, { signal: AbortSignal.abort() });
    expect(result.metadata.code).toBe("OJ_ABORTED");
    expect(confirm).not.toHaveBeenCalled();
  });

  it("is asked for one call after the other, then the calls run side by side", async () => {
    const log: string[] = [];
    const tool = defineTool({
      name: "delete",
      description: "d",
      requiresConfirmation: true,
      parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      run: async ({ n }) => {
        log.push(`run ${n}`);
        await turn();
        log.push(`end ${n}`);
        return "";
      },
    });
    const confirm: ConfirmCallback = async ({ arguments: { n } }) => {
      log.push(`ask ${n}`);
      await turn();
      log.push(`answer ${n}`);
      return n !== 1;
    };
    const { executor } = setUp(tool, { confirm });
    const results = await executor.executeAll([0, 1, 2].map((n) => ({ name: "delete", arguments: { n } })));
    expect(results.map((result) => result.success)).toEqual([true, false, true]);
    expect(log).toEqual([
      ...["ask 0", "answer 0", "ask 1", "answer 1", "ask 2", "answer 2"],
      ...["run 0", "run 2", "end 0", "end 2"],
    ]);
  });
});

describe("a policy", () => {
  it.each<[string, ToolPolicy, boolean, boolean]>([
    ["allow", () => "allow", false, true],
    ["allow, for a tool that asks", () => "allow", true, false],
    ["deny", () => "deny", false, false],
    ["confirm", () => "confirm", false, false],
    ["an object that allows", async () => ({ decision: "allow" }), false, true],
    ["a mistyped answer", () => "alow" as never, false, false],
    ["nothing", () => undefined as never, false, false],
    ["null", () => null as never, false, false],
    [
      "an exception",
      () => {
        throw new Error("broken");
      },
      false,
      false,
    ],
    ["a rejection", () => Promise.reject(new Error("broken")), false, false],
  ])("that says %s, with nobody to ask, fails closed", async (_name, policy, requiresConfirmation, runs) => {
    const { tool } = guarded({ requiresConfirmation });
    const result = await setUp(tool, { policy }).executor.execute(call);
    expect(result.success).toBe(runs);
    if (!runs) expect(result.metadata.code).toBe("OJ_TOOL_DENIED");
  });

  it("tells the model its reason", async () => {
    const policy: ToolPolicy = () => ({ decision: "deny", reason: "outside the project" });
    const result = await setUp(guarded({}).tool, { policy }).executor.execute(call);
    expect(result.content).toBe('Tool "delete" was not run: outside the project.');
  });

  it("can make a person be asked, and cannot keep one from being asked", async () => {
    const confirm = vi.fn(() => true);
    await setUp(guarded({}).tool, { policy: () => "confirm", confirm }).executor.execute(call);
    await setUp(guarded().tool, { policy: () => "allow", confirm }).executor.execute(call);
    await setUp(guarded().tool, { policy: () => "deny", confirm }).executor.execute(call);
    expect(confirm).toHaveBeenCalledTimes(2);
  });

  it("sees checked arguments", async () => {
    const policy = vi.fn<ToolPolicy>(() => "allow");
    await setUp(guarded({}).tool, { policy }).executor.execute({ name: "delete", arguments: { path: 5 } });
    expect(policy.mock.calls[0]?.[0].arguments).toEqual({ path: "5" });
  });
});
