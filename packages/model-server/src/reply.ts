import type { IncomingMessage } from "node:http";
import { JarvisError } from "@openjarvis/core";

/** Looks at each chunk of a stream on its way; `"end"` makes that chunk the last one. It may throw. */
export type ChunkInspector = (chunk: Buffer) => "end" | undefined;

const joinedBytes = 2048;
// What a stalled consumer may let pile up, and what no sane line or document exceeds.
const maxQueuedBytes = 1 << 20;
const maxLineBytes = 8 << 20;
const maxDocumentBytes = 64 << 20;

type ReadResult = { done: false; value: Buffer } | { done: true; value: undefined };

interface Waiter {
  resolve: (result: ReadResult) => void;
  reject: (error: unknown) => void;
  inspected: boolean;
}

/** What a reply asks of the exchange it belongs to. */
export interface ReplyOwner {
  /** The server, as messages name it. */
  readonly server: string;
  readonly inspect: ChunkInspector | undefined;
  /** Somebody begins to wait for more. */
  waits(): void;
  /** Ends the exchange with an error. */
  fail(error: unknown): void;
  /** Ends the exchange; what still comes is not wanted. */
  abort(): void;
  /** The whole body has arrived. */
  complete(): void;
}

/**
 * The part of a WHATWG `Response` that HTTP clients use, straight over node's incoming message: web streams cost as
 * much for each chunk as all else together.
 */
export class HttpReply {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly url: string;
  readonly #message: IncomingMessage;
  readonly #owner: ReplyOwner;
  readonly #queue: Buffer[] = [];
  #headers: Headers | undefined;
  #queuedBytes = 0;
  #lineBytes = 0;
  #ended = false;
  #failure: { error: unknown } | undefined;
  #waiter: Waiter | undefined;

  constructor(message: IncomingMessage, url: string, owner: ReplyOwner) {
    this.status = message.statusCode ?? 0;
    this.statusText = message.statusMessage ?? "";
    this.ok = this.status >= 200 && this.status < 300;
    this.url = url;
    this.#message = message;
    this.#owner = owner;
    message.on("data", (chunk: Buffer) => this.#push(chunk));
    message.on("end", () => this.#end());
  }

  get headers(): Headers {
    this.#headers ??= new Headers(
      Object.entries(this.#message.headers).map(([name, value]) => [name, String(value)]),
    );
    return this.#headers;
  }

  /** A response header by lower-case name. */
  header(name: string): string | undefined {
    const value = this.#message.headers[name];
    return Array.isArray(value) ? value.join(", ") : value;
  }

  /** Whether somebody waits for bytes now. */
  get waiting(): boolean {
    return this.#waiter !== undefined;
  }

  get body(): this {
    return this;
  }

  getReader(): this {
    return this;
  }

  releaseLock(): void {}

  async cancel(): Promise<void> {
    this.discard();
    this.#owner.abort();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return {
      next: () => this.read() as Promise<IteratorResult<Buffer>>,
      return: async () => ({ done: true, value: undefined }),
    };
  }

  /** What has arrived of the stream since the last read, inspected. */
  read(): Promise<ReadResult> {
    return this.#next({ inspected: true });
  }

  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const part = await this.#next({ inspected: false });
      if (part.done) break;
      size += part.value.length;
      if (size > maxDocumentBytes) throw this.#tooLong("an answer", maxDocumentBytes);
      chunks.push(part.value);
    }
    return Buffer.concat(chunks).toString("utf8");
  }

  async json(): Promise<unknown> {
    const text = await this.text();
    try {
      return JSON.parse(text);
    } catch (cause) {
      const start = text.slice(0, 80).replace(/\s+/g, " ");
      throw new JarvisError(
        "OJ_ENGINE_PROTOCOL",
        `${this.#owner.server} answered with text that is not JSON: ${start}`,
        {
          cause,
        },
      );
    }
  }

  /** Makes every read from now on fail. */
  fail(error: unknown): void {
    if (this.#ended || this.#failure !== undefined) return;
    this.#failure = { error };
    this.#message.destroy();
    this.#waiter?.reject(error);
    this.#waiter = undefined;
  }

  /** Throws away what still comes. */
  discard(): void {
    this.#ended = true;
    this.#queue.length = 0;
    this.#message.resume();
  }

  #next(options: { inspected: boolean }): Promise<ReadResult> {
    if (this.#queue.length > 0) return this.#deliver(this.#takeQueue(), options.inspected);
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    this.#owner.waits();
    return new Promise((resolve, reject) => {
      this.#waiter = { resolve, reject, ...options };
    });
  }

  /**
   * Some of what is queued as one chunk: passing on each write of the server by itself costs far more. Not all, because
   * clients search and copy what they are given once for each line in it.
   */
  #takeQueue(): Buffer {
    let count = 0;
    let size = 0;
    while (count < this.#queue.length && size < joinedBytes) {
      size += this.#queue[count]?.length ?? 0;
      count += 1;
    }
    const taken = this.#queue.splice(0, count);
    this.#queuedBytes -= size;
    if (this.#queuedBytes < maxQueuedBytes && this.#message.isPaused()) this.#message.resume();
    return Buffer.concat(taken, size);
  }

  #push(chunk: Buffer): void {
    if (this.#ended) return;
    const waiter = this.#waiter;
    if (waiter !== undefined) {
      this.#waiter = undefined;
      this.#deliver(chunk, waiter.inspected).then(waiter.resolve, waiter.reject);
      return;
    }
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= maxQueuedBytes) this.#message.pause();
  }

  #end(): void {
    this.#ended = true;
    this.#owner.complete();
    this.#waiter?.resolve({ done: true, value: undefined });
    this.#waiter = undefined;
  }

  #deliver(value: Buffer, inspected: boolean): Promise<ReadResult> {
    try {
      if (inspected) this.#inspect(value);
      return Promise.resolve({ done: false, value });
    } catch (error) {
      this.#owner.fail(error);
      return Promise.reject(error);
    }
  }

  #inspect(chunk: Buffer): void {
    const newline = chunk.lastIndexOf(10);
    this.#lineBytes = newline === -1 ? this.#lineBytes + chunk.length : chunk.length - newline - 1;
    if (this.#lineBytes > maxLineBytes) throw this.#tooLong("a line", maxLineBytes);
    if (this.#owner.inspect?.(chunk) === "end") this.#ended = true;
  }

  #tooLong(what: string, limit: number): JarvisError {
    return new JarvisError(
      "OJ_ENGINE_PROTOCOL",
      `${this.#owner.server} sent ${what} of more than ${limit >> 20} MiB.`,
    );
  }
}
