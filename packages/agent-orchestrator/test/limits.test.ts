import { JarvisError } from "@openjarvis/core";
import { type ScriptedReply, type ScriptedStep, spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { calc, calculator, calls, outcomes, setup, toolMessages } from "./setup.js";

const fallback = "Maximum turns reached without a final answer.";

/** A model that calls the calculator with something new for ever; without tools it says `closing`. */
function endless(text: string, closing: ScriptedStep = "Closing answer.") {
  let count = 0;
  return (
    _messages: unknown,
    { tools }: { tools?: unknown },
  ): Exclude<ScriptedStep, (...args: never) => unknown> => {
    count += 1;
    if (tools === undefined) return closing as ScriptedReply;
    return { text, toolCalls: [calc(`${count}+1`)] };
  };
}

describe("a run whose turns are used up", () => {
  it.each([1, 3])("ends after %i turns with one call without tools for the best answer", async (maxTurns) => {
    const { agent, engine, events } = setup(endless("still working"), { tools: [calculator], maxTurns });
    const result = await agent.run("q");
    expect(result).toMatchObject({
      content: "Closing answer.",
      turns: maxTurns,
      metadata: { stopReason: "max_turns", maxTurnsExceeded: true, inferenceCalls: maxTurns + 1 },
    });
    expect(result.toolResults).toHaveLength(maxTurns);
    expect(engine.optionsOf(-1)).not.toHaveProperty("tools");
    expect(engine.messagesOf(-1).at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("best answer"),
    });
    expect(engine.messagesOf(-1).at(-2)?.role).toBe("tool");
    expect(events.of("AGENT_TURN_END")[0]?.data).toMatchObject({ turns: maxTurns, maxTurnsExceeded: true });
    events.assertBalanced();
  });

  it.each<[string, string, ScriptedStep, string]>([
    ["the last text, when the closing answer is empty", "still working", { text: "" }, "still working"],
    ["the last text, when the closing answer fails", "still working", new Error("no"), "still working"],
    ["a sentence, when there is nothing", "", { text: null }, fallback],
    [
      "a sentence, when there is nothing and it fails",
      "",
      new JarvisError("OJ_ENGINE_SERVER", "500"),
      fallback,
    ],
    [
      "the closing text, when the model asks for more calls",
      "",
      { text: "So far 2.", toolCalls: [calc("1+1")] },
      "So far 2.",
    ],
  ])("gives %s", async (_what, text, closing, content) => {
    const { agent, events } = setup(endless(text, closing), { tools: [calculator], maxTurns: 2 });
    const result = await agent.run("q");
    expect(result.content).toBe(content);
    expect(result.toolResults).toHaveLength(2);
    if (closing instanceof Error) {
      expect(result.metadata.warnings).toEqual([expect.stringContaining("The closing answer failed")]);
      expect(events.counts.WARNING).toBe(1);
    }
    events.assertBalanced();
  });

  it("sums the usage of all calls, the closing one included", async () => {
    const usage = { promptTokens: 10, completionTokens: 1 };
    const { agent } = setup(() => ({ toolCalls: [calc("1+1")], usage }), {
      tools: [calculator],
      maxTurns: 2,
    });
    const { metadata } = await agent.run("q");
    expect(metadata.usage).toEqual({ promptTokens: 30, completionTokens: 3, totalTokens: 33 });
  });
});

describe("a closing answer", () => {
  it("that fails leaves the last text that said something, not white space beside a later call", async () => {
    const script = [
      { text: "Half of it.", toolCalls: [calc("1+1")] },
      { text: "\n\n", toolCalls: [calc("2+2")] },
      new JarvisError("OJ_ENGINE_SERVER", "500"),
    ];
    const { agent } = setup(script, { tools: [calculator], maxTurns: 2 });
    expect((await agent.run("q")).content).toBe("Half of it.");
  });

  it.each<[ScriptedReply, boolean | undefined]>([
    [{ text: "So far", finishReason: "length" }, true],
    [{ text: "So far 2." }, undefined],
  ])("%j is marked as cut only when it is", async (closing, truncated) => {
    const { agent } = setup([calls(calc("1+1")), closing], { tools: [calculator], maxTurns: 1 });
    const { metadata } = await agent.run("q");
    expect([metadata.stopReason, metadata.truncated]).toEqual(["max_turns", truncated]);
  });
});

