import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from "quickjs-emscripten-core";
import type { GuestApi } from "../guest/natives.js";
import type { CallArguments, GuestValue, VmLimits } from "../protocol.js";
import { PollInterval } from "./poll-interval.js";
import type { QuickJs } from "./quickjs.js";

/** What the running cell does for its interpreter. */
export interface VmHandler {
  /** Whether the interpreter must stop; asked again and again while it computes. */
  shouldStop(): boolean;
  write(stream: "stdout" | "stderr", text: string, skipped?: number, tail?: string): void;
  /** Begins a call of a host function. What it throws is thrown in the guest. */
  call(name: string, args: CallArguments, failure: QuickJSHandle): QuickJSHandle;
}

/** The guest's memory does not hold what the host wants to put in. */
export class GuestMemoryError extends Error {}

/** The name of the guest's side in stack traces. */
export const guestFile = "<sandbox>";

/** Bytes above the limit for what the host itself makes in the guest, so that a full guest can still be talked to. */
const reserveBytes = 1 << 20;

type ApiName = keyof GuestApi;

const apiNames = [
  "provide",
  "begin",
  "inspect",
  "json",
  "describe",
  "declare",
  "setVariable",
  "parse",
  "setMessage",
] as const satisfies readonly ApiName[];

/** One interpreter with the guest's side set up. */
export class Vm {
  readonly context: QuickJSContext;
  readonly runtime: QuickJSRuntime;
  readonly poll: PollInterval;
  /** The cell that runs. */
  handler: VmHandler | undefined;
  readonly #api: ReadonlyMap<ApiName, QuickJSHandle>;
  #memoryBytes = 64 * 1024 * 1024;

