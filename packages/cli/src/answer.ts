import { createId, type EventBus, type JarvisEvent, type StopReason } from "@openjarvis/core";
import type { AskOptions, AskResult, Jarvis } from "@openjarvis/sdk";
import { exitCodes } from "./exit-codes.js";
import type { Terminal } from "./terminal.js";

/** Options of {@link answer}. */
export interface AnswerOptions {
  jarvis: Jarvis;
  terminal: Terminal;
  query: string;
  options: AskOptions;
  /** Whether pieces are shown as they arrive. */
  live: boolean;
}

/** Asks, and writes the answer to standard output. */
export async function answer({ jarvis, terminal, query, options, live }: AnswerOptions): Promise<AskResult> {
  if (!live) {
    const result = await jarvis.askFull(query, options);
    if (result.content !== "") terminal.print(result.content);
    return result;
  }
  const runId = options.runId ?? createId("run");
  const shown = new LiveText(jarvis.bus, runId, terminal);
  try {
    const result = await jarvis.askFull(query, { ...options, runId });
    shown.finish(result.content);
    return result;
  } finally {
    shown.close();
  }
}

/**
 * Shows the text of a run as it arrives. An agent may say something before it calls tools, or speak a protocol of its
 * own; when what was shown last is not the answer, the answer follows below.
 */
class LiveText {
  readonly #terminal: Terminal;
  readonly #stop: (() => void)[];
  #current = "";
  #complete = false;

  constructor(bus: EventBus, runId: string, terminal: Terminal) {
    this.#terminal = terminal;
    this.#stop = [
      bus.subscribe("INFERENCE_DELTA", (event) => {
        if (event.runId === runId) this.#add(event);
      }),
      bus.subscribe("INFERENCE_END", (event) => {
        if (event.runId === runId) this.#complete = true;
      }),
    ];
  }

  #add({ data }: JarvisEvent<"INFERENCE_DELTA">): void {
    if (data.kind !== "text" || data.text === "") return;
    if (this.#complete) {
      this.#complete = false;
      this.#current = "";
      this.#terminal.endOut();
    }
    this.#current += data.text;
    this.#terminal.out(data.text);
  }

  finish(content: string): void {
    this.#terminal.endOut();
    if (content !== "" && this.#current.trim() !== content.trim()) this.#terminal.print(content);
  }

  close(): void {
    this.#terminal.endOut();
    for (const stop of this.#stop) stop();
  }
}

/** Which engine answers, and why, on one line. */
export function engineLine({ name, reason }: { name: string; reason: string }): string {
  const prefix = `${name}: `;
  return `engine: ${name} (${reason.startsWith(prefix) ? reason.slice(prefix.length) : reason})`;
}

const stopNotes: Readonly<Record<Exclude<StopReason, "final" | "aborted">, string>> = {
  max_turns: "The agent used up its turns before it had a final answer; --max-turns allows more.",
  loop_guard: "The agent repeated itself and was stopped before it had a final answer.",
  parse_error: "The model did not keep to the agent's format, so there is no final answer.",
  empty: "The model gave no answer.",
};

/** What a person should know about how a run ended; nothing after a final answer. */
export function stopNote(reason: StopReason): string | undefined {
  if (reason === "final") return undefined;
  return reason === "aborted" ? "The run was cancelled." : stopNotes[reason];
}

/** What the process ends with after a run. */
export function exitCodeAfter(reason: StopReason): number {
  return reason === "final" ? exitCodes.ok : exitCodes.failed;
}