describe("a model that repeats itself", () => {
  const same = { toolCalls: [calc("1+1")] };

  it("is warned at the fourth identical call, blocked at the fifth, and after two blocks asked for its answer", async () => {
    const script: ScriptedStep[] = [...Array.from({ length: 6 }, () => same), "It is 2."];
    const { agent, engine, events } = setup(script, { tools: [calculator], maxTurns: 20 });
    const result = await agent.run("q");
    expect(result).toMatchObject({
      content: "It is 2.",
      turns: 6,
      metadata: { stopReason: "loop_guard", inferenceCalls: 7 },
    });
    expect(outcomes(result)).toEqual(["2", "2", "2", "2", "!OJ_LOOP_GUARD", "!OJ_LOOP_GUARD"]);
    const told = toolMessages(engine.messagesOf(-1)).map(({ content }) => content ?? "");
    expect(told.slice(0, 3)).toEqual(["2", "2", "2"]);
    expect(told[3]).toMatch(/^2\n\[Loop guard: calculator was called 4 times .*next repetition is blocked/);
    expect(told[4]).toMatch(/^Error: Loop guard: .*was not run/);
    expect(engine.optionsOf(-1)).not.toHaveProperty("tools");
    expect(events.of("LOOP_GUARD_TRIGGERED").map((event) => event.data)).toEqual(
      [false, true, true].map((blocked) => ({ tool: "calculator", reasonType: "identical_call", blocked })),
    );
    expect(result.metadata).not.toHaveProperty("maxTurnsExceeded");
    expect(events.of("TOOL_CALL_END").map((event) => event.data.code)).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      "OJ_LOOP_GUARD",
      "OJ_LOOP_GUARD",
    ]);
    events.assertBalanced();
    engine.assertDone();
  });

  it("starts clean in a second run of the same agent, and in concurrent ones", async () => {
    const three = (messages: readonly { role: string }[]) =>
      messages.filter(({ role }) => role === "tool").length < 3 ? same : "It is 2.";
    const { agent } = setup(three, { tools: [calculator] });
    const runs = [
      await agent.run("q"),
      await agent.run("q"),
      ...(await Promise.all([agent.run("q"), agent.run("q")])),
    ];
    for (const result of runs) {
      expect(outcomes(result)).toEqual(["2", "2", "2"]);
      expect(result.metadata.stopReason).toBe("final");
    }
  });

  it("is not fooled by white space and the order of keys", async () => {
    const variants = [
      '{"text":"x","n":1}',
      '{ "n": 1, "text": "x" }',
      '{"n":1,\n"text":"x"}',
      '{"text":"x", "n":1}',
    ];
    const script = [...variants.map((args) => calls({ name: "echo", arguments: args })), "done"];
    const { agent, events } = setup(script, { tools: [spyTool("echo").tool] });
    await agent.run("q");
    expect(events.of("LOOP_GUARD_TRIGGERED")).toHaveLength(1);
  });

  it("is stopped when calls alternate without end", async () => {
    let turn = 0;
    const alternate = (_messages: unknown, { tools }: { tools?: unknown }) => {
      turn += 1;
      return tools === undefined ? "I was going in circles." : calls(calc(turn % 2 === 0 ? "1+1" : "2+2"));
    };
    const { agent, events } = setup(alternate, { tools: [calculator], maxTurns: 30 });
    const result = await agent.run("q");
    expect(result.metadata.stopReason).toBe("loop_guard");
    expect(result.content).toBe("I was going in circles.");
    expect(result.turns).toBeLessThanOrEqual(10);
    expect(events.of("LOOP_GUARD_TRIGGERED").length).toBeGreaterThanOrEqual(3);
  });

  it("may ask for the same thing again while its outcome changes, and use a tool often with other arguments", async () => {
    let count = 0;
    const clock = spyTool("clock", {
      run: () => {
        count += 1;
        return `tick ${count}`;
      },
    });
    const polls = Array.from({ length: 8 }, () => calls({ name: "clock", arguments: { text: "now" } }));
    const sums = Array.from({ length: 12 }, (_, index) => calls(calc(`${index}+1`)));
    const { agent, events } = setup([...polls, ...sums, "done"], {
      tools: [clock.tool, calculator],
      maxTurns: 30,
    });
    expect((await agent.run("q")).metadata.stopReason).toBe("final");
    expect(events.counts.LOOP_GUARD_TRIGGERED).toBeUndefined();
  });

  it("has the larger budget of a tool that is polled on purpose", async () => {
    const status = spyTool("status", { metadata: { polling: true }, run: () => "running" });
    const polls = Array.from({ length: 10 }, () => calls({ name: "status", arguments: { text: "job" } }));
    const options = { tools: [status.tool], maxTurns: 30 };
    const patient = setup([...polls, "done"], options);
    expect((await patient.agent.run("q")).metadata.stopReason).toBe("final");
    const strict = setup((_messages, { tools }) => (tools === undefined ? "stopped" : (polls[0] ?? "")), {
      ...options,
      loopGuard: { pollToolBudget: 4 },
    });
    const result = await strict.agent.run("q");
    expect(outcomes(result)).toEqual([
      ...Array.from({ length: 5 }, () => "running"),
      "!OJ_LOOP_GUARD",
      "!OJ_LOOP_GUARD",
    ]);
    expect(strict.events.of("LOOP_GUARD_TRIGGERED")[0]?.data.reasonType).toBe("poll_budget");
  });

  it("has the limits that are set, or none", async () => {
    const repeat = (_messages: unknown, { tools }: { tools?: unknown }) =>
      tools === undefined ? "stopped" : same;
    const strict = setup(repeat, { tools: [calculator], loopGuard: { maxIdenticalCalls: 1 } });
    expect(outcomes(await strict.agent.run("q"))).toEqual(["2", "2", "!OJ_LOOP_GUARD", "!OJ_LOOP_GUARD"]);
    const off = setup(repeat, { tools: [calculator], maxTurns: 8, loopGuard: { enabled: false } });
    expect(await off.agent.run("q")).toMatchObject({ turns: 8, metadata: { stopReason: "max_turns" } });
  });

  it("is judged within one turn too", async () => {
    const turn = calls(...Array.from({ length: 7 }, () => calc("1+1")));
    const { agent, engine } = setup([turn, "It is 2."], { tools: [calculator] });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual([
      "2",
      "2",
      "2",
      "2",
      ...Array.from({ length: 3 }, () => "!OJ_LOOP_GUARD"),
    ]);
    expect(toolMessages(engine.messagesOf(-1))).toHaveLength(7);
    expect(result.metadata.stopReason).toBe("loop_guard");
  });

  it("is not stopped without a word", async () => {
    const silent = setup((_messages, { tools }) => (tools === undefined ? { text: null } : same), {
      tools: [calculator],
    });
    const result = await silent.agent.run("q");
    expect(result.metadata.stopReason).toBe("loop_guard");
    expect(result.content).toContain("repeated");
  });

  it("keeps the last useful text when the closing answer is empty", async () => {
    const talking = { text: "It must be 2.", toolCalls: [calc("1+1")] };
    const { agent } = setup((_messages, { tools }) => (tools === undefined ? { text: "" } : talking), {
      tools: [calculator],
    });
    expect(await agent.run("q")).toMatchObject({
      content: "It must be 2.",
      metadata: { stopReason: "loop_guard" },
    });
  });
});

