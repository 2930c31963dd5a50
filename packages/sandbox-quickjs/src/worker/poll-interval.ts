import type { QuickJSContext } from "quickjs-emscripten-core";
import type { RawModule } from "./quickjs.js";

/** Most turns of loops, or calls, between two questions; some 3 µs. Fewer would slow loops down, more than by a tenth. */
const mostTurns = 50;
/** Turns before the first question of a stretch: nothing is known of how long they take. */
const firstTurns = 2;
/** Milliseconds between two questions that are still often enough. */
const wantedMs = 1;

/** Where in a context the counter stands; the same for every context of a build. `null` when it was not found. */
let offset: number | null | undefined;

/**
 * Makes the interpreter ask often enough whether it must stop.
 *
 * QuickJS asks its interrupt handler after every 10,000 turns of a loop and calls of functions, however long they take:
 * a loop over calls of 5 ms, such as searches in a long text, would be asked first after 50 s. The counter that it
 * counts down is a field of its context (`JSContext.interrupt_counter` in quickjs.c) and is set here to follow the
 * clock. Where the field is not found, QuickJS's own interval stays, and a cell that it cannot stop in time is ended
 * with its worker.
 */
export class PollInterval {
  readonly #raw: RawModule;
  readonly #index: number | undefined;
  #words: Int32Array;
  #last = 0;
  #turns = firstTurns;

  constructor(raw: RawModule, context: QuickJSContext) {
    this.#raw = raw;
    this.#words = new Int32Array(raw.HEAPU8.buffer);
    const pointer = contextPointer(context);
    if (pointer === undefined) return;
    offset ??= findCounter(raw, context, pointer) ?? null;
    if (offset !== null) this.#index = (pointer + offset) / 4;
  }

  /** Whether the counter was found. */
  get adjustable(): boolean {
    return this.#index !== undefined;
  }

  /** Begins a stretch of computing. */
  start(nowMs: number): void {
    this.#last = nowMs;
    this.#turns = firstTurns;
    this.#set(firstTurns);
  }

  /** Sets the next interval, at a question of the interpreter. */
  next(nowMs: number): void {
    const passed = nowMs - this.#last;
    this.#last = nowMs;
    const turns = passed > wantedMs ? Math.floor((this.#turns * wantedMs) / passed) : this.#turns * 2;
    this.#turns = Math.min(Math.max(turns, 1), mostTurns);
    this.#set(this.#turns);
  }

  /** Has the interpreter ask at once. */
  now(): void {
    this.#set(1);
  }

  #set(turns: number): void {
    if (this.#index === undefined) return;
    // The buffer is another one when the memory has grown.
    if (this.#words.buffer !== this.#raw.HEAPU8.buffer) this.#words = new Int32Array(this.#raw.HEAPU8.buffer);
    this.#words[this.#index] = turns;
  }
}

function contextPointer(context: QuickJSContext): number | undefined {
  const lifetime: unknown = Reflect.get(context, "ctx");
  const pointer: unknown =
    typeof lifetime === "object" && lifetime !== null ? Reflect.get(lifetime, "value") : undefined;
  return typeof pointer === "number" && pointer % 4 === 0 ? pointer : undefined;
}

/** Finds the one word of a context that counts down while a loop runs. */
function findCounter(raw: RawModule, context: QuickJSContext, pointer: number): number | undefined {
  const words = 128;
  const snapshot = () => new Int32Array(raw.HEAPU8.buffer, pointer, words).slice();
  const loop = context.evalCode("(function (n) { for (let i = 0; i < n; i++); })", "poll");
  if (loop.error) return undefined;
  const run = (turns: number) => {
    const argument = context.newNumber(turns);
    context.callFunction(loop.value, context.undefined, argument).unwrap().dispose();
    argument.dispose();
    return snapshot();
  };
  try {
    const [first, second, third] = [run(1), run(200), run(50)];
    const found = [...first.keys()].filter((index) => {
      const [a, b, c] = [first[index] ?? 0, second[index] ?? 0, third[index] ?? 0];
      return a > b && b > c && c > 0 && a <= 10_000 && a - b >= 200 && b - c >= 50 && a - b > b - c;
    });
    return found.length === 1 && found[0] !== undefined ? found[0] * 4 : undefined;
  } finally {
    loop.value.dispose();
  }
}
