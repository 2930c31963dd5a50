import { isJarvisError, JarvisError, type Message } from "@openjarvis/core";
import { type ScriptedAnswer, type ScriptedReply, spyTool } from "@openjarvis/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { calculator, setup, think } from "./setup.js";

const text = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.constantFrom("", "\n\n", "ok", "<think>", "</think>x", "[THINK]", "```", "\u0000"),
  },
  fc.string({ unit: "binary", maxLength: 30 }),
);

const name = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom("calculator", "think", "shell", "slow", "throws") },
  fc.constantFrom("Calculator", " think", "functions.shell", "nope", "", "__proto__", null),
  text,
);

const args = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom('{"expression":"1+1"}', '{"thought":"x"}', '{"text":"x"}') },
  fc.constantFrom("", "{}", "{bad", "[]", "null", '"x"', '{"expression":', '{"__proto__":1}', null),
  fc.json({ maxDepth: 3 }),
  fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 })),
  text,
);

const call = fc.record(
  { name, arguments: args, id: fc.option(fc.constantFrom("a", "b", "call_0")), index: fc.nat({ max: 3 }) },
  { requiredKeys: [] },
);

const reply: fc.Arbitrary<ScriptedReply> = fc.record(
  {
    text: fc.oneof(text, fc.array(text, { maxLength: 3 }), fc.constant(null)),
    reasoning: text,
    toolCalls: fc.array(call, { maxLength: 5 }),
    usage: fc.record({ promptTokens: fc.nat(), completionTokens: fc.nat() }, { requiredKeys: [] }),
    finishReason: fc.option(fc.constantFrom("stop", "length", "tool_calls", "content_filter", "", "odd")),
    warnings: fc.array(text, { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

const failure = fc.constantFrom<Error[]>(
  new JarvisError("OJ_ENGINE_SERVER", "500"),
  new JarvisError("OJ_ENGINE_CONTEXT_LENGTH", "too long"),
  new TypeError("defect"),
);

const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 20, arbitrary: reply },
  { weight: 3, arbitrary: text },
  failure,
);

const scenario = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 10 }),
  maxTurns: fc.integer({ min: 1, max: 6 }),
  parallelTools: fc.boolean(),
  abortAtCall: fc.option(fc.nat({ max: 6 })),
  conversation: fc.array(
    fc.record({
      role: fc.constantFrom<Message["role"][]>("system", "user", "assistant"),
      content: fc.option(text),
    }),
    { maxLength: 3 },
  ),
});

it("ends every run within its turns and with balanced events, whatever the model does", {
  timeout: 60_000,
}, async () => {
  const shell = spyTool("shell", { requiresConfirmation: true });
  const slow = spyTool("slow", {
    run: ({ text: given }) => new Promise((resolve) => setImmediate(() => resolve(given))),
  });
  const throws = spyTool("throws", {
    run: () => {
      throw new Error("always");
    },
  });
  const tools = [calculator, think, shell.tool, slow.tool, throws.tool];

  await fc.assert(
    fc.asyncProperty(scenario, async ({ answers, maxTurns, parallelTools, abortAtCall, conversation }) => {
      const controller = new AbortController();
      let asked = 0;
      const { agent, engine, events } = setup(
        () => {
          if (asked === abortAtCall) controller.abort();
          asked += 1;
          return answers[(asked - 1) % answers.length] ?? "";
        },
        { tools, maxTurns, parallelTools },
      );
      try {
        const result = await agent.run("question", { conversation }, { signal: controller.signal });
        expect(typeof result.content).toBe("string");
        expect(result.turns).toBeLessThanOrEqual(maxTurns);
        expect(["final", "max_turns", "loop_guard", "aborted", "empty"]).toContain(
          result.metadata.stopReason,
        );
        expect(events.counts.TOOL_CALL_END ?? 0).toBe(result.toolResults.length);
        for (const { success, metadata } of result.toolResults) expect(success || metadata.code).toBeTruthy();
      } catch (error) {
        expect(answers.some((candidate) => candidate === error)).toBe(true);
        expect(isJarvisError(error, "OJ_ABORTED")).toBe(false);
      }
      // A turn may be asked twice (too long), then two continuations or a closing answer that is asked twice.
      expect(engine.callCount).toBeLessThanOrEqual(2 * maxTurns + 2);
      expect(shell.calls).toEqual([]);
      events.assertBalanced();
      expect(events.counts).toMatchObject({ AGENT_TURN_START: 1, AGENT_TURN_END: 1 });
      for (const { messages } of engine.calls) assertHistory(messages);
    }),
    { numRuns: 1500 },
  );
});

/** What chat servers demand of a history: legal names, and each call answered once, right after it, in its place. */
function assertHistory(messages: readonly Message[]): void {
  expect(messages.filter(({ role }) => role === "system").length).toBeLessThanOrEqual(1);
  let open: string[] = [];
  const seen = new Set<string>();
  for (const { role, toolCalls = [], toolCallId = "", name: tool } of messages) {
    if (role === "tool") {
      expect(open.shift()).toBe(toolCallId);
      expect(tool).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      continue;
    }
    expect(open).toEqual([]);
    open = toolCalls.map(({ id }) => id);
    for (const { id, name: called } of toolCalls) {
      expect(called).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(seen.has(id)).toBe(false);
      seen.add(id);
    }
  }
  expect(open).toEqual([]);
}