describe("an answer cut by the token limit", () => {
  const part = (text: string, finishReason = "length"): ScriptedReply => ({
    text,
    finishReason,
    usage: { promptTokens: 10, completionTokens: 5 },
  });

  it.each<[ScriptedReply[], string, boolean]>([
    [[part("Part 1, ", "stop")], "Part 1, ", false],
    [[part("Part 1, "), part("part 2.", "stop")], "Part 1, part 2.", false],
    [[part("A"), part("B"), part("C", "stop")], "ABC", false],
    [[part("A"), part("B"), part("C")], "ABC", true],
    [[part("A"), part("B", "")], "AB", false],
    [[part("A"), part("", "stop")], "A", false],
    [[part("A"), { text: null, finishReason: "length" }, part("B", "stop")], "AB", false],
  ])("%# is continued up to twice and says when it is still cut", async (script, content, truncated) => {
    const { agent, engine, events } = setup(script, { tools: [calculator] });
    const result = await agent.run("q");
    expect(result.content).toBe(content);
    expect(result.turns).toBe(1);
    expect(result.metadata.truncated).toBe(truncated ? true : undefined);
    expect(result.metadata.stopReason).toBe("final");
    expect(result.metadata.inferenceCalls).toBe(script.length);
    const counted = script.filter(({ usage }) => usage !== undefined).length;
    expect(result.metadata.usage).toEqual({
      promptTokens: 10 * counted,
      completionTokens: 5 * counted,
      totalTokens: 15 * counted,
    });
    engine.assertDone();
    events.assertBalanced();
  });

  it("is continued from its parts, each once, after the history", async () => {
    const { agent, engine } = setup([calls(calc("1+1")), part("A"), part("B"), part("C", "stop")], {
      tools: [calculator],
    });
    await agent.run("q");
    const tail = engine.messagesOf(-1).slice(3);
    expect(tail.map(({ role, content }) => (role === "assistant" ? content : role))).toEqual([
      "A",
      "user",
      "B",
      "user",
    ]);
  });

  it("is kept when its continuation fails, with a warning", async () => {
    const failure = new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "The window is full.");
    const { agent, events } = setup([part("Part 1, "), part("part 2, "), failure]);
    const result = await agent.run("q");
    expect(result).toMatchObject({
      content: "Part 1, part 2, ",
      metadata: { stopReason: "final", truncated: true },
    });
    expect(result.metadata.warnings).toEqual([expect.stringContaining("The window is full.")]);
    events.assertBalanced();
  });

  it("is kept as far as it came when the run is aborted meanwhile", async () => {
    const controller = new AbortController();
    const { agent, events } = setup([
      part("Part 1, "),
      part("part 2, "),
      () => {
        controller.abort();
        return "never";
      },
    ]);
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({ content: "Part 1, part 2, ", metadata: { stopReason: "aborted" } });
    events.assertBalanced();
  });
});

