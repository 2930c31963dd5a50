import { createId } from "./ids.js";
import type { ToolCall } from "./message.js";
import type { ToolExecutor } from "./tool-executor.js";

/** The calls of one run in the form that servers accept when they get them back. */
export class HistoryCalls {
  readonly #executor: ToolExecutor;
  readonly #ids = new Set<string>();

  constructor(executor: ToolExecutor) {
    this.#executor = executor;
  }

  /** The calls with ids that no earlier call of the run has: some servers count from zero in every answer. */
  withUniqueIds(calls: readonly ToolCall[]): readonly ToolCall[] {
    return calls.map((call) => {
      const id = this.#ids.has(call.id) ? createId("call") : call.id;
      this.#ids.add(id);
      return id === call.id ? call : { ...call, id };
    });
  }

  /**
   * A call under the name of the tool it means. Servers refuse a history with a name outside letters, digits, `_` and
   * `-`, and a model may have written anything.
   */
  withWireName(call: ToolCall): ToolCall {
    const known = this.#executor.findTool(call.name)?.spec.name;
    const name = known ?? (call.name.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64) || "unknown");
    return name === call.name ? call : { ...call, name };
  }
}
