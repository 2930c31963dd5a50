import { describe, expect, it } from "vitest";
import { calculator, exchange, outcomes, setup, sum } from "./setup.js";

const tools = [calculator];
const unreadable = "Thought: hmm\nAction:";

describe("a reply that cannot be read", () => {
  const cases: [string, string, RegExp][] = [
    ["an action without a name", unreadable, /Action: names no tool/],
    ["a thought alone", "Thought: hmm", /neither Action: .* nor Final Answer:/],
    ["an empty answer", "Thought: hmm\nFinal Answer:", /Nothing stands after Final Answer:/],
    ["an input without an action", 'Thought: x\nAction Input: {"expression":"1+1"}', /without Action:/],
    [
      "an envelope with prose after it",
      '{"thought":"x","action":"calculator","action_input":{"expression":"1+1"}} so',
      /after the JSON/,
    ],
    [
      "an invented observation after a thought",
      "Thought: hmm\nObservation: it is 9",
      /You wrote an Observation yourself/,
    ],
    ["nothing", "", /The reply is empty/],
    ["white space", " \n\n\t", /The reply is empty/],
    ["reasoning alone", "<think>Final Answer: secret</think>", /nothing but reasoning/],
    ["reasoning without an end", "<think>Final Answer: secret", /nothing but reasoning/],
  ];

  it.each(cases)(
    "(%s) is answered with what is wrong and the form, in a turn of its own",
    async (_what, reply, reason) => {
      const { agent, engine, events } = setup([reply, "Final Answer: 7"], { tools });
      const result = await agent.run("q");
      expect(result).toMatchObject({
        content: "7",
        turns: 2,
        toolResults: [],
        metadata: { stopReason: "final" },
      });
      expect(result.metadata).not.toHaveProperty("parseError");
      const told = engine.messagesOf(1).at(-1);
      expect(told?.role).toBe("user");
      expect(told?.content).toMatch(reason);
      expect(told?.content).toMatch(/Action Input: a JSON object[\s\S]*Final Answer: the answer/);
      const texts = exchange(engine.messagesOf(1));
      expect(texts.every((text) => text?.trim() !== "")).toBe(true);
      expect(texts.join("\n")).not.toMatch(/it is 9|secret/);
      events.assertBalanced();
      engine.assertDone();
    },
  );

  it("is asked for again twice; the third ends the run and is no answer", async () => {
    const { agent, engine, events } = setup(["Thought: a", "Thought: b", "Thought: almost 7"], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "almost 7", turns: 3, metadata: { stopReason: "parse_error" } });
    expect(result.metadata.parseError).toMatch(/neither Action:/);
    expect(result.metadata.warnings?.join()).toMatch(/could not be read/);
    expect(events.of("WARNING")).toHaveLength(1);
    expect(events.of("AGENT_TURN_END")[0]?.data).toMatchObject({ stopReason: "parse_error", turns: 3 });
    expect(engine.messagesOf(2).filter(({ role }) => role === "user")).toHaveLength(3);
    engine.assertDone();
  });

  it("counts anew after one that can be read, text or native", async () => {
    const native = { toolCalls: [{ name: "calculator", arguments: { expression: "2+2" } }] };
    const script = [unreadable, "", sum("1+1"), unreadable, "", native, unreadable, "", "Final Answer: ok"];
    const { agent, engine } = setup(script, { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "ok", turns: 9, metadata: { stopReason: "final" } });
    expect(outcomes(result)).toEqual(["2", "4"]);
    engine.assertDone();
  });

  it("never goes on beyond the turns", async () => {
    const { agent, engine } = setup([unreadable, unreadable, "Final Answer: 7"], { tools, maxTurns: 2 });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "7", turns: 2, metadata: { stopReason: "max_turns" } });
    engine.assertDone();
  });

  it("keeps the results there were", async () => {
    const { agent } = setup([sum("1+1"), unreadable, unreadable, unreadable], { tools });
    const result = await agent.run("q");
    expect(result.metadata.stopReason).toBe("parse_error");
    expect(outcomes(result)).toEqual(["2"]);
    expect(result.content).not.toMatch(/Action:|Thought:/);
  });
});

