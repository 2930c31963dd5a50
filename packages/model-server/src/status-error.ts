import { type ErrorCode, JarvisError, type JarvisErrorOptions, truncateEnd } from "@openjarvis/core";
import type { HttpReply } from "./reply.js";

// Some servers repeat the whole request in what they say of it.
const maxMessageLength = 1000;

/** A refusal in the server's own terms; it is the `details` of the typed error. */
export interface ServerRefusal extends Record<string, unknown> {
  /** The HTTP status, or the one an error inside a stream names; 0 when there is none. */
  status: number;
  /** The server's own text. */
  serverMessage: string;
  /** The server's code or type ("model_not_found"); empty when it gives none. */
  serverCode: string;
  /** The request field it objects to; empty when it names none. */
  param: string;
  /** How long it asks to wait. */
  retryAfterSeconds?: number;
}

/** What the errors of a server say beside its own text. */
export interface RefusalContext {
  /** As messages name it ("Ollama"). */
  server: string;
  address: string;
  /** The model that was asked for. */
  model?: string;
  /** How to get the model. */
  modelHint?: string;
  /** How to give the right key. */
  authHint?: string;
  /** A secret that no message may repeat. */
  secret?: string | undefined;
  /** The error underneath, for refusals that a client threw. */
  cause?: unknown;
}

/** Reads the body of a reply that is not a success. */
export async function readRefusal(reply: HttpReply): Promise<ServerRefusal> {
  const text = await reply.text();
  const refusal = refusalOf(parsed(text), text.trim());
  const redirect = reply.header("location");
  if (redirect !== undefined) refusal.serverMessage = `it redirects to ${redirect}`;
  refusal.status = reply.status;
  const wait = retryAfter(reply.header("retry-after"));
  if (wait !== undefined) refusal.retryAfterSeconds = wait;
  return refusal;
}

/**
 * A refusal from an error body of any of the shapes servers use: `{error: "…"}`, `{error: {message, code, type, param}}`,
 * `{message, code}`, `{detail: "…" | [{loc, msg}]}`, or plain text.
 */
export function refusalOf(body: unknown, text = ""): ServerRefusal {
  const outer = asObject(body);
  const inner = typeof outer.error === "object" && outer.error !== null ? asObject(outer.error) : outer;
  const detail = Array.isArray(inner.detail) ? asObject(inner.detail[0]) : { msg: inner.detail };
  const message = [body, outer.error, inner.message, detail.msg].find(
    (value) => typeof value === "string" && value !== "",
  );
  const code = inner.code ?? inner.type;
  return {
    status: typeof inner.code === "number" ? inner.code : 0,
    serverMessage: truncateEnd(
      typeof message === "string" ? message : text.replace(/\s+/g, " "),
      maxMessageLength,
    ),
    serverCode: ([code, inner.type].find((value) => typeof value === "string") as string | undefined) ?? "",
    param:
      typeof inner.param === "string" ? inner.param : Array.isArray(detail.loc) ? detail.loc.join(".") : "",
  };
}

/** Turns a refusal into the typed error. */
export function refusalError(refusal: ServerRefusal, context: RefusalContext): JarvisError {
  const code = codeOf(refusal);
  const said = redacted(refusal.serverMessage, context.secret) || `status ${refusal.status}`;
  const options: JarvisErrorOptions = {
    cause: context.cause,
    details: { ...refusal, serverMessage: said, address: context.address },
  };
  const hint = hintOf(code, refusal, context);
  if (hint !== undefined) options.hint = hint;
  return new JarvisError(code, `${whatHappened(code, context)}: ${withPeriod(said)}`, options);
}

function codeOf({ status, serverMessage, serverCode }: ServerRefusal): ErrorCode {
  const text = `${serverCode} ${serverMessage}`;
  if (
    /context[_ ](length|window|size)|(prompt|input) (is )?too long|exceed\w* .*context|maximum context/i.test(
      text,
    )
  ) {
    return "OJ_ENGINE_CONTEXT_LENGTH";
  }
  if (status === 401 || status === 403 || serverCode === "invalid_api_key") return "OJ_ENGINE_AUTH";
  if (status === 429 || /rate.?limit|quota/i.test(text)) return "OJ_ENGINE_RATE_LIMIT";
  if (serverCode === "model_not_found" || (status === 404 && /model/i.test(text)))
    return "OJ_ENGINE_MODEL_MISSING";
  if (status === 408) return "OJ_ENGINE_TIMEOUT";
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return "OJ_ENGINE_PROTOCOL";
  if (status >= 400 && status < 500) return "OJ_ENGINE_BAD_REQUEST";
  return "OJ_ENGINE_SERVER";
}

function whatHappened(code: ErrorCode, { server, address, model }: RefusalContext): string {
  const where = `${server} at ${address}`;
  switch (code) {
    case "OJ_ENGINE_AUTH":
      return `${where} refused the key`;
    case "OJ_ENGINE_MODEL_MISSING":
      return `${where} does not have the model${model === undefined ? "" : ` "${model}"`}`;
    case "OJ_ENGINE_RATE_LIMIT":
      return `${where} asks to slow down`;
    case "OJ_ENGINE_CONTEXT_LENGTH":
      return `The conversation is longer than the context window${model === undefined ? "" : ` of "${model}"`}`;
    case "OJ_ENGINE_PROTOCOL":
      return `What answers at ${address} does not look like ${server}`;
    case "OJ_ENGINE_SERVER":
      return `${where} failed`;
    case "OJ_ENGINE_TIMEOUT":
      return `${where} gave up waiting`;
    default:
      return `${where} refused the request`;
  }
}

function hintOf(code: ErrorCode, refusal: ServerRefusal, context: RefusalContext): string | undefined {
  if (code === "OJ_ENGINE_AUTH") return context.authHint;
  if (code === "OJ_ENGINE_MODEL_MISSING") return context.modelHint;
  if (code !== "OJ_ENGINE_RATE_LIMIT") return undefined;
  if (/quota|billing|credit/i.test(`${refusal.serverCode} ${refusal.serverMessage}`)) {
    return "The account's quota is used up; check its plan and billing.";
  }
  return refusal.retryAfterSeconds === undefined
    ? undefined
    : `Wait ${refusal.retryAfterSeconds} s, then try again.`;
}

/** Seconds from a Retry-After header, which holds seconds or a date. */
function retryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*\d/.test(header)
    ? Number.parseFloat(header)
    : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}

function redacted(text: string, secret: string | undefined): string {
  return secret === undefined || secret === "" ? text : text.replaceAll(secret, "***");
}

function withPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
