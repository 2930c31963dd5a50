import { buildToolDescriptions, defineTool, EventBus, isJarvisError, JarvisError } from "@openjarvis/core";
import { spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { act, calculator, exchange, outcomes, setup, sum, think } from "./setup.js";

const tools = [calculator];

describe("the system prompt", () => {
  const head = `Answer the question, step by step. Write each reply in one of two forms.

To use a tool:
Thought: what you want to find out
Action: the name of one tool
Action Input: a JSON object with its parameters

When you know the answer, or no tool helps:
Thought: why it is the answer
Final Answer: the answer

Stop after Action Input. The result comes back to you as "Observation:"; never write one yourself.

Tools:

`;

  it("teaches the form and describes the tools", async () => {
    const priced = defineTool({
      name: "now",
      description: "The time.",
      category: "utility",
      costEstimate: 1,
      run: () => "noon",
    });
    const { agent, engine } = setup(["ok"], { tools: [calculator, think, priced] });
    await agent.run("q");
    const [system] = engine.messagesOf(0);
    expect(system).toEqual({
      role: "system",
      content: `${head}### calculator
Calculates.
Parameters:
  - expression (string, required): Two whole numbers and +, - or *

### think
Notes a thought.
Parameters:
  - thought (string, required): The thought

### now
The time.
Category: utility`,
    });
    expect(system?.content).toBe(head + buildToolDescriptions([calculator, think, priced]));
  });

  it("says so when there are no tools", async () => {
    const { agent, engine } = setup(["Final Answer: ok"]);
    expect((await agent.run("q")).content).toBe("ok");
    expect(engine.messagesOf(0)[0]?.content).toBe(`${head}No tools available.`);
  });

  it("is one with the user's own prompt and the system texts of the context, in this order", async () => {
    const { agent, engine } = setup(["Final Answer: Ana"], { tools, systemPrompt: "You are Jarvis." });
    const conversation = [
      { role: "system" as const, content: "Speak plainly." },
      { role: "user" as const, content: "my name is Ana" },
      { role: "assistant" as const, content: "ok" },
      { role: "system" as const, content: "Be brief." },
    ];
    const result = await agent.run("what is my name?", { conversation });
    expect(result.content).toBe("Ana");
    expect(engine.messagesOf(0)).toEqual([
      {
        role: "system",
        content: `${head}${buildToolDescriptions(tools)}\n\nYou are Jarvis.\n\nSpeak plainly.\n\nBe brief.`,
      },
      { role: "user", content: "my name is Ana" },
      { role: "assistant", content: "ok" },
      { role: "user", content: "what is my name?" },
    ]);
  });

  it("describes and allows the tools of the context alone", async () => {
    const [one, two] = [spyTool("one"), spyTool("two")];
    const script = [`${act("two", '{"text":"x"}')}\n${act("one", '{"text":"y"}')}`, "Final Answer: ok"];
    const { agent, engine } = setup([...script, ...script], { tools: [one.tool, two.tool] });
    expect(outcomes(await agent.run("q", { tools: ["one"] }))).toEqual(["!OJ_TOOL_NOT_FOUND", "y"]);
    expect(engine.messagesOf(0)[0]?.content).toContain("### one");
    expect(engine.messagesOf(0)[0]?.content).not.toContain("### two");
    expect(engine.messagesOf(1).at(-1)?.content).toContain("Available tools: one.");
    expect(two.calls).toEqual([]);
    expect(outcomes(await agent.run("q"))).toEqual(["x", "y"]);
  });
});

describe("what the engine is asked", () => {
  it("has a stop at observations, no functions, and the agent's settings", async () => {
    const { agent, engine } = setup([sum("1+1"), "Final Answer: 2"], {
      tools,
      temperature: 0.1,
      maxTokens: 77,
    });
    await agent.run("q");
    for (const { options } of engine.calls) {
      expect(options).toMatchObject({ stop: ["\nObservation:"], temperature: 0.1, maxTokens: 77 });
      expect(options).not.toHaveProperty("tools");
    }
  });

  it("grows by one reply and one observation a turn", async () => {
    const { agent, engine } = setup([sum("1+1"), sum("2+2"), sum("3+3"), "Final Answer: done"], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "done", turns: 4 });
    expect(exchange(engine.messagesOf(3))).toEqual([
      sum("1+1"),
      "Observation: 2",
      sum("2+2"),
      "Observation: 4",
      sum("3+3"),
      "Observation: 6",
    ]);
  });

  it("never loses the question or the last exchange when the model's window is small", async () => {
    const long = spyTool("long", { run: () => "data ".repeat(600) });
    let asked = 0;
    const { agent, engine } = setup(
      () => {
        asked += 1;
        return asked < 8 ? act("long", `{"text":"${asked}"}`) : "Final Answer: done";
      },
      { tools: [long.tool], maxTokens: 256 },
      { capabilities: { contextLength: 4096 } },
    );
    const question = `${"paste ".repeat(200)}What is it?`;
    const result = await agent.run(question);
    expect(result).toMatchObject({ content: "done", turns: 8 });
    for (const [index, { messages }] of engine.calls.entries()) {
      expect(messages[0]?.role).toBe("system");
      expect(messages.filter(({ content }) => content === question)).toHaveLength(1);
      const chars = messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
      expect(chars / 4).toBeLessThan(4096 - 256);
      if (index > 0) expect(messages.at(-1)?.content).toBe(`Observation: ${"data ".repeat(600)}`);
    }
  });
});

