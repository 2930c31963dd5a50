import variantModule from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";
import { compiled } from "./compiled.js";

/** The part of Emscripten's module that is used beside the library. */
export interface RawModule {
  HEAPU8: Uint8Array;
  lengthBytesUTF8: (text: string) => number;
  stringToUTF8: (text: string, pointer: number, maxBytes: number) => void;
}

/** An instance of the interpreter with a memory of its own. */
export interface QuickJs {
  library: QuickJSWASMModule;
  raw: RawModule;
}

/** The library's package looks like CommonJS to the compiler and is ESM for the bundler. */
const base: QuickJSSyncVariant = "default" in variantModule ? variantModule.default : variantModule;

type Loaded = Awaited<ReturnType<QuickJSSyncVariant["importModuleLoader"]>>;
type Made = Awaited<ReturnType<Extract<Loaded, (...args: never) => unknown>>>;
type Loader = (options: object) => Promise<Made>;

/** Makes a new instance of the interpreter. The first takes some 10 ms, later ones 1 to 2. */
export async function loadQuickJs(): Promise<QuickJs> {
  const wasm = await compiled;
  let raw: RawModule | undefined;
  const variant: QuickJSSyncVariant = {
    ...base,
    async importModuleLoader() {
      const loaded = await base.importModuleLoader();
      const load = ("default" in loaded ? loaded.default : loaded) as Loader;
      return async () => {
        const made = await load({
          instantiateWasm(imports: unknown, done: (instance: WebAssembly.Instance) => void) {
            const instance = new WebAssembly.Instance(wasm, imports);
            done(instance);
            return instance.exports;
          },
          // What the interpreter says when it aborts is told by the error itself.
          print: ignore,
          printErr: ignore,
        });
        raw = made as unknown as RawModule;
        useFastText(raw);
        return made;
      };
    },
  };
  const library = await newQuickJSWASMModuleFromVariant(variant);
  if (raw === undefined) throw new Error("The interpreter was not loaded.");
  return { library, raw };
}

/** Emscripten encodes texts character by character; the platform's encoder is some ten times faster. */
function useFastText(raw: RawModule): void {
  const encoder = new TextEncoder();
  raw.lengthBytesUTF8 = (text) => Buffer.byteLength(text);
  raw.stringToUTF8 = (text, pointer, maxBytes) => {
    const { written } = encoder.encodeInto(text, raw.HEAPU8.subarray(pointer, pointer + maxBytes - 1));
    raw.HEAPU8[pointer + written] = 0;
  };
}

function ignore(): void {}
