import { buildToolDescriptions, isJarvisError, JarvisError } from "@openjarvis/core";
import { spyTool } from "@openjarvis/testing";
import { describe, expect, it } from "vitest";
import { calculator, outcomes, think } from "./setup.js";
import { code, fileRead, structured, use } from "./structured-setup.js";

const tools = [calculator, think, fileRead, code];

describe("a structured reply that calls", () => {
  const calling: [string, string, string[]][] = [
    ["the form of the prompt", use("calculator", '{"expression":"2+2"}'), ["4"]],
    ["bare text", use("calculator", "2+2"), ["4"]],
    ["quoted text", use("calculator", '"2+2"'), ["4"]],
    ["a path", use("file_read", "notes/today.md"), ["notes/today.md:all"]],
    ["an object with two fields", use("file_read", '{"path": "a", "max_lines": 2}'), ["a:2"]],
    ["a number for a text", use("file_read", "42"), ["42:all"]],
    ["text in brackets", use("file_read", "[draft] notes.md"), ["[draft] notes.md:all"]],
    ["code that looks like an object", use("code_interpreter", "{'code': value}"), ["ran {'code': value}"]],
    ["code in an object", use("code_interpreter", '{"code":"print(1)"}'), ["ran print(1)"]],
    [
      "an answer's label inside the input",
      use("think", "FINAL_ANSWER: is a label"),
      ["FINAL_ANSWER: is a label"],
    ],
    ["a remark behind the name", use("calculator (best)", "2+2"), ["4"]],
    ["markdown", '**THOUGHT:** x\n**TOOL:** `calculator`\n**INPUT:** {"expression":"2+2"}', ["4"]],
    ["a fence around all", `\`\`\`\n${use("calculator", "2+2")}\n\`\`\``, ["4"]],
    ["a fence that closes after the input", `${use("calculator", '{"expression":"2+2"}')}\n\`\`\``, ["4"]],
    ["lower-case labels", "thought: x\ntool: calculator\ninput: 2+2", ["4"]],
    ["an invented observation", `${use("calculator", "2+2")}\nObservation: 99\nFINAL_ANSWER: 99`, ["4"]],
    ["an answer within reasoning", `<think>FINAL_ANSWER: no</think>\n${use("calculator", "2+2")}`, ["4"]],
    ["two calls", `${use("calculator", "1+1")}\n${use("calculator", "2+2")}`, ["2", "4"]],
    ["Hermes tokens", '<tool_call>{"name":"calculator","arguments":{"expression":"2+2"}}</tool_call>', ["4"]],
    ["a JSON object", '{"name":"calculator","arguments":{"expression":"2+2"}}', ["4"]],
  ];

  it.each(calling)("with %s runs and is observed", async (_what, reply, expected) => {
    const { agent, engine, events } = structured([reply, "THOUGHT: done\nFINAL_ANSWER: ok"], { tools });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual(expected);
    expect(result).toMatchObject({ content: "ok", turns: 2, metadata: { stopReason: "final" } });
    const [kept, observed] = engine.messagesOf(1).slice(-2);
    expect(observed).toEqual({
      role: "user",
      content: expected.map((text) => `Observation: ${text}`).join("\n"),
    });
    expect(kept?.content).not.toMatch(/99|<think>/);
    events.assertBalanced();
    engine.assertDone();
  });

  it.each<[string, string, string, RegExp]>([
    [
      "an unknown tool",
      use("nope", "x"),
      "!OJ_TOOL_NOT_FOUND",
      /'nope' failed: Unknown tool: nope\..*calculator, think/,
    ],
    [
      "unreadable arguments",
      use("file_read", '{"path": "x", y'),
      "!OJ_TOOL_ARGUMENTS",
      /'file_read' failed: .*Write a JSON object: .*"path"/,
    ],
    [
      "a missing field",
      use("file_read", '{"max_lines": 1}'),
      "!OJ_TOOL_ARGUMENTS",
      /'file_read' failed: .*path/,
    ],
    [
      "a tool that fails",
      use("calculator", "two"),
      "!OJ_TOOL_FAILED",
      /'calculator' failed: cannot calculate/,
    ],
  ])("is told of %s by the tool's name, once", async (_what, reply, outcome, told) => {
    const { agent, engine } = structured([reply, "FINAL_ANSWER: ok"], { tools });
    const result = await agent.run("q");
    expect(outcomes(result)).toEqual([outcome]);
    expect(result.content).toBe("ok");
    const observation = engine.messagesOf(1).at(-1)?.content ?? "";
    expect(observation).toMatch(told);
    expect(observation).toMatch(/^Observation: Tool /);
    expect(observation).not.toContain("Error:");
  });
});

