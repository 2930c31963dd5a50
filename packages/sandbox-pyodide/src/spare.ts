import type { PythonProcess } from "./python-process.js";

/** Time until a spare is replaced: the session that took it has the processor first. */
const refillMs = 250;

/** Makes the interpreter compile what almost every cell uses. */
const warmUp = `
import json
print(json.dumps({"a": [1, 2.5, None]}), f"{1/3:.2f}", sorted("ba"), sum(i * i for i in range(100)))
def f(x):
    return x
class C:
    pass
try:
    1 / 0
except ZeroDivisionError as error:
    str(error)
[f(x) for x in {"a": 1}.items()]
`;

/** One interpreter that waits for the next session. */
export class Spare {
  readonly #start: () => Promise<PythonProcess>;
  #kept = false;
  #waiting: Promise<PythonProcess | undefined> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(start: () => Promise<PythonProcess>) {
    this.#start = start;
  }

  /** Starts the spare, unless there is one, and replaces it whenever it is taken. */
  keep(): void {
    this.#kept = true;
    this.#waiting ??= this.#prepare();
  }

  /** The spare, once it is ready; nothing when there is none. */
  async take(): Promise<PythonProcess | undefined> {
    const waiting = this.#waiting;
    if (waiting === undefined) return undefined;
    this.#waiting = undefined;
    if (this.#kept) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#kept && this.keep(), refillMs).unref();
    }
    // It starts in the background; now somebody waits for it.
    const awake = setInterval(() => undefined, 60_000);
    const process = await waiting.finally(() => clearInterval(awake));
    if (process?.alive !== true) return undefined;
    process.background = false;
    return process;
  }

  /** Keeps none any more; who starts the processes ends them. */
  close(): void {
    this.#kept = false;
    clearTimeout(this.#timer);
    this.#waiting = undefined;
  }

  async #prepare(): Promise<PythonProcess | undefined> {
    try {
      const process = await this.#start();
      await process.request((id) => ({ type: "open", id, functions: [], stackBytes: 256 * 1024 }), "");
      await process.request(
        (id) => ({ type: "cell", id, maxOutputChars: 1_000, memoryBytes: 2 ** 28, patienceMs: 60_000 }),
        warmUp,
      );
      return process;
    } catch {
      // The session that would have taken it starts its own, and is told if that fails, too.
      return undefined;
    }
  }
}
