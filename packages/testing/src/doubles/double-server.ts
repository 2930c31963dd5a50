import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { DoubleReply } from "./reply.js";

/** A request a double was sent. */
export interface RecordedRequest {
  method: string;
  /** With the query, without the host. */
  path: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** Parsed when it is JSON, else the text; `undefined` without a body. */
  body: unknown;
  /** Settles when the exchange is over; `cut` when the client closed the connection before the whole response was sent. */
  ended: Promise<{ cut: boolean }>;
}

/** What a double answers a request with; it gets the request as recorded. */
export type Handler = (request: RecordedRequest, response: ServerResponse) => Promise<void> | void;

/**
 * The HTTP side of a protocol double: a real server on a free port of 127.0.0.1 that records what it is sent and hands
 * out scripted replies, one for each request that takes one.
 */
export class DoubleServer {
  readonly requests: RecordedRequest[] = [];
  readonly #name: string;
  readonly #replies: DoubleReply[];
  readonly #unexpected: string[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #server;
  #accepted = 0;
  #closing: Promise<void> | undefined;

  private constructor(
    name: string,
    replies: readonly DoubleReply[],
    handle: (server: DoubleServer) => Handler,
  ) {
    this.#name = name;
    this.#replies = [...replies];
    const handler = handle(this);
    this.#server = createServer((request, response) => {
      this.#serve(request, response, handler).catch((error: unknown) => response.destroy(error as Error));
    });
    this.#server.on("connection", (socket) => {
      this.#accepted += 1;
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
  }

  static async start(
    name: string,
    replies: readonly DoubleReply[],
    handle: (server: DoubleServer) => Handler,
  ): Promise<DoubleServer> {
    const server = new DoubleServer(name, replies, handle);
    await new Promise<void>((resolve, reject) => {
      server.#server.once("error", reject);
      server.#server.listen(0, "127.0.0.1", resolve);
    });
    return server;
  }

  /** The address, without a path: `http://127.0.0.1:41234`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo | null)?.port ?? 0}`;
  }

  /** Connections that are open, and those accepted in all. */
  get connections(): { open: number; accepted: number } {
    return { open: this.#sockets.size, accepted: this.#accepted };
  }

  /** Adds replies at the end of the script. */
  script(...replies: DoubleReply[]): void {
    this.#replies.push(...replies);
  }

  /** The next scripted reply; without one, the request counts as unexpected and `undefined` is returned. */
  takeReply(request: RecordedRequest): DoubleReply | undefined {
    const reply = this.#replies.shift();
    if (reply === undefined) this.#unexpected.push(`${request.method} ${request.path}`);
    return reply;
  }

  /** Throws when scripted replies were not used, or when more was asked than was scripted. */
  assertUsed(): void {
    const problems: string[] = [];
    if (this.#replies.length > 0) problems.push(`${this.#replies.length} scripted replies were not used`);
    if (this.#unexpected.length > 0)
      problems.push(`requests without a reply: ${this.#unexpected.join(", ")}`);
    if (problems.length > 0) throw new Error(`The ${this.#name} double: ${problems.join("; ")}.`);
  }

  /** Stops the server and its connections, then throws like {@link assertUsed}. Calling it twice is fine. */
  async close(): Promise<void> {
    await this.#stop();
    this.assertUsed();
  }

  /** Stops the server without looking at what was used, so that it never hides the failure of a test. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop();
  }

  #stop(): Promise<void> {
    this.#closing ??= new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
    return this.#closing;
  }

  async #serve(request: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
    const ended = new Promise<{ cut: boolean }>((resolve) => {
      response.once("close", () => resolve({ cut: !response.writableFinished }));
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
      ),
      body: parseBody(Buffer.concat(chunks).toString("utf8")),
      ended,
    };
    this.requests.push(recorded);
    await handler(recorded, response);
  }
}

function parseBody(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Sends one JSON document. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
  response.end(JSON.stringify(body));
}

/** Sends a failure: an object as JSON, a text as plain text. */
export function sendError(
  response: ServerResponse,
  error: { status: number; body?: string | object; headers?: Record<string, string> },
): void {
  if (typeof error.body === "object") sendJson(response, error.status, error.body, error.headers);
  else {
    response.writeHead(error.status, { "content-type": "text/plain; charset=utf-8", ...error.headers });
    response.end(error.body ?? "");
  }
}

/** The request's body as an object; anything else counts as empty. */
export function bodyObject(request: RecordedRequest): Record<string, unknown> {
  const { body } = request;
  return typeof body === "object" && body !== null && !Array.isArray(body)
    ? (body as Record<string, unknown>)
    : {};
}

/** A vector for a text: the same text gives the same vector, of length one. */
export function vectorOf(text: string, dimensions: number): number[] {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619);
  const values = Array.from({ length: dimensions }, () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return (state >>> 0) / 2 ** 32 - 0.5;
  });
  const length = Math.hypot(...values) || 1;
  return values.map((value) => value / length);
}
