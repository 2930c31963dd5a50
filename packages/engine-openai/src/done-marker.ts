// "data: [DONE]" with the newlines around it, and some to spare.
const tailLength = 32;
const closingBracket = 93;

/**
 * Watches a stream of server-sent events for the `[DONE]` that closes it. Nothing comes behind it, and a server that
 * leaves the connection open all the same must not make the answer wait.
 */
export class DoneMarker {
  #tail: Buffer = Buffer.alloc(0);
  #seen = false;

  /** Whether the stream said that it is done. */
  get seen(): boolean {
    return this.#seen;
  }

  readonly inspect = (chunk: Buffer): "end" | undefined => {
    const recent = chunk.length < tailLength ? Buffer.concat([this.#tail, chunk]) : chunk;
    this.#tail = recent.subarray(-tailLength);
    // Every other event ends with a brace.
    if (lastVisibleByte(this.#tail) !== closingBracket) return undefined;
    this.#seen = /(^|[\n\r])data: ?\[DONE\]\s*$/.test(this.#tail.toString("latin1"));
    return this.#seen ? "end" : undefined;
  };
}

function lastVisibleByte(bytes: Buffer): number | undefined {
  let at = bytes.length - 1;
  while (at >= 0 && (bytes[at] ?? 0) <= 32) at -= 1;
  return bytes[at];
}
