import type { QuickJSDeferredPromise, QuickJSHandle } from "quickjs-emscripten-core";
import type { CallArguments, Settle } from "../protocol.js";
import { GuestMemoryError, type Vm } from "./vm.js";

/** Most characters of the arguments of one call as JSON, long texts not counted: the host reads them in one go. */
const maxJsonChars = 500_000;
/** Most characters of the arguments of all calls that wait for an answer. */
const maxWaitingChars = 32_000_000;

interface Waiting {
  deferred: QuickJSDeferredPromise;
  /** The error that the guest gets when the call fails. */
  failure: QuickJSHandle;
  chars: number;
}

/** The calls of host functions that wait for an answer. */
export class HostCallTable {
  readonly #vm: Vm;
  readonly #waiting = new Map<number, Waiting>();
  #made = 0;
  #chars = 0;

  constructor(vm: Vm) {
    this.#vm = vm;
  }

  /** Calls made, answered or not. */
  get made(): number {
    return this.#made;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Notes a call. Gives its number and its promise, which is the caller's. Throws an error for the guest. */
  add(name: string, args: CallArguments, failure: QuickJSHandle): { call: number; promise: QuickJSHandle } {
    if (args.json.length > maxJsonChars) {
      throw new RangeError(`${name}: the arguments are longer than ${maxJsonChars} characters as JSON`);
    }
    const chars = args.texts.reduce((sum, { text }) => sum + text.length, args.json.length);
    if (this.#chars + chars > maxWaitingChars) {
      throw new RangeError(
        `${name}: more than ${maxWaitingChars} characters wait for an answer; await them first`,
      );
    }
    const deferred = this.#vm.withReserve(() => this.#vm.context.newPromise());
    this.#made += 1;
    this.#chars += chars;
    this.#waiting.set(this.#made, { deferred, failure: failure.dup(), chars });
    return { call: this.#made, promise: deferred.handle };
  }

  /** Gives the guest an answer. A call that is not known is over. */
  settle(call: number, answer: Settle["answer"]): void {
    const waiting = this.#waiting.get(call);
    if (waiting === undefined) return;
    this.#waiting.delete(call);
    this.#chars -= waiting.chars;
    const { deferred, failure } = waiting;
    if (answer.ok) this.#resolve(deferred, failure, answer.value);
    else this.#reject(deferred, failure, answer.name, answer.message);
    failure.dispose();
  }

  /** Forgets the calls that wait: their promises stay pending. */
  clear(): void {
    for (const { deferred, failure } of this.#waiting.values()) {
      deferred.dispose();
      failure.dispose();
    }
    this.#waiting.clear();
    this.#chars = 0;
  }

  #resolve(
    deferred: QuickJSDeferredPromise,
    failure: QuickJSHandle,
    value: Parameters<Vm["newValue"]>[0],
  ): void {
    let handle: QuickJSHandle;
    try {
      handle = this.#vm.newValue(value);
    } catch (error) {
      if (!(error instanceof GuestMemoryError)) throw error;
      this.#reject(deferred, failure, "InternalError", "out of memory: the result of the call does not fit");
      return;
    }
    this.#vm.withReserve(() => deferred.resolve(handle));
    handle.dispose();
  }

  #reject(deferred: QuickJSDeferredPromise, failure: QuickJSHandle, name: string, message: string): void {
    this.#vm.withReserve(() => {
      const texts = [this.#vm.newText(name), this.#vm.newText(message.slice(0, 10_000))];
      const set = this.#vm.callApi("setMessage", failure, ...texts);
      (set.error ?? set.value).dispose();
      deferred.reject(failure);
      for (const text of texts) text.dispose();
    });
  }
}
