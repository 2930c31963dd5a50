import { describe, expect, expectTypeOf, it } from "vitest";
import { type AgentClass, type AgentOptions, Conversation, type Message } from "../src/index.js";
import { AskAgent, setUp, TwiceAgent } from "./agent-support.js";
import { text } from "./support.js";

describe("the options of an agent", () => {
  it("go before config, config before the class, the class before the general defaults", () => {
    const settings = (Agent: typeof AskAgent | typeof TwiceAgent, extra: Partial<AgentOptions> = {}) => {
      const { temperature, maxTokens, maxTurns } = setUp(Agent, [], extra).agent;
      return [temperature, maxTokens, maxTurns];
    };
    expect(settings(AskAgent)).toEqual([0.7, 1024, 10]);
    expect(settings(TwiceAgent)).toEqual([0.2, 1024, 3]);
    expect(settings(TwiceAgent, { configured: { temperature: 0.5, maxTokens: 64 } })).toEqual([0.5, 64, 3]);
    expect(settings(TwiceAgent, { temperature: 0, configured: { temperature: 0.5, maxTurns: 4 } })).toEqual([
      0, 1024, 4,
    ]);
  });

  it("reach the engine", async () => {
    const { agent, engine } = setUp(AskAgent, [[text("x")]], { temperature: 0, maxTokens: 5 });
    const { signal } = new AbortController();
    await agent.run("hi", {}, { runId: "r", signal });
    expect(engine.calls[0]?.options).toEqual({
      model: "m",
      temperature: 0,
      maxTokens: 5,
      run: { runId: "r", parentId: "" },
      signal,
    });
  });

  it.each<[string, object, RegExp]>([
    [
      "an unknown key",
      { temprature: 1 },
      /AskAgent has no option "temprature"\. Did you mean "temperature"\?/,
    ],
    ["an option of another agent", { mode: "x" }, /no option "mode"/],
    ["a temperature out of range", { temperature: 3 }, /temperature must be a number from 0 to 2/],
    ["no tokens", { maxTokens: 0 }, /maxTokens must be a whole number/],
    ["no turns", { maxTurns: 0 }, /maxTurns must be a whole number/],
    ["a configured value out of range", { configured: { maxTurns: 1.5 } }, /maxTurns/],
  ])("refuse %s", (_name, extra, message) => {
    expect(() => setUp(AskAgent, [], extra)).toThrow(
      expect.objectContaining({ code: "OJ_OPTION", message: expect.stringMatching(message) }),
    );
  });

  it("include the class's own keys", () => {
    expect(() => setUp(TwiceAgent, [], { mode: "x" } as Partial<AgentOptions>)).not.toThrow();
  });

  it("make a class the registry takes", () => {
    expectTypeOf(AskAgent).toExtend<AgentClass>();
    expect(AskAgent.acceptsTools).toBe(false);
  });
});

describe("the messages of a run", () => {
  const sent = async (extra: Partial<AgentOptions>, conversation?: readonly Message[] | Conversation) => {
    const { agent, engine } = setUp(AskAgent, [[text("x")]], extra);
    await agent.run("now", conversation === undefined ? {} : { conversation });
    return engine.calls[0]?.messages;
  };
  const earlier: Message[] = [
    { role: "user", content: "my name is Ana" },
    { role: "assistant", content: "ok" },
  ];

  it("are the input alone without anything else", async () => {
    expect(await sent({})).toEqual([{ role: "user", content: "now" }]);
    expect(await sent({ systemPrompt: "" })).toEqual([{ role: "user", content: "now" }]);
  });

  it("have the images of the context on the input", async () => {
    const { agent, engine } = setUp(AskAgent, [[text("x")], [text("x")]]);
    await agent.run("what is this?", { images: ["aGk="] });
    await agent.run("and now?", { images: [] });
    expect(engine.calls.map((call) => call.messages)).toEqual([
      [{ role: "user", content: "what is this?", images: ["aGk="] }],
      [{ role: "user", content: "and now?" }],
    ]);
  });

  it("have the conversation before the input", async () => {
    const expected = [...earlier, { role: "user", content: "now" }];
    expect(await sent({}, earlier)).toEqual(expected);
    expect(await sent({}, new Conversation(earlier))).toEqual(expected);
  });

  it("have one leading system message of the prompt and every system text", async () => {
    const conversation: Message[] = [
      { role: "system", content: "memory" },
      ...earlier,
      { role: "system", content: "" },
      { role: "system", content: "more" },
    ];
    expect(await sent({ systemPrompt: "prompt" }, conversation)).toEqual([
      { role: "system", content: "prompt\n\nmemory\n\nmore" },
      ...earlier,
      { role: "user", content: "now" },
    ]);
  });
});
