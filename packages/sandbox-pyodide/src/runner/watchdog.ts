import { Script } from "node:vm";

const name = "__openjarvis_cell__";

/**
 * Ends what runs too long even when the host is gone and Python is inside one endless operation, where it looks for no
 * interrupt: V8 terminates it from a thread of its own. The host is always earlier, as long as there is one.
 */
export class Watchdog {
  readonly #script = new Script(`${name}()`);

  /** Calls `work`. Throws when it has not returned after as many milliseconds; the interpreter is broken then. */
  run<T>(work: () => T, milliseconds: number): T {
    Object.defineProperty(globalThis, name, { value: work, configurable: true });
    return this.#script.runInThisContext({ timeout: milliseconds, displayErrors: false }) as T;
  }
}
