import { isJarvisError, JarvisError, type Message } from "@openjarvis/core";
import { type ScriptedAnswer, type ScriptedReply, spyTool } from "@openjarvis/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { calculator, setup, think } from "./setup.js";

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ..."Thought: |Action: |Action Input: |Observation: |Final Answer: |Answer: |THOUGHT: |TOOL: |INPUT: ".split(
        "|",
      ),
      ..."**Action:** |`|```json\n|```|~~~|<think>|</think>|<tool_call>|</tool_call>|<function=calculator>".split(
        "|",
      ),
      ..."<parameter=expression>|[TOOL_CALLS]|<|python_tag|>|<|im_end|>".split("|"),
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "calculator",
      "Calculator",
      "think",
      "shell",
      "throws",
      "nope",
      "None",
      "__proto__",
      "constructor",
      '{"expression":"1+1"}',
      '{"thought":"x"}',
      '{"text":"rm"}',
      '{"name":"shell","arguments":{"text":"rm"}}',
      '{"action":"calculator","action_input":"1+1"}',
      '{"expression":',
      '("1+1")',
      "1+1",
      "{",
      "}",
      '"',
    ),
  },
  { weight: 4, arbitrary: fc.constantFrom("\n", "\n\n", " ", "\r\n", ":") },
  fc.string({ unit: "binary", maxLength: 12 }),
);
const text = fc.oneof(
  { weight: 6, arbitrary: fc.array(piece, { maxLength: 14 }).map((parts) => parts.join("")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("", " \n", "ok", "Action: calculator\nAction Input: 1+1", "Thought: x"),
  },
);

const call = fc.record(
  {
    name: fc.constantFrom("calculator", "think", "shell", "nope", "", null),
    arguments: fc.oneof(fc.constantFrom('{"expression":"1+1"}', "{bad", "", null), fc.json({ maxDepth: 2 })),
    id: fc.option(fc.constantFrom("a", "b")),
  },
  { requiredKeys: [] },
);

const reply: fc.Arbitrary<ScriptedReply> = fc.record(
  {
    text: fc.oneof({ weight: 6, arbitrary: text }, fc.constant(null)),
    reasoning: text,
    finishReason: fc.option(fc.constantFrom("stop", "stop", "length", "tool_calls", "content_filter", "odd")),
  },
  { requiredKeys: [] },
);
const native = fc.record(
  {
    toolCalls: fc.array(call, { minLength: 1, maxLength: 3 }),
    text,
    finishReason: fc.constantFrom("tool_calls", "length"),
  },
  { requiredKeys: ["toolCalls"] },
);

const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 20, arbitrary: reply },
  { weight: 10, arbitrary: text },
  { weight: 3, arbitrary: native },
  fc.constantFrom<Error[]>(
    new JarvisError("OJ_ENGINE_SERVER", "500"),
    new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "too long"),
    new TypeError("defect"),
  ),
);

const scenario = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 8 }),
  maxTurns: fc.integer({ min: 1, max: 7 }),
  abortAtCall: fc.option(fc.nat({ max: 6 })),
});

it("ends every run within its turns and with balanced events, whatever the model writes", {
  timeout: 60_000,
}, async () => {
  const shell = spyTool("shell", { requiresConfirmation: true });
  const throws = spyTool("throws", {
    run: () => {
      throw new Error("always");
    },
  });
  const tools = [calculator, think, shell.tool, throws.tool];
  const seen = new Map<string, number>();

  await fc.assert(
    fc.asyncProperty(scenario, async ({ answers, maxTurns, abortAtCall }) => {
      const controller = new AbortController();
      let asked = 0;
      const { agent, engine, events } = setup(
        () => {
          if (asked === abortAtCall) controller.abort();
          asked += 1;
          return answers[(asked - 1) % answers.length] ?? "";
        },
        { tools, maxTurns },
      );
      try {
        const { content, turns, toolResults, metadata } = await agent.run(
          "q",
          {},
          { signal: controller.signal },
        );
        seen.set(metadata.stopReason, (seen.get(metadata.stopReason) ?? 0) + 1);
        expect(typeof content).toBe("string");
        expect(turns).toBeLessThanOrEqual(maxTurns);
        expect(metadata.parseError !== undefined).toBe(metadata.stopReason === "parse_error");
        if (metadata.stopReason === "final") expect(content).not.toBe("");
        expect(events.counts.TOOL_CALL_END ?? 0).toBe(toolResults.length);
        for (const result of toolResults) expect(result.success || result.metadata.code).toBeTruthy();
      } catch (error) {
        expect(answers.some((candidate) => candidate === error)).toBe(true);
        expect(isJarvisError(error, "OJ_ABORTED")).toBe(false);
      }
      expect(engine.callCount).toBeLessThanOrEqual(2 * maxTurns + 2);
      expect(shell.calls).toEqual([]);
      events.assertBalanced();
      expect(events.counts).toMatchObject({ AGENT_TURN_START: 1, AGENT_TURN_END: 1 });
      for (const { messages } of engine.calls) assertHistory(messages);
    }),
    { numRuns: 2000 },
  );
  expect([...seen.keys()].sort()).toEqual([
    "aborted",
    "empty",
    "final",
    "loop_guard",
    "max_turns",
    "parse_error",
  ]);
});

/** One system message; nothing that is empty; native calls answered one by one; every other reply answered by the user's side. */
function assertHistory(messages: readonly Message[]): void {
  expect(messages.filter(({ role }) => role === "system")).toHaveLength(1);
  let open: string[] = [];
  let last: Message | undefined;
  for (const message of messages) {
    const { role, content, toolCalls = [], toolCallId = "" } = message;
    if (role === "tool") expect(open.shift()).toBe(toolCallId);
    else expect(open).toEqual([]);
    if (role !== "tool" && toolCalls.length === 0) expect(content?.trim()).not.toBe("");
    if (role === "assistant") expect(last?.role).not.toBe("assistant");
    if (role === "assistant") open = toolCalls.map(({ id }) => id);
    last = message;
  }
  expect(open).toEqual([]);
}
