import { describe, expect, it } from "vitest";
import { JarvisError, type Message } from "../src/index.js";
import { call, fails, setUp } from "./loop-agent-support.js";
import { type Step, text } from "./support.js";

describe("a run whose turns are used up", () => {
  it("asks once more without tools and keeps what the tools brought", async () => {
    const { agent, engine } = setUp([call("a", 1), call("b", 2), [text("from what I have")]], {
      maxTurns: 2,
    });
    const result = await agent.run("x");
    expect(result).toMatchObject({
      content: "from what I have",
      turns: 2,
      metadata: { stopReason: "max_turns", maxTurnsExceeded: true, inferenceCalls: 3 },
    });
    expect(result.toolResults).toHaveLength(2);
    expect(engine.calls[2]?.options.tools).toBeUndefined();
    expect(engine.calls[2]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: expect.stringMatching(/^No more tool calls/),
    });
  });

  it.each<[string, string[], Step, string]>([
    ["the last useful text when the closing answer fails", ["still working"], fails, "still working"],
    [
      "the last useful text when the closing answer is blank",
      ["still working"],
      [text(" \n")],
      "still working",
    ],
    ["the last useful text when blank ones came after it", ["half of it", "\n\n"], fails, "half of it"],
    ["a sentence when there was none", ["\n\n"], fails, "Maximum turns reached without a final answer."],
  ])("ends with %s", async (_name, said, closing, expected) => {
    const turns = said.map((content, n) => call(`id_${n}`, n, content));
    const { agent } = setUp([...turns, closing], { maxTurns: turns.length });
    expect((await agent.run("x")).content).toBe(expected);
  });

  it("says when the closing answer was cut", async () => {
    const { agent } = setUp([call("a", 1), [text("half"), { type: "finish", reason: "length" }]], {
      maxTurns: 1,
    });
    expect((await agent.run("x")).metadata).toMatchObject({ truncated: true, maxTurnsExceeded: true });
  });

  it("is aborted, not used up, when it is cancelled during the closing answer", async () => {
    const controller = new AbortController();
    const step: Step = () => {
      controller.abort();
      throw new DOMException("stop", "AbortError");
    };
    const { agent } = setUp([call("a", 1, "so far"), step], { maxTurns: 1 });
    const result = await agent.run("x", {}, { signal: controller.signal });
    expect(result).toMatchObject({ content: "so far", metadata: { stopReason: "aborted" } });
  });
});

describe("the context window", () => {
  const long: Message[] = Array.from({ length: 10 }, (_, n) => ({
    role: n % 2 === 0 ? "user" : "assistant",
    content: "x".repeat(4_000),
  }));

  it("is not asked for while the history is small", async () => {
    const { agent, engine } = setUp([[text("x")]]);
    await agent.run("short");
    expect(engine.asked).toBe(0);
  });

  it("is asked for once, and old messages go until the rest fits; the question survives", async () => {
    const { agent, engine } = setUp([[text("a")], [text("b")]]);
    engine.contextLength = 4_096;
    await agent.run("the question", { conversation: long });
    await agent.run("the question", { conversation: long });
    expect(engine.asked).toBe(1);
    const sent = engine.calls[0]?.messages ?? [];
    expect(sent.at(-1)?.content).toBe("the question");
    expect(sent.length).toBeLessThan(long.length);
    expect(sent.length).toBeGreaterThan(1);
  });

  it("cuts nothing where the engine does not know it", async () => {
    const { agent, engine } = setUp([[text("a")]]);
    await agent.run("q", { conversation: long });
    expect(engine.calls[0]?.messages).toHaveLength(11);
  });

  it("is asked for again after a failure, which is a warning", async () => {
    const { agent, engine } = setUp([[text("a")], [text("b")]]);
    engine.failures = 1;
    const first = await agent.run("q", { conversation: long });
    expect(first.metadata.warnings).toEqual(["The context length of m is not known: no answer"]);
    expect((await agent.run("q", { conversation: long })).metadata.warnings).toBeUndefined();
    expect(engine.asked).toBe(2);
  });

  it("halves the history once when the engine still finds it too long", async () => {
    const tooLong: Step = () => {
      throw new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "too long");
    };
    const { agent, engine } = setUp([tooLong, [text("ok")]]);
    const result = await agent.run("q", { conversation: long });
    expect(result).toMatchObject({ content: "ok", metadata: { inferenceCalls: 2 } });
    expect(result.metadata.warnings).toHaveLength(1);
    expect(engine.calls[1]?.messages.length).toBeLessThan(engine.calls[0]?.messages.length ?? 0);
    const hopeless = setUp([tooLong, tooLong]);
    await expect(hopeless.agent.run("q", { conversation: long })).rejects.toMatchObject({
      code: "OJ_ENGINE_CONTEXT_LENGTH",
    });
    const nothingToCut = setUp([tooLong]);
    await expect(nothingToCut.agent.run("q")).rejects.toMatchObject({ code: "OJ_ENGINE_CONTEXT_LENGTH" });
  });
});