describe("a structured reply that answers", () => {
  it.each([
    ["FINAL_ANSWER", "THOUGHT: I know\nFINAL_ANSWER: Paris", "Paris"],
    ["FINAL ANSWER", "THOUGHT: I know\nFINAL ANSWER: Paris", "Paris"],
    ["no labels", "Paris.", "Paris."],
    ["a TOOL that is none", "THOUGHT: easy\nTOOL: None\nINPUT: None\nFINAL_ANSWER: Paris", "Paris"],
    ["an opener that never closes", "Hello. <think>private plan", "Hello."],
    ["only a closing tag", "first\n</think>\nThe answer is 5.", "The answer is 5."],
    ["a fence", "FINAL_ANSWER:\n```python\nprint(1)\n```", "```python\nprint(1)\n```"],
    ["a word that begins like the label", "THOUGHT: x\nFINAL_ANSWER: one\nFINALLY two", "one\nFINALLY two"],
  ])("with %s ends the run", async (_what, reply, content) => {
    const { agent, engine } = structured([reply], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content, turns: 1, toolResults: [], metadata: { stopReason: "final" } });
    engine.assertDone();
  });
});

describe("the structured system prompt", () => {
  it("describes the tools with their costs, and guides by category", async () => {
    const { agent, engine } = structured(["ok"], { tools });
    await agent.run("q");
    const content = engine.messagesOf(0)[0]?.content ?? "";
    expect(content).toContain(
      `=== AVAILABLE TOOLS ===\n${buildToolDescriptions(tools, { includeCost: true })}\n\n=== TOOL SELECTION GUIDE ===`,
    );
    expect(content).toContain(`### code_interpreter
Runs code.
Category: code
Cost estimate: $0.0020
Latency estimate: 1.5s
Parameters:
  - code (string, required)`);
    expect(content).toContain(`=== TOOL SELECTION GUIDE ===
OTHER: calculator, think
UTILITY / CODING TASKS: file_read
CODING TASKS: code_interpreter

=== RESPONSE FORMAT ===`);
    expect(content).toMatch(/THOUGHT: .*\nTOOL: .*\nINPUT: a JSON object[\s\S]*THOUGHT: .*\nFINAL_ANSWER: /);
    expect(content).toContain("=== CRITICAL RULES ===");
  });

  it("asks for no tool when there is none", async () => {
    const { agent, engine } = structured(["FINAL_ANSWER: ok"]);
    expect((await agent.run("q")).content).toBe("ok");
    expect(engine.messagesOf(0)[0]?.content).toBe(`Answer the question. There are no tools.

=== RESPONSE FORMAT ===
THOUGHT: what you think
FINAL_ANSWER: the answer`);
  });

  it("is one message with the user's own prompt and the system texts of the context", async () => {
    const { agent, engine } = structured(["Ana"], { systemPrompt: "You are Jarvis." });
    const conversation = [
      { role: "user" as const, content: "my name is Ana" },
      { role: "system" as const, content: "Be brief." },
      { role: "assistant" as const, content: "ok" },
    ];
    await agent.run("what is my name?", { conversation });
    const [system, ...rest] = engine.messagesOf(0);
    expect(system?.content).toMatch(
      /^Answer the question\.[\s\S]*the answer\n\nYou are Jarvis\.\n\nBe brief\.$/,
    );
    expect(rest.map(({ role, content }) => [role, content])).toEqual([
      ["user", "my name is Ana"],
      ["assistant", "ok"],
      ["user", "what is my name?"],
    ]);
  });

  it("leaves out the tools the context does not name", async () => {
    const { agent, engine } = structured([use("think", "x"), "FINAL_ANSWER: ok"], { tools });
    expect(outcomes(await agent.run("q", { tools: ["calculator"] }))).toEqual(["!OJ_TOOL_NOT_FOUND"]);
    expect(engine.messagesOf(0)[0]?.content).toContain("OTHER: calculator\n");
    expect(engine.messagesOf(0)[0]?.content).not.toContain("### think");
    expect(engine.messagesOf(1).at(-1)?.content).toContain("Available tools: calculator.");
  });
});

