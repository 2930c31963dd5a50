import { defineTool } from "@openjarvis/core";
import { describe, expect, it, vi } from "vitest";
import { block, outcomes, setup, TestInterpreter } from "./setup.js";

describe("a session", () => {
  it("is closed when the run is aborted in a program", async () => {
    const controller = new AbortController();
    const { agent, interpreter, events } = setup([block("print('a')\nawait forever()")]);
    const running = agent.run("go", {}, { signal: controller.signal });
    await vi.waitFor(() => expect(interpreter.cells).toHaveLength(1), { timeout: 10_000 });
    controller.abort();
    const result = await running;
    expect(result.metadata.stopReason).toBe("aborted");
    expect(interpreter.sessions).toHaveLength(1);
    expect(interpreter.open).toBe(0);
    expect(events.of("TOOL_CALL_START")).toHaveLength(1);
    expect(events.of("TOOL_CALL_END")).toHaveLength(1);
    expect(events.of("AGENT_TURN_END")).toHaveLength(1);
    events.assertBalanced();
  });

  it("is closed when the engine fails", async () => {
    const { agent, interpreter, events } = setup([block("1"), new Error("HTTP 400")]);
    await expect(agent.run("go")).rejects.toThrow("HTTP 400");
    expect(interpreter.sessions).toHaveLength(1);
    expect(interpreter.open).toBe(0);
    expect(events.of("AGENT_TURN_END")[0]?.data).toMatchObject({ turns: 2, error: "HTTP 400" });
  });

  it("is not opened for a run without programs", async () => {
    const { agent, interpreter } = setup(["hello"]);
    await agent.run("hi");
    expect(interpreter.sessions).toHaveLength(0);
  });

  it("belongs to one run of many at once", async () => {
    const { agent, interpreter } = setup((messages) => {
      const input = messages.find(({ role }) => role === "user")?.content ?? "";
      const last = messages.at(-1)?.content ?? "";
      if (last === input) return block(`x = ${input}`);
      return last.startsWith("Output:") && messages.length < 5 ? block("print('x is', x)") : last;
    });
    const results = await Promise.all(["1", "2", "3"].map((input) => agent.run(input)));
    expect(results.map(({ content }) => content)).toEqual(["1", "2", "3"].map((n) => `Output:\nx is ${n}`));
    expect(interpreter.sessions).toHaveLength(3);
    expect(interpreter.open).toBe(0);
  });

  it("is not shared by two runs of one id", async () => {
    const controller = new AbortController();
    const { agent } = setup(() => block("await forever()"));
    const options = { runId: "same", signal: controller.signal };
    const first = agent.run("go", {}, options);
    await expect(agent.run("go", {}, options)).rejects.toThrow('A run with the id "same" is under way');
    controller.abort();
    expect((await first).metadata.stopReason).toBe("aborted");
  });
});

describe("options", () => {
  it("that are unknown or wrong are errors", () => {
    expect(() => setup([], { maxOutputChars: 5 })).toThrow("maxOutputChars");
    expect(() => setup([], { maxOutputChar: 500 } as object)).toThrow('has no option "maxOutputChar"');
  });
});

describe("a tool that a program waits for", () => {
  it("is cancelled with the run, and its events are within those of the run", async () => {
    const controller = new AbortController();
    const wait = defineTool({
      name: "wait",
      description: "Waits for ever.",
      run: () => {
        controller.abort();
        return new Promise<string>(() => {});
      },
    });
    const interpreter = new TestInterpreter();
    const { agent, events } = setup([block("await wait()")], { interpreter, tools: [interpreter, wait] });
    const result = await agent.run("go", {}, { signal: controller.signal });
    expect(result.metadata.stopReason).toBe("aborted");
    expect(outcomes(result).toSorted()).toEqual(["code_interpreter!OJ_ABORTED", "wait!OJ_ABORTED"]);
    events.assertBalanced();
    expect(interpreter.open).toBe(0);
  });
});