describe("the guard against repetition", () => {
  it("warns in the observation, blocks, and asks for the answer", async () => {
    const spy = spyTool("echo");
    const { agent, engine, events } = setup(
      (messages) =>
        /No more tool calls/.test(messages.at(-1)?.content ?? "")
          ? "Thought: enough\nFinal Answer: stopped"
          : act("echo", '{"text":"x"}'),
      { tools: [spy.tool], maxTurns: 20 },
    );
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "stopped", turns: 6, metadata: { stopReason: "loop_guard" } });
    expect(spy.calls).toHaveLength(4);
    expect(outcomes(result)).toEqual(["x", "x", "x", "x", "!OJ_LOOP_GUARD", "!OJ_LOOP_GUARD"]);
    const observed = exchange(engine.messagesOf(-1)).filter((text) => text?.startsWith("Observation:"));
    expect(observed.slice(0, 3)).toEqual(Array(3).fill("Observation: x"));
    expect(observed[3]).toMatch(/^Observation: x\n\[Loop guard: .*the next repetition is blocked\.\]$/);
    expect(observed[4]).toMatch(/^Observation: Error: Loop guard: .* The call was not run\.$/);
    expect(events.of("LOOP_GUARD_TRIGGERED").map(({ data }) => data.blocked)).toEqual([false, true, true]);
    events.assertBalanced();
    const again = await agent.run("q");
    expect(again.toolResults.slice(0, 4).every(({ success }) => success)).toBe(true);
  });

  it("sees through the way a call is written", async () => {
    const ways = [
      sum("1+1"),
      act("Calculator", "1+1"),
      "Action: calculator('1+1')",
      '{"action":"calculator","action_input":{"expression":"1+1"}}',
      "Final Answer: 2",
    ];
    const { agent, events } = setup(ways, { tools });
    expect(outcomes(await agent.run("q"))).toEqual(["2", "2", "2", "2"]);
    expect(events.of("LOOP_GUARD_TRIGGERED")).toHaveLength(1);
  });
});

describe("the end of the turns", () => {
  const endless = (last: string | Error) => (messages: readonly { content?: string | null }[]) => {
    if (/No more tool calls/.test(messages.at(-1)?.content ?? "")) return last;
    return `Thought: still working\n${sum(`${messages.length}+1`).replace(/^.*\n/, "")}`;
  };

  it.each<[string, string | Error, string]>([
    ["a labelled answer", "Thought: so\nFinal Answer: about 6", "about 6"],
    ["a plain answer", "About 6.", "About 6."],
    ["one more call", `Thought: I would add them\n${sum("9+9").replace(/^.*\n/, "")}`, "I would add them"],
    ["nothing", "", "still working"],
    ["reasoning alone", "<think>hm</think>", "still working"],
    ["a failure", new Error("gone"), "still working"],
  ])("asks for the best answer; %s leaves no labels", async (_what, last, content) => {
    const { agent, events } = setup(endless(last), { tools, maxTurns: 3 });
    const result = await agent.run("q");
    expect(result).toMatchObject({
      content,
      turns: 3,
      metadata: { stopReason: "max_turns", maxTurnsExceeded: true, inferenceCalls: 4 },
    });
    expect(result.toolResults).toHaveLength(3);
    events.assertBalanced();
  });

  it("says so when there is nothing to say", async () => {
    const { agent } = setup(["Action: calculator\nAction Input: 1+1", ""], { tools, maxTurns: 1 });
    const result = await agent.run("q");
    expect(result.content).toBe("Maximum turns reached without a final answer.");
  });

  it("marks a closing answer that was cut", async () => {
    const last = { text: "Final Answer: about", finishReason: "length" };
    const { agent } = setup([sum("1+1"), last], { tools, maxTurns: 1 });
    expect(await agent.run("q")).toMatchObject({ content: "about", metadata: { truncated: true } });
  });
});