describe("a tool call cut by the token limit", () => {
  const cut: ScriptedReply = {
    text: "Let me",
    toolCalls: [{ name: "calculator", arguments: '{"expression":"1+' }],
    finishReason: "length",
  };

  it("is not run but asked for again with more room, and the person is told", async () => {
    const { agent, engine, events } = setup([cut, cut, calls(calc("1+1")), "2"], {
      tools: [calculator],
      maxTokens: 100,
    });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "2", turns: 4 });
    expect(outcomes(result)).toEqual(["2"]);
    expect([0, 1, 2, 3].map((position) => engine.optionsOf(position).maxTokens)).toEqual([
      100, 200, 400, 400,
    ]);
    expect(toolMessages(engine.messagesOf(2))).toEqual([]);
    expect(result.metadata.warnings).toEqual([expect.stringContaining("cut by the token limit")]);
    expect(events.counts.TOOL_CALL_START).toBe(1);
  });

  it("is not run even when its arguments happen to be whole", async () => {
    const whole = { toolCalls: [calc("1+1"), { name: "calc" }], finishReason: "length" };
    const { agent, events } = setup([whole, "ok"], { tools: [calculator] });
    expect((await agent.run("q")).toolResults).toEqual([]);
    expect(events.counts.TOOL_CALL_START).toBeUndefined();
  });

  it("ends with the turns when the model never gets it whole, with a bounded limit", async () => {
    const { agent, engine } = setup((_messages, { tools }) => (tools === undefined ? "I could not." : cut), {
      tools: [calculator],
      maxTokens: 100,
      maxTurns: 8,
    });
    const result = await agent.run("q");
    expect(result).toMatchObject({
      content: "I could not.",
      turns: 8,
      metadata: { stopReason: "max_turns" },
    });
    expect(engine.optionsOf(7).maxTokens).toBe(800);
    expect(engine.optionsOf(8).maxTokens).toBe(100);
  });
});

