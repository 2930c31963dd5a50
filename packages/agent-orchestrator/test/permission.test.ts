import type { ConfirmCallback, ToolPolicy, ToolRequest } from "@openjarvis/core";
import { spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { calc, calculator, calls, outcomes, setup, toolMessages } from "./setup.js";

const shell = () => spyTool("shell", { requiresConfirmation: true });
const run = (text: string) => ({ name: "shell", arguments: { text } });

describe("a tool that requires confirmation", () => {
  it.each<[string, ConfirmCallback | undefined, RegExp]>([
    ["nobody can be asked", undefined, /nobody to ask/],
    ["the person says no", () => false, /denied by user/],
    [
      "the person says no and why",
      () => ({ allow: false, reason: "not on a Sunday" }),
      /denied by user: not on a Sunday/,
    ],
    ["asking fails", () => Promise.reject(new Error("terminal gone")), /terminal gone/],
    [
      "asking throws",
      () => {
        throw new Error("terminal gone");
      },
      /terminal gone/,
    ],
    ["the answer is nothing", (() => undefined) as unknown as ConfirmCallback, /denied/],
    ["the answer is a text", (() => "yes") as unknown as ConfirmCallback, /denied/],
  ])("is not run when %s; the model reads it and goes on", async (_what, confirm, reason) => {
    const { tool, calls: ran } = shell();
    const { agent, engine, events } = setup([calls(run("rm")), "I may not."], { tools: [tool], confirm });
    const result = await agent.run("q");
    expect(ran).toEqual([]);
    expect(outcomes(result)).toEqual(["!OJ_TOOL_DENIED"]);
    expect(toolMessages(engine.messagesOf(1))[0]?.content).toMatch(reason);
    expect(result.content).toBe("I may not.");
    expect(events.of("TOOL_CALL_END")[0]?.data).toMatchObject({ success: false, code: "OJ_TOOL_DENIED" });
    events.assertBalanced();
  });

  it("is asked about with what it would do, and runs when it is allowed", async () => {
    const { tool, calls: ran } = shell();
    const requests: ToolRequest[] = [];
    const confirm: ConfirmCallback = async (request) => {
      requests.push(request);
      return { allow: true };
    };
    const { agent } = setup([calls({ ...run("ls"), id: "c1" }), "ok"], { tools: [tool], confirm });
    expect(outcomes(await agent.run("q"))).toEqual(["ls"]);
    expect(ran).toEqual([{ text: "ls" }]);
    expect(requests).toEqual([
      expect.objectContaining({
        tool: "shell",
        arguments: { text: "ls" },
        agentId: "orchestrator",
        callId: "c1",
      }),
    ]);
  });

  it("is asked about one call after the other, before any of the turn runs", async () => {
    const order: string[] = [];
    const { tool } = spyTool("shell", {
      requiresConfirmation: true,
      run: ({ text }) => void order.push(`run ${text}`),
    });
    const confirm: ConfirmCallback = async ({ arguments: { text } }) => {
      order.push(`ask ${String(text)}`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`answered ${String(text)}`);
      return text !== "b";
    };
    const { agent } = setup([calls(run("a"), run("b"), run("c")), "ok"], { tools: [tool], confirm });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual(["", "!OJ_TOOL_DENIED", ""]);
    expect(order).toEqual([
      "ask a",
      "answered a",
      "ask b",
      "answered b",
      "ask c",
      "answered c",
      "run a",
      "run c",
    ]);
  });

  it("is not asked about when the call could not run anyway", async () => {
    let asked = 0;
    const confirm = () => {
      asked += 1;
      return true;
    };
    const { agent } = setup(
      [calls({ name: "shell", arguments: "{bad" }, { name: "shell", arguments: {} }), "ok"],
      {
        tools: [shell().tool],
        confirm,
      },
    );
    expect(outcomes(await agent.run("q"))).toEqual(["!OJ_TOOL_ARGUMENTS", "!OJ_TOOL_ARGUMENTS"]);
    expect(asked).toBe(0);
  });
});

describe("a policy", () => {
  const policies: [string, ToolPolicy, string, RegExp | undefined][] = [
    ["allows", () => "allow", "4", undefined],
    ["denies", () => "deny", "!OJ_TOOL_DENIED", /policy does not allow/],
    [
      "denies with a reason",
      () => ({ decision: "deny", reason: "no sums today" }),
      "!OJ_TOOL_DENIED",
      /no sums today/,
    ],
    ["decides later", async () => "allow" as const, "4", undefined],
    [
      "rejects",
      () => Promise.reject(new Error("policy server down")),
      "!OJ_TOOL_DENIED",
      /policy server down/,
    ],
    [
      "throws",
      () => {
        throw new Error("broken policy");
      },
      "!OJ_TOOL_DENIED",
      /broken policy/,
    ],
    ["answers nonsense", (() => "perhaps") as unknown as ToolPolicy, "!OJ_TOOL_DENIED", /policy/],
    ["answers nothing", (() => null) as unknown as ToolPolicy, "!OJ_TOOL_DENIED", /policy/],
    ["wants a person, who is not there", () => "confirm", "!OJ_TOOL_DENIED", /nobody to ask/],
  ];

  it.each(policies)(
    "that %s decides over every call, closed on failure",
    async (_what, policy, outcome, reason) => {
      const { agent, engine } = setup([calls(calc("2+2")), "ok"], { tools: [calculator], policy });
      expect(outcomes(await agent.run("q"))).toEqual([outcome]);
      if (reason !== undefined) expect(toolMessages(engine.messagesOf(1))[0]?.content).toMatch(reason);
    },
  );

  it("cannot take away the question a tool requires", async () => {
    const { tool, calls: ran } = shell();
    const { agent } = setup([calls(run("rm")), "ok"], { tools: [tool], policy: () => "allow" });
    expect(outcomes(await agent.run("q"))).toEqual(["!OJ_TOOL_DENIED"]);
    expect(ran).toEqual([]);
  });

  it("judges each call of a turn by itself", async () => {
    const policy: ToolPolicy = ({ arguments: { expression } }) => (expression === "2+2" ? "deny" : "allow");
    const { agent } = setup([calls(calc("1+1"), calc("2+2"), calc("3+3")), "ok"], {
      tools: [calculator],
      policy,
    });
    expect(outcomes(await agent.run("q"))).toEqual(["2", "!OJ_TOOL_DENIED", "6"]);
  });
});

describe("the tools of a context", () => {
  it("are the only ones offered, run and named to the model in this run", async () => {
    const [one, two] = [spyTool("one"), spyTool("two")];
    const script = [
      calls({ name: "two", arguments: { text: "x" } }, { name: "one", arguments: { text: "y" } }),
      "ok",
    ];
    const { agent, engine } = setup([...script, ...script], { tools: [one.tool, two.tool] });
    const restricted = await agent.run("q", { tools: ["one"] });
    expect(outcomes(restricted)).toEqual(["!OJ_TOOL_NOT_FOUND", "y"]);
    expect(engine.optionsOf(0).tools?.map((tool) => tool.function.name)).toEqual(["one"]);
    const told = toolMessages(engine.messagesOf(1))[0]?.content ?? "";
    expect(told).toContain("Available tools: one.");
    expect(two.calls).toEqual([]);
    expect(outcomes(await agent.run("q"))).toEqual(["x", "y"]);
  });

  it("may be none", async () => {
    const spy = spyTool("one");
    const { agent, engine } = setup([calls({ name: "one", arguments: { text: "x" } }), "ok"], {
      tools: [spy.tool],
    });
    expect(outcomes(await agent.run("q", { tools: [] }))).toEqual(["!OJ_TOOL_NOT_FOUND"]);
    expect(engine.optionsOf(0)).not.toHaveProperty("tools");
    expect(spy.calls).toEqual([]);
  });
});
