import { spyTool } from "@openjarvis/testing";
import fc from "fast-check";
import { expect, it } from "vitest";
import { calculator } from "./setup.js";
import { structured } from "./structured-setup.js";

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "THOUGHT: ",
      "TOOL: ",
      "INPUT: ",
      "FINAL_ANSWER: ",
      "Observation: ",
      "Action: ",
    ),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom("calculator", "shell", "nope", "None", "1+1", '{"expression":"1+1"}', "{"),
  },
  { weight: 3, arbitrary: fc.constantFrom("\n", "\n\n", "```", "**", "<think>", "</think>", "<tool_call>") },
  fc.string({ unit: "binary", maxLength: 12 }),
);
const reply = fc.record(
  {
    text: fc.array(piece, { maxLength: 14 }).map((parts) => parts.join("")),
    finishReason: fc.constantFrom("stop", "length", "odd"),
  },
  { requiredKeys: ["text"] },
);

it("ends every structured run within its turns and with balanced events, whatever the model writes", {
  timeout: 60_000,
}, async () => {
  const shell = spyTool("shell", { requiresConfirmation: true });
  await fc.assert(
    fc.asyncProperty(
      fc.array(reply, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 6 }),
      async (replies, maxTurns) => {
        let asked = 0;
        const { agent, engine, events } = structured(() => replies[asked++ % replies.length] ?? "", {
          tools: [calculator, shell.tool],
          maxTurns,
        });
        const { turns, toolResults, metadata, content } = await agent.run("q");
        expect(turns).toBeLessThanOrEqual(maxTurns);
        if (metadata.stopReason === "final") expect(content).not.toBe("");
        expect(engine.callCount).toBeLessThanOrEqual(maxTurns + 2);
        expect(events.counts.TOOL_CALL_END ?? 0).toBe(toolResults.length);
        expect(shell.calls).toEqual([]);
        events.assertBalanced();
        for (const { messages } of engine.calls) {
          for (const message of messages) expect(message.content?.trim()).not.toBe("");
        }
      },
    ),
    { numRuns: 1500 },
  );
});
