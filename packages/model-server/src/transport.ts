import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { abortedError, JarvisError } from "@openjarvis/core";
import { connectionError, isStaleConnection, type ServerIdentity } from "./connection-error.js";
import { type ChunkInspector, HttpReply, type ReplyOwner } from "./reply.js";

/** Options of {@link HttpTransport}. */
export interface HttpTransportOptions extends ServerIdentity {
  /** Longest silence before a call fails with `OJ_ENGINE_TIMEOUT`, in seconds; 0 waits for ever. */
  timeoutSeconds: number;
}

/** Options of one exchange. */
export interface HttpCallOptions {
  /** Closes the connection and fails the exchange with `OJ_ABORTED`. */
  signal?: AbortSignal | undefined;
  /** Who is waited for, as a timeout names it ("model llama3.2"). @default the server */
  waitingFor?: string;
  /** @default the transport's */
  timeoutSeconds?: number;
  /** Sees each chunk of a streamed body. */
  inspect?: ChunkInspector;
  /** Sees the reply before the client does; what it throws fails the exchange. */
  checkReply?: (reply: HttpReply) => Promise<void>;
}

interface HttpModule {
  request(url: URL, options: RequestOptions, callback: (message: IncomingMessage) => void): ClientRequest;
  Agent: new (options: { keepAlive: boolean; maxFreeSockets: number }) => Agent;
}

/**
 * `fetch` for HTTP clients over node:http, with a pool of connections of its own.
 *
 * - The only deadline is the silence it is told to accept; node's own fetch gives up after five minutes.
 * - A signal really closes the connection, also before the first byte.
 * - A pooled connection that the server closed meanwhile is replaced once, silently.
 * - Redirects are not followed: a key must not travel to an address nobody chose.
 */
export class HttpTransport {
  readonly options: HttpTransportOptions;
  readonly #pools = new Map<string, Promise<{ module: HttpModule; agent: Agent }>>();
  readonly #calls = new Set<HttpCall>();
  #closed = false;

  constructor(options: HttpTransportOptions) {
    this.options = options;
  }

  /** Begins one exchange; the caller ends it with `release` or `abort`. Throws `OJ_CLOSED` after `close`. */
  call(options: HttpCallOptions = {}): HttpCall {
    if (this.#closed) throw this.#closedError();
    const call = new HttpCall(this, options, () => this.#calls.delete(call));
    this.#calls.add(call);
    return call;
  }

  /** Ends every exchange and every connection. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls) call.fail(this.#closedError());
    for (const pool of this.#pools.values()) (await pool).agent.destroy();
    this.#pools.clear();
  }

  /** The connections for a URL scheme. */
  pool(protocol: string): Promise<{ module: HttpModule; agent: Agent }> {
    const existing = this.#pools.get(protocol);
    if (existing !== undefined) return existing;
    const pool = (async () => {
      const module: HttpModule =
        protocol === "https:" ? await import("node:https") : await import("node:http");
      return { module, agent: new module.Agent({ keepAlive: true, maxFreeSockets: 8 }) };
    })();
    this.#pools.set(protocol, pool);
    return pool;
  }

  #closedError(): JarvisError {
    return new JarvisError("OJ_CLOSED", `The ${this.options.server} engine was closed.`);
  }
}

/** One request and its reply. */
export class HttpCall implements ReplyOwner {
  readonly server: string;
  readonly inspect: ChunkInspector | undefined;
  readonly #transport: HttpTransport;
  readonly #options: HttpCallOptions;
  readonly #silenceMs: number;
  readonly #onEnd: () => void;
  readonly #onAbort = (): void => {
    if (this.#options.signal !== undefined) this.fail(abortedError(this.#options.signal));
  };
  #request: ClientRequest | undefined;
  #reply: HttpReply | undefined;
  #rejectReply: ((error: unknown) => void) | undefined;
  #failure: { error: unknown } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #waitingSince = 0;
  #over = false;

