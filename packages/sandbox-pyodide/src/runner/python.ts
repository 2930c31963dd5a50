import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { loadPyodide, PyodideAPI } from "pyodide";
import bridge from "../python/bridge.py";
import eventloop from "../python/eventloop.py";
import hostcalls from "../python/hostcalls.py";
import lockdown from "../python/lockdown.py";
import report from "../python/report.py";
import rewrite from "../python/rewrite.py";
import session from "../python/session.py";
import streams from "../python/streams.py";
import type { RuntimeFiles } from "./shell.js";

/** The modules of the package `_openjarvis`, each after those it imports. */
const modules = { bridge, streams, hostcalls, eventloop, rewrite, report, session, lockdown };

/** A text, or a long text as UTF-8. */
export type Body = string | Uint8Array;

/** What Python calls; `bridge.py` says what each does. */
export interface BridgeFunctions {
  write(stream: number, text: string, skipped: number, tail: string): void;
  call(number: number, name: string, args: string): void;
  wait(milliseconds: number): boolean;
  take(): [number, string, Body] | undefined;
  arm(armed: boolean, report?: boolean): void;
}

/** `session.py`'s object. */
export interface PythonSession {
  open(functions: string): void;
  reset(): void;
  set(name: string, kind: string, body: Body): void;
  run(code: Body, maxChars: number): string;
}

/** Emscripten's module, as far as the runner uses it. */
export interface WasmModule {
  memory: WebAssembly.Memory;
  _PyThreadState_Get(): number;
  _PyUnstable_ThreadState_SetStackProtection(thread: number, start: number, bytes: number): number;
  _emscripten_stack_get_base(): number;
}

/**
 * Bounds Python's C stack, so that deep recursion is a RecursionError. The stack of the WebAssembly engine, which nothing
 * could recover from, grows with it, about fifteen times as fast.
 */
export function boundStack(module: WasmModule, bytes: number): void {
  const start = module._emscripten_stack_get_base() - bytes;
  module._PyUnstable_ThreadState_SetStackProtection(module._PyThreadState_Get(), start, bytes);
}

/** Reads the files Pyodide needs to start. */
export function readRuntimeFiles(dir: string): RuntimeFiles {
  return new Map(
    ["pyodide.asm.wasm", "python_stdlib.zip"].map((name) => [name, readFileSync(join(dir, name))] as const),
  );
}

/** What Pyodide compares with its own version; the packages it would offer for download are left out. */
export function readPackageIndex(dir: string): object {
  const { info } = JSON.parse(readFileSync(join(dir, "pyodide-lock.json"), "utf8")) as { info: object };
  return { info, packages: {} };
}

/**
 * Starts Pyodide in the shell that `becomeShell` made.
 *
 * @param options.index what `readPackageIndex` gave
 * @param options.snapshot a memory snapshot to start from, or "make" when one is to be made
 */
export async function startPyodide(
  dir: string,
  { index, snapshot }: { index: object; snapshot: Uint8Array | "make" | undefined },
): Promise<PyodideAPI> {
  const load = async (name: string): Promise<Record<string, unknown>> =>
    import(pathToFileURL(join(dir, name)).href);
  const { default: createPyodideModule } = await load("pyodide.asm.mjs");
  const start = (await load("pyodide.mjs")).loadPyodide as typeof loadPyodide;
  const options = {
    indexURL: "/pyodide/",
    createPyodideModule,
    // Nothing of JavaScript but what the library itself asks for.
    jsglobals: Object.assign(Object.create(null), {
      Object,
      Array,
      Map,
      Promise,
      setTimeout,
      clearTimeout,
    }) as object,
    lockFileContents: index,
    stdin: () => null,
    env: { HOME: "/home/user", PYTHONINSPECT: "" },
    _makeSnapshot: snapshot === "make",
    _loadSnapshot: snapshot === "make" ? undefined : snapshot,
  };
  return start(options as unknown as Parameters<typeof loadPyodide>[0]);
}

const loader = `
def load(modules):
    import sys, types
    package = types.ModuleType("_openjarvis")
    package.__path__ = []
    sys.modules["_openjarvis"] = package
    for name, source in modules.items():
        module = types.ModuleType("_openjarvis." + name)
        sys.modules[module.__name__] = module
        setattr(package, name, module)
        exec(compile(source, "<openjarvis " + name + ">", "exec"), vars(module))
    package.session.current = package.session.install()
load
`;

/** Loads the package `_openjarvis` into a fresh interpreter. */
export function loadRuntime(pyodide: PyodideAPI): void {
  const globals = pyodide.toPy({});
  const load = pyodide.runPython(loader, { globals });
  const sources = pyodide.toPy(modules);
  load(sources);
  for (const proxy of [sources, load, globals]) proxy.destroy();
}

/** Connects the package `_openjarvis` with JavaScript, and takes from Python every other way to it. */
export function connectRuntime(pyodide: PyodideAPI, functions: BridgeFunctions): PythonSession {
  const runtime = pyodide.pyimport("_openjarvis");
  runtime.bridge.connect(functions);
  const current = runtime.session.current.copy() as PythonSession;
  runtime.lockdown.close();
  runtime.destroy();
  return current;
}
