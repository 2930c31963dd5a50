import { readFileSync } from "node:fs";
import wasmAddress from "@jitl/quickjs-wasmfile-release-sync/wasm";

/**
 * The interpreter, compiled. This module comes before all others of the worker: threads of the engine compile it while
 * the worker loads the rest.
 */
export const compiled: Promise<WebAssembly.Module> = WebAssembly.compile(
  readFileSync(new URL(wasmAddress, import.meta.url)),
);
