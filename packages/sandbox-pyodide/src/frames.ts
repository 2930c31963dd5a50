import { Buffer } from "node:buffer";

/** A message between host and interpreter: a small JSON head, and a body that travels as it is. */
export interface Frame {
  head: Record<string, unknown>;
  body: Buffer;
}

const prefixBytes = 8;
/** Most bytes of the head of a frame. */
const maxHeadBytes = 64 * 1024;
const noBody = Buffer.alloc(0);

/** A frame as bytes: two lengths of four bytes (big endian), the head as JSON, the body. */
export function encodeFrame(head: object, body: string | Uint8Array = noBody): Buffer[] {
  const headBytes = Buffer.from(JSON.stringify(head), "utf8");
  const bodyBytes =
    typeof body === "string"
      ? Buffer.from(body, "utf8")
      : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(headBytes.length, 0);
  prefix.writeUInt32BE(bodyBytes.length, 4);
  return [Buffer.concat([prefix, headBytes]), bodyBytes];
}

/**
 * Cuts a stream of bytes into frames. Holds at most one unfinished frame; work is linear in the bytes.
 *
 * Throws for a frame that is larger than `maxBodyBytes`, or whose head is no JSON object: the other side is broken or
 * hostile, and nothing after that can be trusted.
 */
export class FrameDecoder {
  readonly #maxBodyBytes: number;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Bytes the frame in hand needs; its prefix, until that is known. */
  #needed = prefixBytes;
  #lengths: { head: number; body: number } | undefined;

  constructor(options: { maxBodyBytes: number }) {
    this.#maxBodyBytes = options.maxBodyBytes;
  }

  /** Takes bytes and gives the frames they complete. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    if (chunk.length > 0) this.#chunks.push(chunk);
    this.#held += chunk.length;
    while (this.#held >= this.#needed) {
      if (this.#lengths === undefined) {
        this.#lengths = this.#readPrefix();
        this.#needed = prefixBytes + this.#lengths.head + this.#lengths.body;
        continue;
      }
      frames.push(readFrame(this.#take(this.#needed), this.#lengths.head));
      this.#lengths = undefined;
      this.#needed = prefixBytes;
    }
    return frames;
  }

  #readPrefix(): { head: number; body: number } {
    const prefix = this.#peek(prefixBytes);
    const head = prefix.readUInt32BE(0);
    const body = prefix.readUInt32BE(4);
    if (head > maxHeadBytes)
      throw new Error(`a frame has a head of ${head} bytes; at most ${maxHeadBytes} are read`);
    if (body > this.#maxBodyBytes) {
      throw new Error(`a frame has a body of ${body} bytes; at most ${this.#maxBodyBytes} are read`);
    }
    return { head, body };
  }

  #peek(count: number): Buffer {
    const [first] = this.#chunks;
    if (first !== undefined && first.length >= count) return first.subarray(0, count);
    const all = Buffer.concat(this.#chunks, this.#held);
    this.#chunks = [all];
    return all.subarray(0, count);
  }

  #take(count: number): Buffer {
    const taken = this.#peek(count);
    const [first = noBody] = this.#chunks;
    this.#chunks[0] = first.subarray(count);
    if (this.#chunks[0].length === 0) this.#chunks.shift();
    this.#held -= count;
    return taken;
  }
}

function readFrame(bytes: Buffer, headLength: number): Frame {
  const headEnd = prefixBytes + headLength;
  const head: unknown = JSON.parse(bytes.toString("utf8", prefixBytes, headEnd));
  if (typeof head !== "object" || head === null || Array.isArray(head)) {
    throw new Error("a frame has a head that is no JSON object");
  }
  return { head: head as Record<string, unknown>, body: bytes.subarray(headEnd) };
}
