import { withoutControls } from "./control-characters.js";
import { formatBytes } from "./format-bytes.js";
import type { Terminal } from "./terminal.js";

const lineEveryMs = 5_000;
const redrawEveryMs = 100;

/** How far a model is fetched: a bar that is written over on a terminal, a line now and then elsewhere. */
export class PullProgress {
  readonly #terminal: Terminal;
  readonly #name: string;
  readonly #now: () => number;
  #status = "";
  #shownAt = Number.NEGATIVE_INFINITY;
  #drawn = false;

  constructor(terminal: Terminal, name: string, now: () => number = Date.now) {
    this.#terminal = terminal;
    this.#name = name;
    this.#now = now;
  }

  show(step: { completed: number; total: number; status: string }): void {
    const status = withoutControls(step.status).replace(/\s+/g, " ");
    const live = this.#terminal.hasLiveStatus;
    const due = this.#now() - this.#shownAt >= (live ? redrawEveryMs : lineEveryMs);
    const done = step.total > 0 && step.completed >= step.total;
    if (status === this.#status && !due && !done) return;
    if (status === this.#status && done && !live) return;
    this.#status = status;
    this.#shownAt = this.#now();
    const text = this.#text({ ...step, status });
    if (!live) {
      this.#terminal.note(text);
      return;
    }
    // Back to the start of the line, text, and away with what is left of the longer one before.
    this.#terminal.status(`\r${text}\u001b[K`);
    this.#drawn = true;
  }

  end(): void {
    if (this.#drawn) this.#terminal.status("\n");
    this.#drawn = false;
  }

  #text({ completed, total, status }: { completed: number; total: number; status: string }): string {
    if (total <= 0) return `${this.#name}: ${status}`.slice(0, this.#terminal.columns - 1);
    const share = Math.min(1, completed / total);
    const facts = `${Math.floor(share * 100)}% of ${formatBytes(total)}`;
    const room = Math.min(30, this.#terminal.columns - facts.length - 6);
    if (room < 5) return facts;
    const filled = Math.round(share * room);
    const head = `[${"=".repeat(filled)}${" ".repeat(room - filled)}] ${facts}`;
    const rest = this.#terminal.columns - head.length - 3;
    return rest > 10 ? `${head}  ${status.slice(0, rest)}` : head;
  }
}