  constructor(transport: HttpTransport, options: HttpCallOptions, onEnd: () => void) {
    this.#transport = transport;
    this.#options = options;
    this.#onEnd = onEnd;
    this.server = transport.options.server;
    this.inspect = options.inspect;
    this.#silenceMs = (options.timeoutSeconds ?? transport.options.timeoutSeconds) * 1000;
    options.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Why the exchange failed: clients wrap or lose what their `fetch` throws. */
  get failure(): unknown {
    return this.#failure?.error;
  }

  /** For the `fetch` option of an HTTP client. Ignores the client's own signal: the exchange has one. */
  readonly fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (this.#options.signal?.aborted) this.#onAbort();
    this.#throwIfFailed();
    const url = new URL(input instanceof URL || typeof input === "string" ? input : input.url);
    try {
      const reply = await this.#open(url, init);
      await this.#options.checkReply?.(reply);
      // Clients use no more of a Response than HttpReply has.
      return reply as unknown as Response;
    } catch (error) {
      this.fail(error);
      throw this.failure;
    }
  };

  /** The exchange went well; what little may still come is thrown away so that the connection can be used again. */
  release(): void {
    if (this.#over) return;
    this.#reply?.discard();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.abort(), 1000);
    this.#timer.unref();
  }

  /** Closes the connection unless the exchange is over. */
  abort(): void {
    if (this.#over) return;
    this.#end();
    this.#request?.destroy();
  }

  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#reply?.fail(error);
    this.#rejectReply?.(error);
    this.abort();
  }

  waits(): void {
    this.#waitingSince = performance.now();
  }

  complete(): void {
    this.#end();
  }

  async #open(url: URL, init: RequestInit): Promise<HttpReply> {
    const { module, agent } = await this.#transport.pool(url.protocol);
    this.#throwIfFailed();
    const options: RequestOptions = {
      method: init.method ?? "GET",
      headers: headersOf(init.headers),
      agent,
    };
    const address = addressOf(url);
    this.#watchSilence(address);
    for (;;) {
      try {
        const message = await this.#send(module, url, options, init.body, address);
        this.#throwIfFailed();
        this.#reply = new HttpReply(message, url.href, this);
        return this.#reply;
      } catch (error) {
        this.#throwIfFailed();
        const stale = this.#request?.reusedSocket === true && isStaleConnection(error);
        if (!stale) throw connectionError(error, this.#transport.options, { address, answering: false });
        // The rest of the pool is likely stale too: the next attempt opens a connection of its own.
        options.agent = false;
      }
    }
  }

  #send(
    module: HttpModule,
    url: URL,
    options: RequestOptions,
    body: RequestInit["body"],
    address: string,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      this.#rejectReply = reject;
      const request = module.request(url, options, (message) => {
        message.on("error", (error) => {
          this.fail(connectionError(error, this.#transport.options, { address, answering: true }));
        });
        resolve(message);
      });
      this.#request = request;
      request.on("error", reject);
      request.end(typeof body === "string" ? body : undefined);
    });
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** One timer for the whole exchange; it looks back when it fires instead of being set anew for each chunk. */
  #watchSilence(address: string): void {
    this.waits();
    if (this.#silenceMs <= 0) return;
    const check = (): void => {
      const waiting = this.#reply === undefined || this.#reply.waiting;
      const silent = waiting ? performance.now() - this.#waitingSince : 0;
      if (silent >= this.#silenceMs) this.fail(this.#timeoutError(address));
      else this.#setTimer(check, this.#silenceMs - silent);
    };
    this.#setTimer(check, this.#silenceMs);
  }

  #setTimer(check: () => void, milliseconds: number): void {
    this.#timer = setTimeout(check, Math.min(Math.ceil(milliseconds), 0x7fffffff));
  }

  #timeoutError(address: string): JarvisError {
    const seconds = this.#silenceMs / 1000;
    const who = this.#options.waitingFor ?? this.server;
    return new JarvisError(
      "OJ_ENGINE_TIMEOUT",
      `No response from ${who} after ${seconds} s (${this.server} at ${address}).`,
      {
        hint: "Raise `timeoutSeconds` of the engine (0 waits for ever), or use a smaller model.",
        details: { address, seconds },
      },
    );
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    this.#onEnd();
  }
}

function headersOf(headers: RequestInit["headers"]): Record<string, string> {
  if (headers === undefined) return {};
  if (Symbol.iterator in headers) return Object.fromEntries(headers as Iterable<[string, string]>);
  return headers as Record<string, string>;
}

/** A URL without path and without the credentials it may hold. */
export function addressOf(url: URL): string {
  return `${url.protocol}//${url.host}`;
}
