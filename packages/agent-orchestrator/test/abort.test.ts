import { spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { calc, calculator, calls, outcomes, setup } from "./setup.js";

/** A tool that never finishes by itself, and aborts the run as soon as it has begun. */
const stuck = (controller: AbortController, listens: boolean) =>
  spyTool("stuck", {
    run: (_params, { signal }) =>
      new Promise((_resolve, reject) => {
        if (listens) signal.addEventListener("abort", () => reject(signal.reason));
        setImmediate(() => controller.abort());
      }),
  }).tool;

const callStuck = { name: "stuck", arguments: { text: "x" } };

describe("an aborted run", () => {
  it("asks nothing when it was aborted before it began", async () => {
    const { agent, engine, events } = setup(["never"], { tools: [calculator] });
    const result = await agent.run("q", {}, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({
      content: "",
      turns: 0,
      toolResults: [],
      metadata: { stopReason: "aborted" },
    });
    expect(engine.callCount).toBe(0);
    expect(events.types).toEqual(["AGENT_TURN_START", "AGENT_TURN_END"]);
  });

  it("ends during an inference call, with the tool results and the text there were", async () => {
    const controller = new AbortController();
    const { agent, engine, events } = setup(
      [
        { text: "First the sum.", toolCalls: [calc("2+2")] },
        () => {
          setImmediate(() => controller.abort());
          return { text: "Then", hang: true };
        },
      ],
      { tools: [calculator] },
    );
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({
      content: "First the sum.",
      turns: 2,
      metadata: { stopReason: "aborted" },
    });
    expect(outcomes(result)).toEqual(["4"]);
    events.assertBalanced();
    expect(events.of("INFERENCE_END").at(-1)?.data.code).toBe("OJ_ABORTED");
    engine.assertDone();
  });

  it.each([true, false])("ends during a tool call whether the tool listens (%s) or not", async (listens) => {
    const controller = new AbortController();
    const { agent, engine, events } = setup([calls(calc("2+2")), calls(callStuck, calc("3+3"))], {
      tools: [calculator, stuck(controller, listens)],
    });
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({ turns: 2, metadata: { stopReason: "aborted" } });
    expect(outcomes(result)).toEqual(["4", "!OJ_ABORTED", "6"]);
    events.assertBalanced();
    engine.assertDone();
  });

  it("does not begin the calls that wait their turn", async () => {
    const controller = new AbortController();
    const spy = spyTool("later");
    const { agent, events } = setup([calls(callStuck, { name: "later", arguments: { text: "x" } })], {
      tools: [stuck(controller, true), spy.tool],
      parallelTools: false,
    });
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(outcomes(result)).toEqual(["!OJ_ABORTED", "!OJ_ABORTED"]);
    expect(spy.calls).toEqual([]);
    events.assertBalanced();
  });

  it("ends while a person is asked, and asks about nothing more", async () => {
    const controller = new AbortController();
    const asked: string[] = [];
    const { tool, calls: ran } = spyTool("shell", { requiresConfirmation: true });
    const confirm = ({ callId }: { callId: string }) => {
      asked.push(callId);
      setImmediate(() => controller.abort());
      return new Promise<boolean>(() => {});
    };
    const call = { name: "shell", arguments: { text: "x" } };
    const { agent, events } = setup([calls(call, call)], { tools: [tool], confirm });
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result.metadata.stopReason).toBe("aborted");
    expect(result.toolResults).toHaveLength(2);
    expect(asked).toHaveLength(1);
    expect(ran).toEqual([]);
    events.assertBalanced();
  });

  it.each<["max_turns" | "loop_guard", number]>([
    ["max_turns", 2],
    ["loop_guard", 20],
  ])("ends during the closing answer after %s", async (_reason, maxTurns) => {
    const controller = new AbortController();
    const { agent, events } = setup(
      (_messages, { tools }) => {
        if (tools !== undefined) return calls(calc("1+1"));
        setImmediate(() => controller.abort());
        return { hang: true };
      },
      { tools: [calculator], maxTurns },
    );
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result.metadata.stopReason).toBe("aborted");
    expect(result.toolResults.length).toBeGreaterThanOrEqual(2);
    events.assertBalanced();
  });

  it("leaves the others alone, and no listener behind on a signal they share", async () => {
    const controller = new AbortController();
    let listeners = 0;
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    const { agent } = setup(
      (messages) => (messages.at(-1)?.role === "tool" ? "done" : calls(calc("1+1"), calc("2+2"))),
      { tools: [calculator] },
    );
    const others = Array.from({ length: 5 }, () => agent.run("q", {}, { signal }));
    const aborted = await agent.run("q", {}, { signal: AbortSignal.abort() });
    expect(aborted.metadata.stopReason).toBe("aborted");
    for (const result of await Promise.all(others)) expect(result.content).toBe("done");
    expect(listeners).toBe(0);
  });
});