describe("an empty answer", () => {
  const empties: ScriptedReply[] = [
    { text: "" },
    { text: null },
    { text: "\n\n " },
    {},
    { text: "<think></think>" },
  ];

  it.each(empties)("%j is asked for once more", async (empty) => {
    const { agent, engine } = setup([calls(calc("2+2")), empty, "It is 4."], { tools: [calculator] });
    expect(await agent.run("q")).toMatchObject({
      content: "It is 4.",
      turns: 3,
      metadata: { stopReason: "final" },
    });
    expect(engine.messagesOf(2).at(-1)).toMatchObject({
      role: "user",
      content: expect.stringContaining("empty"),
    });
    engine.assertDone();
  });

  it.each(empties)("%j twice is no silent success", async (empty) => {
    const { agent, engine } = setup([empty, empty], { tools: [calculator] });
    expect(await agent.run("q")).toMatchObject({ content: "", turns: 2, metadata: { stopReason: "empty" } });
    engine.assertDone();
  });

  it("is asked for only once in a run", async () => {
    const { agent, engine } = setup([{ text: "" }, calls(calc("2+2")), { text: "" }], {
      tools: [calculator],
    });
    expect((await agent.run("q")).metadata.stopReason).toBe("empty");
    engine.assertDone();
  });

  it("with reasoning beside it shows the reasoning", async () => {
    const { agent } = setup([{ reasoning: "It must be 4.", text: "" }]);
    expect(await agent.run("q")).toMatchObject({
      content: "It must be 4.",
      turns: 1,
      metadata: { stopReason: "final" },
    });
  });

  it("whose reasoning used up the tokens is asked for once more, then shown and marked as cut", async () => {
    const cut = { reasoning: "First I", finishReason: "length" };
    const helped = setup([cut, "4"]);
    expect(await helped.agent.run("q")).toMatchObject({ content: "4", turns: 2 });
    const stuck = setup([cut, cut]);
    expect(await stuck.agent.run("q")).toMatchObject({
      content: "First I",
      turns: 2,
      metadata: { truncated: true },
    });
  });
});

describe("a conversation that is longer than the model's window", () => {
  const long = spyTool("long", { run: ({ text }) => `${text} `.repeat(4000) });
  const call = (text: string) => calls({ name: "long", arguments: { text } });
  const question = `What is in it? ${"Mind the details. ".repeat(50)}`;

  it("has its old tool results shortened first; question and last exchange stay whole", async () => {
    const { agent, engine } = setup(
      [call("aaaa"), call("bbbb"), call("cccc"), "done"],
      { tools: [long.tool], maxResultChars: 20_000, maxTokens: 500, systemPrompt: "Be brief." },
      { capabilities: { contextLength: 8192 } },
    );
    const result = await agent.run(question);
    expect(result.content).toBe("done");
    const messages = engine.messagesOf(-1);
    expect(messages[0]).toEqual({ role: "system", content: "Be brief." });
    expect(messages).toContainEqual({ role: "user", content: question });
    const results = toolMessages(messages).map(({ content }) => content?.length ?? 0);
    expect(results.at(-1)).toBe(20_000);
    for (const length of results.slice(0, -1)) expect(length).toBeLessThanOrEqual(2000);
    expect(result.toolResults.every(({ content }) => content.length === 20_000)).toBe(true);
    const asked = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
    expect(toolMessages(messages).map(({ toolCallId }) => toolCallId)).toEqual(asked);
  });

  it("is sent whole when it fits", async () => {
    const paste = `${"All work and no play. ".repeat(900)}\nWhat is this about?`;
    const { agent, engine } = setup(["A novel."], {}, { capabilities: { contextLength: 32_768 } });
    await agent.run(paste);
    expect(engine.messagesOf(0)).toEqual([{ role: "user", content: paste }]);
  });

  it("is shortened and sent once more when the engine says it is too long", async () => {
    const tooLong = new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "Too long.");
    const script = [call("aaaa"), call("bbbb"), call("cccc"), tooLong, "done"];
    const { agent, engine, events } = setup(script, { tools: [long.tool], maxResultChars: 20_000 });
    const result = await agent.run(question);
    expect(result).toMatchObject({ content: "done", turns: 4 });
    expect(result.metadata.warnings).toEqual([expect.stringContaining("too long for the model")]);
    const lengths = toolMessages(engine.messagesOf(-1)).map(({ content }) => content?.length ?? 0);
    expect(lengths).toEqual([2000, 2000, 20_000]);
    expect(engine.messagesOf(-1)).toContainEqual({ role: "user", content: question });
    events.assertBalanced();
  });

  it("that cannot be shortened fails with what the engine said", async () => {
    const tooLong = new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "Too long.");
    const { agent, events } = setup(() => tooLong);
    await expect(agent.run("q")).rejects.toBe(tooLong);
    events.assertBalanced();
  });
});
