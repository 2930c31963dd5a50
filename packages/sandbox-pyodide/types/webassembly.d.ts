/** What the runner uses of WebAssembly; TypeScript has it in its library for browsers only. */
declare namespace WebAssembly {
  class Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
}
