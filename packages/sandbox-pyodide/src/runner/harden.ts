import { Buffer } from "node:buffer";
import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";

/** Properties of `process` through which code could reach other modules, other processes or the system. */
const dangerous = [
  "_debugEnd",
  "_debugProcess",
  "_kill",
  "_linkedBinding",
  "_rawDebug",
  "abort",
  "binding",
  "chdir",
  "dlopen",
  "emitWarning",
  "env",
  "execve",
  "exit",
  "finalizationRegistry",
  "getBuiltinModule",
  "initgroups",
  "kill",
  "loadEnvFile",
  "mainModule",
  "openStdin",
  "reallyExit",
  "report",
  "setegid",
  "seteuid",
  "setgid",
  "setgroups",
  "setuid",
  "stderr",
  "stdin",
  "stdout",
  "umask",
];

/** Makes the network unreachable from this process: the permission model of Node 20 to 24 does not cover it. */
export function disableNetwork(): void {
  const refuse = () => {
    throw new Error("there is no network in the sandbox");
  };
  const disarm = (target: object, names: readonly string[]) => {
    for (const name of names)
      Object.defineProperty(target, name, { value: refuse, writable: false, configurable: false });
  };
  disarm(net.Socket.prototype, ["connect"]);
  disarm(net.Server.prototype, ["listen"]);
  disarm(dgram.Socket.prototype, ["bind", "connect", "send"]);
  const functions = Object.entries(dns).filter(([, value]) => typeof value === "function");
  disarm(
    dns,
    functions.map(([name]) => name),
  );
}

/** Takes from `process` what reaches beyond this program; `process` itself is out of reach already. */
export function stripProcess(target: object): void {
  for (const name of dangerous) {
    try {
      Object.defineProperty(target, name, { value: undefined, writable: false, configurable: false });
    } catch {
      // What cannot be redefined (it differs between versions of Node) is assigned, where that is possible.
      Reflect.set(target, name, undefined);
    }
  }
}

/** What the language itself defines. */
const language = new Set(
  (
    "globalThis Infinity NaN undefined eval isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI " +
    "encodeURIComponent escape unescape Object Function Error AggregateError EvalError RangeError ReferenceError " +
    "SyntaxError TypeError URIError Boolean Symbol Number BigInt Math Date String RegExp Array Map Set WeakMap WeakSet " +
    "WeakRef FinalizationRegistry ArrayBuffer SharedArrayBuffer DataView Atomics JSON Promise Reflect Proxy Iterator " +
    "Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float16Array Float32Array " +
    "Float64Array BigInt64Array BigUint64Array Intl"
  ).split(" "),
);
/** Globals the runtime still uses after it has started. */
const needed = new Set(["performance", "TextDecoder", "TextEncoder", "WebAssembly", "os"]);

/**
 * Leaves of the global object the language itself and what the runtime still uses.
 *
 * @param broken called when the runtime says that it broke
 */
export function stripGlobals(broken: () => void): void {
  for (const key of Reflect.ownKeys(globalThis)) {
    if (typeof key === "string" && (language.has(key) || needed.has(key))) continue;
    Reflect.deleteProperty(globalThis, key);
  }
  const nothing = () => undefined;
  // The runtime calls these without asking; there is no event loop that would run a timer.
  const stubs = {
    console: { log: nothing, warn: nothing, error: broken },
    setTimeout: nothing,
    clearTimeout: nothing,
  };
  Object.assign(globalThis, stubs);
}

/**
 * Freezes everything that is reachable from the language's built-in objects, so that a guest that finds a way to
 * JavaScript cannot change how the runner itself works.
 */
export function freezeIntrinsics(): void {
  // Errors of JavaScript reach Python; where the files of the host lie is not its business.
  Error.stackTraceLimit = 0;
  const seen = new Set<object>();
  const todo: unknown[] = [...language, "WebAssembly", "TextDecoder", "TextEncoder", "performance"].map(
    (name) => (globalThis as Record<string, unknown>)[name],
  );
  // What no global names leads to.
  todo.push(
    Buffer,
    async () => {},
    function* () {},
    async function* () {},
    (function* () {})(),
  );
  todo.push([].values(), new Map().values(), new Set().values(), ""[Symbol.iterator](), "".matchAll(/x/g));
  while (todo.length > 0) {
    const item = todo.pop();
    if ((typeof item !== "object" && typeof item !== "function") || item === null) continue;
    if (seen.has(item) || item === globalThis) continue;
    seen.add(item);
    todo.push(Object.getPrototypeOf(item));
    for (const key of Reflect.ownKeys(item)) {
      const property = Reflect.getOwnPropertyDescriptor(item, key);
      if (property !== undefined) todo.push(property.value, property.get, property.set);
    }
    if (!ArrayBuffer.isView(item)) Object.freeze(item);
  }
}
