const pageBytes = 65_536;
/** What the runtime itself may use to report that the memory of the guest is full. */
const headroomBytes = 32 * 1024 * 1024;

/**
 * Bounds the memory of the WebAssembly module. Where it may not grow, Python's allocation fails with a MemoryError, and
 * the variables are kept.
 */
export class MemoryCap {
  /** Most bytes of the memory while code of the guest runs. */
  limitBytes = Number.POSITIVE_INFINITY;
  /** Whether code of the guest runs. */
  armed = false;

  /** Takes effect for every memory; call it before the module is loaded. */
  install(): void {
    const { prototype } = WebAssembly.Memory;
    const grow = prototype.grow;
    const mayHave = (bytes: number) => bytes <= this.limitBytes + (this.armed ? 0 : headroomBytes);
    prototype.grow = function (pages: number): number {
      if (!mayHave(this.buffer.byteLength + pages * pageBytes)) throw new RangeError("the memory is full");
      return Reflect.apply(grow, this, [pages]);
    };
  }
}
