/** The build puts the file beside the worker and its relative address here. */
declare module "@jitl/quickjs-wasmfile-release-sync/wasm" {
  const address: string;
  export default address;
}

/** The part of the platform's WebAssembly that is used; Node's own types leave it out. */
declare namespace WebAssembly {
  type Module = object;
  class Instance {
    constructor(module: Module, imports: unknown);
    readonly exports: unknown;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
