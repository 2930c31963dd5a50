import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";
import { encodeFrame, type Frame, FrameDecoder } from "../frames.js";
import { maxHostBodyBytes } from "../protocol.js";

const chunkBytes = 64 * 1024;

/** The interpreter's end of the channel to the host. Reading blocks: there is no event loop to stall in here. */
export class Channel {
  readonly #fd: number;
  readonly #decoder = new FrameDecoder({ maxBodyBytes: maxHostBodyBytes });
  readonly #frames: Frame[] = [];

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** The next frame; waits for it. `undefined` when the host is gone. */
  read(): Frame | undefined {
    while (this.#frames.length === 0) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const count = this.#readChunk(chunk);
      if (count === 0) return undefined;
      this.#frames.push(...this.#decoder.push(chunk.subarray(0, count)));
    }
    return this.#frames.shift();
  }

  /** Whether a frame is here already. */
  get ready(): boolean {
    return this.#frames.length > 0;
  }

  write(head: object, body?: string | Uint8Array): void {
    for (const part of encodeFrame(head, body)) {
      for (let at = 0; at < part.length; ) at += writeSync(this.#fd, part, at, part.length - at);
    }
  }

  #readChunk(chunk: Buffer): number {
    try {
      return readSync(this.#fd, chunk, 0, chunk.length, null);
    } catch (error) {
      // Windows reports the end of a pipe as an error.
      if ((error as NodeJS.ErrnoException).code === "EOF") return 0;
      throw error;
    }
  }
}