describe("failures", () => {
  it("of the engine end the events and are rethrown", async () => {
    const failure = new JarvisError("OJ_ENGINE_SERVER", "The server said 500.");
    const { agent, events } = setup([sum("1+1"), failure], { tools });
    await expect(agent.run("q")).rejects.toSatisfy((error) => isJarvisError(error, "OJ_ENGINE_SERVER"));
    expect(events.of("AGENT_TURN_END").map(({ data }) => data)).toEqual([
      expect.objectContaining({ turns: 2, error: expect.stringContaining("The server said 500.") }),
    ]);
    events.assertBalanced();
  });

  it("of a subscriber leave the run alone", async () => {
    const bus = new EventBus({ onSubscriberError: () => {} });
    bus.subscribe("*", () => {
      throw new Error("broken subscriber");
    });
    const { agent } = setup([sum("1+1"), "Final Answer: 2"], { tools, bus });
    expect(await agent.run("q")).toMatchObject({ content: "2", turns: 2 });
  });

  it("of a tool are observed, and dangerous tools run only when someone allows it", async () => {
    const shell = spyTool("shell", { requiresConfirmation: true });
    const broken = spyTool("broken", {
      run: () => {
        throw new Error("disk on fire");
      },
    });
    const script = [`${act("broken", "x")}\n${act("shell", "rm")}`, "Final Answer: ok"];
    const { agent, engine } = setup([...script], { tools: [broken.tool, shell.tool] });
    expect(outcomes(await agent.run("q"))).toEqual(["!OJ_TOOL_FAILED", "!OJ_TOOL_DENIED"]);
    expect(shell.calls).toEqual([]);
    expect(engine.messagesOf(1).at(-1)?.content).toMatch(
      /^Observation: Error: disk on fire\nObservation: Error: /,
    );
    const allowed = setup([...script], { tools: [broken.tool, shell.tool], confirm: () => true });
    expect(outcomes(await allowed.agent.run("q"))).toEqual(["!OJ_TOOL_FAILED", "rm"]);
  });
});

describe("an aborted run", () => {
  it.each<[string, (n: number) => boolean]>([
    ["during the second turn", (asked) => asked === 2],
    ["during the closing answer", (asked) => asked === 3],
  ])("%s keeps the results and what was said, without labels", async (_when, at) => {
    const controller = new AbortController();
    let asked = 0;
    const { agent, events } = setup(
      () => {
        asked += 1;
        if (!at(asked)) return `Thought: first the sum\n${sum(`${asked}+1`).replace(/^.*\n/, "")}`;
        setImmediate(() => controller.abort());
        return { text: "Thought: the", hang: true };
      },
      { tools, maxTurns: 2 },
    );
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({ content: "first the sum", metadata: { stopReason: "aborted" } });
    expect(result.toolResults.length).toBe(asked - 1);
    events.assertBalanced();
  });

  it("during a continuation keeps the answer so far", async () => {
    const controller = new AbortController();
    const { agent, events } = setup(
      [
        { text: "Final Answer: one, ", finishReason: "length" },
        () => {
          setImmediate(() => controller.abort());
          return { text: "two", hang: true };
        },
      ],
      { tools },
    );
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({ content: "one, ", metadata: { stopReason: "aborted" } });
    events.assertBalanced();
  });

  it("during a corrective turn keeps nothing unreadable", async () => {
    const controller = new AbortController();
    const { agent } = setup(
      [
        "Thought: hmm\nAction:",
        () => {
          controller.abort();
          return "Final Answer: late";
        },
      ],
      { tools },
    );
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({ content: "hmm", turns: 2, metadata: { stopReason: "aborted" } });
  });
});