  constructor({ library, raw }: QuickJs, guestSource: string) {
    this.runtime = library.newRuntime();
    this.context = this.runtime.newContext();
    this.poll = new PollInterval(raw, this.context);
    this.setLimits({ memoryBytes: this.#memoryBytes, stackBytes: 256 * 1024 });
    this.runtime.setInterruptHandler(() => this.handler?.shouldStop() ?? false);
    this.#api = this.#install(guestSource);
  }

  setLimits({ memoryBytes, stackBytes }: VmLimits): void {
    this.#memoryBytes = memoryBytes;
    this.runtime.setMemoryLimit(memoryBytes);
    this.runtime.setMaxStackSize(stackBytes);
  }

  /** Calls a function of the guest's side. A failure is the caller's to dispose. */
  callApi(name: ApiName, ...args: QuickJSHandle[]) {
    return this.context.callFunction(this.#handleOf(name), this.context.undefined, args);
  }

  /** Gives the guest its host functions. */
  provide(functions: readonly string[]): void {
    const list = this.newText(JSON.stringify(functions));
    this.callApi("provide", list).unwrap().dispose();
    list.dispose();
  }

  /** Begins a cell that may print so many characters. */
  begin(maxChars: number): void {
    const limit = this.context.newNumber(maxChars);
    const begun = this.callApi("begin", limit);
    (begun.error ?? begun.value).dispose();
    limit.dispose();
  }

  /** Makes global names exist. Throws a {@link GuestMemoryError} when there is no room. */
  declare(names: readonly string[]): void {
    const list = this.newText(JSON.stringify(names));
    const declared = this.callApi("declare", list);
    list.dispose();
    (declared.error ?? declared.value).dispose();
    if (declared.error) throw new GuestMemoryError();
  }

  /** A text in the guest. Throws a {@link GuestMemoryError} when there is no room. */
  newText(text: string): QuickJSHandle {
    if (text.includes("\0") || !text.isWellFormed()) return this.#parse(JSON.stringify(text));
    return this.#checked(this.context.newString(text));
  }

  /** A JSON value in the guest. Throws a {@link GuestMemoryError} when there is no room. */
  newValue(value: GuestValue): QuickJSHandle {
    switch (value.kind) {
      case "text":
        return this.newText(value.text);
      case "json":
        return this.#parse(value.text);
      case "undefined":
        return this.context.undefined;
    }
  }

  /** Runs `work` with some memory above the guest's limit. */
  withReserve<T>(work: () => T): T {
    this.runtime.setMemoryLimit(this.#memoryBytes + reserveBytes);
    try {
      return work();
    } finally {
      this.runtime.setMemoryLimit(this.#memoryBytes);
    }
  }

  /** Whether a part of the memory is free that lets a session go on. */
  hasRoom(): boolean {
    const text = this.context.newString("x".repeat(Math.max(reserveBytes / 2, this.#memoryBytes / 32)));
    const isText = this.context.typeof(text) === "string";
    text.dispose();
    return isText;
  }

  #parse(json: string): QuickJSHandle {
    const text = this.#checked(this.context.newString(json));
    const parsed = this.callApi("parse", text);
    text.dispose();
    if (!parsed.error) return parsed.value;
    parsed.error.dispose();
    throw new GuestMemoryError();
  }

  #checked(handle: QuickJSHandle): QuickJSHandle {
    // For what could not be made the library gives a handle of no type.
    if (this.context.typeof(handle) === "string") return handle;
    throw new GuestMemoryError();
  }

  #handleOf(name: ApiName): QuickJSHandle {
    const handle = this.#api.get(name);
    if (handle === undefined) throw new Error(`The guest's side has no ${name}.`);
    return handle;
  }

  #install(source: string): ReadonlyMap<ApiName, QuickJSHandle> {
    const { context } = this;
    const install = context.evalCode(source, guestFile, { type: "global" }).unwrap();
    const natives = [this.#nativeWrite(), this.#nativeCall(), this.#nativePromiseState()];
    const api = context.callFunction(install, context.undefined, ...natives).unwrap();
    const handles = new Map(apiNames.map((name) => [name, context.getProp(api, name)]));
    for (const handle of [install, ...natives, api]) handle.dispose();
    return handles;
  }

  #nativeWrite(): QuickJSHandle {
    const { context } = this;
    return context.newFunction("write", (stream, text, skipped, tail) => {
      const name = stream !== undefined && context.getNumber(stream) === 1 ? "stderr" : "stdout";
      const more = skipped === undefined ? 0 : context.getNumber(skipped);
      this.handler?.write(name, this.#textOf(text), more, tail === undefined ? "" : this.#textOf(tail));
    });
  }

  #nativeCall(): QuickJSHandle {
    const { context } = this;
    return context.newFunction("call", (name, json, failure, ...long) => {
      if (this.handler === undefined || failure === undefined) throw new Error("No cell is running.");
      const texts: { index: number; text: string }[] = [];
      for (let at = 0; at + 1 < long.length; at += 2) {
        const index = context.getNumber(long[at] ?? context.undefined);
        texts.push({ index, text: this.#textOf(long[at + 1]) });
      }
      const args = { json: this.#textOf(json), texts };
      // None of these is ever empty: there was no room to hand it out.
      if (args.json === "" || texts.some(({ text }) => text === "")) {
        throw new RangeError("out of memory: the arguments are too large");
      }
      return this.handler.call(this.#textOf(name), args, failure);
    });
  }

  /** A text of the guest; empty when it cannot be read. */
  #textOf(handle: QuickJSHandle | undefined): string {
    if (handle === undefined) return "";
    // It is empty, too, when the memory is full.
    return this.context.getString(handle) || this.withReserve(() => this.context.getString(handle));
  }

  #nativePromiseState(): QuickJSHandle {
    const { context } = this;
    return context.newFunction("promiseState", (value) => {
      const state = context.getPromiseState(value ?? context.undefined);
      if (state.type === "pending") return context.newNumber(1);
      if (state.type === "fulfilled" && state.notAPromise === true) return context.newNumber(0);
      (state.type === "rejected" ? state.error : state.value).dispose();
      return context.newNumber(state.type === "rejected" ? 3 : 2);
    });
  }
}
