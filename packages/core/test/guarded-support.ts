import {
  type AnyEvent,
  type BaseTool,
  defineTool,
  EventBus,
  ToolExecutor,
  type ToolExecutorOptions,
} from "../src/index.js";
import { recordEvents } from "./support.js";

/** An executor with one tool on a bus, and what it publishes. */
export function setUp(tool: BaseTool, options: Partial<ToolExecutorOptions> = {}) {
  const bus = new EventBus();
  const events = recordEvents(bus);
  return { bus, events, executor: new ToolExecutor({ tools: [tool], bus, ...options }) };
}

export const typesOf = (events: readonly AnyEvent[]) => events.map((event) => event.type);
export const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A tool that asks before it runs and counts its runs. */
export function guarded(extra: { requiresConfirmation?: boolean } = { requiresConfirmation: true }) {
  const runs: unknown[] = [];
  const tool = defineTool({
    name: "delete",
    description: "Deletes a file.",
    ...extra,
    parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    run: (params) => {
      runs.push(params);
      return "deleted";
    },
  });
  return { tool, runs };
}
export const call = { id: "c1", name: "delete", arguments: '{"path":"/x"}' };
