import { describe, expect, it } from "vitest";
import { defineTool, type ToolResult } from "../src/index.js";
import { setUp } from "./executor-support.js";
import { deferred } from "./support.js";

describe("executeAll", () => {
  it("runs calls side by side and gives results in the order of the calls", async () => {
    const gates = [deferred(), deferred(), deferred()];
    const started: number[] = [];
    const tool = defineTool({
      name: "wait",
      description: "d",
      parameters: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      run: async ({ n }) => {
        started.push(n);
        await gates[n]?.promise;
        return `done ${n}`;
      },
    });
    const { executor } = setUp({ tools: [tool] });
    const all = executor.executeAll(
      [0, 1, 2].map((n) => ({ id: String(n), name: "wait", arguments: { n } })),
    );
    for (const gate of gates.toReversed()) {
      await new Promise((resolve) => setImmediate(resolve));
      gate.resolve();
    }
    expect((await all).map((result) => result.content)).toEqual(["done 0", "done 1", "done 2"]);
    expect(started).toEqual([0, 1, 2]);
  });

  it("runs no more at once than its concurrency, and all of them", async () => {
    let running = 0;
    let most = 0;
    const tool = defineTool({
      name: "wait",
      description: "d",
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return "ok";
      },
    });
    const { executor } = setUp({ tools: [tool], concurrency: 3 });
    const results = await executor.executeAll(
      Array.from({ length: 20 }, () => ({ name: "wait", arguments: "" })),
    );
    expect(results.map((result) => result.content)).toEqual(Array(20).fill("ok"));
    expect(most).toBe(3);
  });

  it("answers each of several calls, the broken ones too, in order", async () => {
    const { executor, events } = setUp();
    const results = await executor.executeAll([
      { id: "a", name: "calculator", arguments: { expression: "1+1" } },
      { id: "b", name: "nope", arguments: "{}" },
      { id: "c", name: "calculator", arguments: "{bad" },
    ]);
    expect(results.map((result) => result.success)).toEqual([true, false, false]);
    for (const id of ["a", "b", "c"]) {
      const own = events.filter((event) => (event.data as { callId?: string }).callId === id);
      expect(own.map((event) => event.type)).toEqual(["TOOL_CALL_START", "TOOL_CALL_END"]);
    }
  });

  it("gives nothing for nothing", async () => {
    expect(await setUp().executor.executeAll([])).toEqual([]);
  });
});

describe("toMessage", () => {
  const call = { id: "call_1", name: "now" };
  const result = (content: string, success = true): ToolResult => ({
    toolName: "now",
    content,
    success,
    usage: {},
    costUsd: 0,
    latencySeconds: 0,
    metadata: {},
  });

  it("answers the call by its id and name", () => {
    expect(setUp().executor.toMessage(call, result("noon"))).toEqual({
      role: "tool",
      content: "noon",
      toolCallId: "call_1",
      name: "now",
    });
  });

  it("marks a failure once", () => {
    const { executor } = setUp();
    expect(executor.toMessage(call, result("no clock", false)).content).toBe("Error: no clock");
    expect(executor.toMessage(call, result("Error: no clock", false)).content).toBe("Error: no clock");
  });

  it("keeps head and tail of a long text within its cap, and the note whole", () => {
    const { executor } = setUp({ maxResultChars: 200 });
    const text = `HEAD${"x".repeat(10_000)}TAIL`;
    const message = executor.toMessage(call, result(text), "[Loop guard: again]");
    const [content, note] = message.content?.split(/\n(?=\[Loop)/) ?? [];
    expect(content?.length).toBeLessThanOrEqual(200);
    expect(content).toMatch(/^HEADx+\n\[… \d+ characters left out …\]\nx+TAIL$/);
    expect(note).toBe("[Loop guard: again]");
  });
});
