import { JarvisError } from "@openjarvis/core";

const newline = 10;
const open = 123;
const close = 125;

/**
 * Watches a stream of JSON lines on its way to the client, which skips a line it cannot read: text of the model would
 * be lost in silence. A line that is not an object is refused here; whether one was skipped shows in the count.
 */
export class LineGuard {
  readonly #server: string;
  #whole = 0;
  /** First and last byte, apart from white space, of the line that is not yet whole; 0 while it is empty. */
  #first = 0;
  #last = 0;

  constructor(server: string) {
    this.#server = server;
  }

  /** Lines seen so far, with the last one when it has begun. */
  get lines(): number {
    return this.#whole + (this.#first === 0 ? 0 : 1);
  }

  /** Throws `OJ_ENGINE_PROTOCOL` at a line that cannot be a JSON object. */
  readonly inspect = (chunk: Buffer): undefined => {
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#scan(chunk, start, end);
      this.#finishLine(chunk);
      start = end + 1;
    }
    this.#scan(chunk, start, chunk.length);
  };

  #scan(chunk: Buffer, start: number, end: number): void {
    if (this.#first === 0) {
      let at = start;
      while (at < end && isSpace(chunk[at])) at += 1;
      if (at === end) return;
      this.#first = chunk[at] ?? 0;
      if (this.#first !== open) throw this.#notJson(chunk.subarray(at, end));
    }
    let at = end - 1;
    while (at >= start && isSpace(chunk[at])) at -= 1;
    if (at >= start) this.#last = chunk[at] ?? 0;
  }

  #finishLine(chunk: Buffer): void {
    if (this.#first === 0) return;
    if (this.#last !== close) throw this.#notJson(chunk);
    this.#whole += 1;
    this.#first = 0;
  }

  #notJson(bytes: Buffer): JarvisError {
    const start = bytes.subarray(0, 80).toString("utf8").replace(/\s+/g, " ");
    return new JarvisError(
      "OJ_ENGINE_PROTOCOL",
      `${this.#server} sent a line that is not a JSON object: ${start}`,
    );
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 13 || byte === 9;
}