describe("the structured loop", () => {
  it("stops at observations and offers no functions", async () => {
    const { agent, engine } = structured([use("calculator", "1+1"), "FINAL_ANSWER: 2"], { tools });
    await agent.run("q");
    for (const { options } of engine.calls) {
      expect(options.stop).toEqual(["\nObservation:"]);
      expect(options).not.toHaveProperty("tools");
    }
  });

  it("asks twice for what it cannot read, in the words of its own form, and then gives up", async () => {
    const { agent, engine, events } = structured(["THOUGHT: a", "THOUGHT: b\nTOOL:", "THOUGHT: almost"], {
      tools,
    });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "almost", turns: 3, metadata: { stopReason: "parse_error" } });
    expect(result.metadata.parseError).toMatch(/neither TOOL: .* nor FINAL_ANSWER:/);
    expect(engine.messagesOf(2).at(-1)?.content).toMatch(/TOOL: names no tool[\s\S]*INPUT: a JSON object/);
    events.assertBalanced();
    engine.assertDone();
  });

  it("says that nothing came", async () => {
    const { agent } = structured(() => ({ text: null }), { tools });
    expect(await agent.run("q")).toMatchObject({ content: "", turns: 3, metadata: { stopReason: "empty" } });
  });

  it("runs native calls, with no text beside them", async () => {
    const native = { text: null, toolCalls: [{ name: "calculator", arguments: { expression: "5*5" } }] };
    const { agent, engine } = structured([native, "FINAL_ANSWER: 25"], { tools });
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "25", turns: 2 });
    expect(outcomes(result)).toEqual(["25"]);
    expect(engine.messagesOf(1).at(-1)).toMatchObject({ role: "tool", content: "25" });
  });

  it("warns of repetition, blocks it, and asks for the answer", async () => {
    const spy = spyTool("echo");
    const { agent, engine } = structured(
      (messages) =>
        /No more tool calls/.test(messages.at(-1)?.content ?? "")
          ? "FINAL_ANSWER: stopped"
          : use("echo", "x"),
      { tools: [spy.tool], maxTurns: 20 },
    );
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "stopped", turns: 6, metadata: { stopReason: "loop_guard" } });
    expect(spy.calls).toHaveLength(4);
    const texts = engine.messagesOf(-1).map(({ content }) => content);
    expect(texts.filter((text) => text?.includes("[Loop guard:"))).toHaveLength(1);
    expect(
      texts.filter((text) => text?.startsWith("Observation: Tool 'echo' failed: Loop guard:")),
    ).toHaveLength(2);
  });

  it("asks for the best answer when the turns are used up", async () => {
    const { agent } = structured(
      (messages) =>
        /No more tool calls/.test(messages.at(-1)?.content ?? "")
          ? "THOUGHT: so\nFINAL_ANSWER: about 6"
          : use("calculator", `${messages.length}+1`),
      { tools, maxTurns: 3 },
    );
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "about 6", turns: 3 });
    expect(result.metadata).toMatchObject({
      stopReason: "max_turns",
      maxTurnsExceeded: true,
      inferenceCalls: 4,
    });
    expect(result.toolResults).toHaveLength(3);
  });

  it("continues an answer that was cut, and runs no call that was", async () => {
    const cut = (text: string) => ({ text, finishReason: "length" });
    const { agent, engine } = structured(
      [
        cut('TOOL: calculator\nINPUT: {"expression": "1+'),
        use("calculator", "1+1"),
        cut("FINAL_ANSWER: one "),
        "two",
      ],
      { tools },
    );
    const result = await agent.run("q");
    expect(result).toMatchObject({ content: "one two", turns: 3, metadata: { stopReason: "final" } });
    expect(outcomes(result)).toEqual(["2"]);
    expect(engine.optionsOf(1).maxTokens).toBe(2048);
  });

  it("ends its events when the engine fails, and rethrows", async () => {
    const failure = new JarvisError("OJ_ENGINE_SERVER", "500");
    const { agent, events } = structured([use("calculator", "1+1"), failure], { tools });
    await expect(agent.run("q")).rejects.toSatisfy((error) => isJarvisError(error, "OJ_ENGINE_SERVER"));
    events.assertBalanced();
    expect(events.of("AGENT_TURN_END")[0]?.data).toMatchObject({ turns: 2, error: expect.any(String) });
  });

  it("is aborted at any time, with what was said and done, without labels", async () => {
    const controller = new AbortController();
    const { agent, events } = structured(
      [
        use("calculator", "1+1"),
        () => {
          setImmediate(() => controller.abort());
          return { text: "THOUGHT:", hang: true };
        },
      ],
      { tools },
    );
    const result = await agent.run("q", {}, { signal: controller.signal });
    expect(result).toMatchObject({ content: "a tool helps", metadata: { stopReason: "aborted" } });
    expect(outcomes(result)).toEqual(["2"]);
    events.assertBalanced();
  });

  it("runs the calls of a turn one after the other when asked to", async () => {
    let running = 0;
    let most = 0;
    const slow = spyTool("slow", {
      run: async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        return "x";
      },
    });
    const reply = `${use("slow", "1")}\n${use("slow", "2")}`;
    for (const [parallelTools, expected] of [
      [false, 1],
      [true, 2],
    ] as const) {
      most = 0;
      await structured([reply, "FINAL_ANSWER: ok"], { tools: [slow.tool], parallelTools }).agent.run("q");
      expect(most).toBe(expected);
    }
  });
});
