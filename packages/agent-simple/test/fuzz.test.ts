import { EventBus, InstrumentedEngine, isJarvisError, JarvisError } from "@openjarvis/core";
import { recordEvents, type ScriptedAnswer, ScriptedEngine } from "@openjarvis/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { SimpleAgent } from "../src/index.js";

const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom("", "<think>", "</think>x", "```", "[THINK]a", "\u0000", "🚀"),
);

const reply: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  text,
  fc.record(
    {
      text: fc.oneof(text, fc.array(text, { maxLength: 4 }), fc.constant(null)),
      reasoning: text,
      toolCalls: fc.array(
        fc.record({ name: fc.option(text), arguments: fc.option(text), id: fc.option(text) }),
        {
          maxLength: 3,
        },
      ),
      usage: fc.record(
        { promptTokens: fc.nat(), totalTokens: fc.constant(Number.NaN) },
        { requiredKeys: [] },
      ),
      finishReason: fc.option(
        fc.oneof(text, fc.constantFrom("stop", "length", "tool_calls", "content_filter")),
      ),
      delaySeconds: fc.constant(0.001),
    },
    { requiredKeys: [] },
  ),
  fc.constantFrom(new JarvisError("OJ_ENGINE_SERVER", "500"), new TypeError("defect")),
);

it("ends every run with balanced events, whatever the model says and whenever it is aborted", async () => {
  await fc.assert(
    fc.asyncProperty(reply, fc.string(), fc.option(fc.nat({ max: 2 })), async (answer, input, abortAfter) => {
      const bus = new EventBus();
      const events = recordEvents(bus);
      const controller = new AbortController();
      if (abortAfter === 0) controller.abort();
      else if (abortAfter !== null) setTimeout(() => controller.abort(), abortAfter);
      const engine = new ScriptedEngine([answer]);
      const agent = new SimpleAgent({ engine: new InstrumentedEngine(engine, bus), model: "m", bus });
      try {
        const { content, turns, metadata } = await agent.run(input, {}, { signal: controller.signal });
        expect(typeof content).toBe("string");
        expect(turns).toBeLessThanOrEqual(1);
        expect(["final", "empty", "aborted"]).toContain(metadata.stopReason);
        expect(content === "" || metadata.stopReason !== "empty").toBe(true);
        expect(Number.isInteger(metadata.usage.totalTokens)).toBe(true);
      } catch (error) {
        expect(answer).toBeInstanceOf(Error);
        expect(error === answer || isJarvisError(error, "OJ_ABORTED")).toBe(true);
      }
      expect(engine.callCount).toBeLessThanOrEqual(1);
      events.assertBalanced();
      expect(events.counts).toMatchObject({ AGENT_TURN_START: 1, AGENT_TURN_END: 1 });
    }),
    { numRuns: 300 },
  );
});
