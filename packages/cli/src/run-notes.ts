import type { EventBus } from "@openjarvis/core";
import type { AskResult } from "@openjarvis/sdk";
import { logEvents } from "./event-log.js";
import type { Terminal } from "./terminal.js";

/** Options of {@link RunNotes}. */
export interface RunNotesOptions {
  bus: EventBus;
  terminal: Terminal;
  verbose: boolean;
  /** Whether somebody can allow tool calls; if not, a refused one is explained. */
  canConfirm: boolean;
}

/** Tells a person beside the answer what they should know of a run: warnings, refused tools, and every event if wanted. */
export class RunNotes {
  readonly #terminal: Terminal;
  readonly #stop: (() => void)[] = [];
  readonly #told = new Set<string>();

  constructor({ bus, terminal, verbose, canConfirm }: RunNotesOptions) {
    this.#terminal = terminal;
    if (verbose) this.#stop.push(logEvents(bus, terminal));
    this.#stop.push(bus.subscribe("WARNING", ({ data }) => this.warn(data.message)));
    if (canConfirm) return;
    this.#stop.push(
      bus.subscribe("TOOL_CALL_END", ({ data }) => {
        if (data.code !== "OJ_TOOL_DENIED") return;
        this.warn(
          `Tool "${data.tool}" was not run: it needs a yes, and there is no terminal to ask. --yes allows it.`,
        );
      }),
    );
  }

  /** Shows a warning, once. */
  warn(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#terminal.note(`warning: ${message}`, "yellow");
  }

  /** Shows the warnings of a result that were not shown yet. */
  warningsOf({ metadata }: AskResult): void {
    for (const warning of metadata.warnings ?? []) this.warn(warning);
  }

  close(): void {
    for (const stop of this.#stop) stop();
  }
}
