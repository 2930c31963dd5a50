import { z } from "zod";
import { defineTool, EventBus, ToolExecutor, type ToolExecutorOptions } from "../src/index.js";
import { recordEvents } from "./support.js";

export const calculator = defineTool({
  name: "calculator",
  description: "Adds.",
  category: "math",
  parameters: { type: "object", properties: { expression: { type: "string" } }, required: ["expression"] },
  run: ({ expression }) => String(expression.split("+").reduce((sum, part) => sum + Number(part), 0)),
});
export const think = defineTool({
  name: "think",
  description: "Thinks.",
  parameters: z.object({ thought: z.string() }),
  run: ({ thought }) => thought,
});
export const now = defineTool({ name: "now", description: "The time.", run: () => "noon" });

/** An executor with three tools on a bus, and what it publishes. */
export function setUp(options: Partial<ToolExecutorOptions> = {}) {
  const bus = new EventBus();
  const events = recordEvents(bus);
  const executor = new ToolExecutor({ tools: [calculator, think, now], bus, agentId: "tester", ...options });
  const types = () => events.map((event) => event.type);
  return { bus, events, executor, types };
}