describe("nothing at all", () => {
  it("ends as empty, and is no answer", async () => {
    const { agent, engine } = setup(["", "\n\n", { text: null }], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "", turns: 3, metadata: { stopReason: "empty" } });
    engine.assertDone();
  });

  it("is told apart from reasoning that came apart from the text, which nobody sees", async () => {
    const reply = { text: null, reasoning: "x</think>Final Answer: secret" };
    const { agent, engine } = setup([reply, reply, reply], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "", turns: 3, metadata: { stopReason: "parse_error" } });
    expect(result.metadata.parseError).toMatch(/nothing but reasoning/);
    expect(
      engine
        .messagesOf(2)
        .map(({ content }) => content)
        .join(),
    ).not.toContain("secret");
  });

  it("counts as no text beside a native call", async () => {
    const { agent } = setup(
      [{ text: null, toolCalls: [{ name: "calculator", arguments: { expression: "5*5" } }] }, "25"],
      { tools },
    );
    expect(await agent.run("q")).toMatchObject({
      content: "25",
      turns: 2,
      metadata: { stopReason: "final" },
    });
  });
});

describe("a reply cut by the token limit", () => {
  const cut = (text: string) => ({ text, finishReason: "length" });

  it.each([
    ["in a call", 'Thought: x\nAction: calculator\nAction Input: {"expression": "1+'],
    ["in a thought", "Thought: first I will"],
    ["before anything", ""],
    ["in its reasoning", "<think>first I will"],
  ])("%s is not run but asked for again, with more tokens", async (_where, text) => {
    const { agent, engine } = setup([cut(text), sum("1+1"), "Final Answer: 2"], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "2", turns: 3, metadata: { stopReason: "final" } });
    expect(outcomes(result)).toEqual(["2"]);
    expect(engine.messagesOf(1).at(-1)?.content).toMatch(/cut off[\s\S]*Write less at a time/);
    expect(engine.calls.map(({ options }) => options.maxTokens)).toEqual([1024, 2048, 2048]);
  });

  it("again and again ends the run, and says that it was cut", async () => {
    const { agent, engine } = setup([cut("Thought: a"), cut("Thought: b"), cut("Thought: c")], { tools });
    const result = await agent.run("q");
    expect(result.metadata).toMatchObject({ stopReason: "parse_error", truncated: true });
    expect(result.metadata.parseError).toMatch(/cut off/);
    expect(engine.optionsOf(-1).maxTokens).toBe(4096);
  });

  it("in its answer is continued, and the parts are joined without labels", async () => {
    const usage = { promptTokens: 1, completionTokens: 2, totalTokens: 3 };
    const { agent, engine } = setup(
      [
        { ...cut("Thought: I know\nFinal Answer: one, "), usage },
        { ...cut("two, "), usage },
        { text: "three", usage },
      ],
      { tools },
    );
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "one, two, three", turns: 1 });
    expect(result.metadata).toMatchObject({
      stopReason: "final",
      inferenceCalls: 3,
      usage: { totalTokens: 9 },
    });
    expect(result.metadata).not.toHaveProperty("truncated");
    expect(exchange(engine.messagesOf(2))).toEqual([
      "one, ",
      expect.stringMatching(/Continue/),
      "two, ",
      expect.stringMatching(/Continue/),
    ]);
  });

  it("in every part is given as it is, and marked", async () => {
    const { agent, engine } = setup([cut("Final Answer: a"), cut("b"), cut("c")], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "abc", metadata: { stopReason: "final", truncated: true } });
    engine.assertDone();
  });

  it("is kept when its continuation fails", async () => {
    const { agent, events } = setup([cut("Final Answer: half"), new Error("gone")], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "half", metadata: { stopReason: "final", truncated: true } });
    expect(result.metadata.warnings?.join()).toMatch(/continuation failed: gone/);
    events.assertBalanced();
  });
});
