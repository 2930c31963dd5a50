import { errorBrand } from "./brand.js";
import { type ErrorCode, errorCodes } from "./error-codes.js";

/** What a {@link JarvisError} is made of besides its code. */
export interface JarvisErrorOptions {
  /** What the reader does next. @default the table's help for the code */
  hint?: string;
  /** The error underneath. */
  cause?: unknown;
  /** Facts for programs (an address, a status, seconds to wait). */
  details?: Record<string, unknown>;
}

/**
 * The one error class of OpenJarvis.
 *
 * - `message` says what happened and why, without the code.
 * - `hint` says what to do next.
 * - Recognise it with {@link isJarvisError}, never with `instanceof`: two copies of core may be loaded.
 */
export class JarvisError extends Error {
  override readonly name = "JarvisError";
  readonly code: ErrorCode;
  readonly hint: string;
  readonly details: Record<string, unknown>;
  readonly [errorBrand] = true;

  constructor(code: ErrorCode, message: string, options: JarvisErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint ?? errorCodes[code].help;
    this.details = options.details ?? {};
  }

  /** Code, message and hint as a person reads them, on two lines. */
  format(): string {
    return `${this.code}  ${this.message}\n  ${this.hint}`;
  }
}

/** Whether a value is a {@link JarvisError} of any copy of core, optionally with one of the given codes. */
export function isJarvisError(value: unknown, ...codes: ErrorCode[]): value is JarvisError {
  if (typeof value !== "object" || value === null || !(errorBrand in value)) return false;
  return codes.length === 0 || codes.includes((value as JarvisError).code);
}

/** The text of anything that was thrown, with the causes that add to it ("fetch failed: connect ECONNREFUSED …"). */
export function errorText(error: unknown): string {
  const parts: string[] = [];
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current !== undefined && current !== null; depth += 1) {
    const text = describe(current);
    if (text !== "" && !parts.some((part) => part.includes(text))) parts.push(text);
    current = (current as { cause?: unknown }).cause;
  }
  return parts.join(": ") || "unknown error";
}

function describe(value: unknown): string {
  if (value instanceof Error || (typeof value === "object" && value !== null && "message" in value)) {
    const { message, code, errors } = value as { message?: unknown; code?: unknown; errors?: unknown };
    const text = typeof message === "string" ? message : "";
    // An AggregateError of a failed connection has no message of its own.
    if (text === "" && Array.isArray(errors)) return errors.map(describe).join(", ");
    return text || (typeof code === "string" ? code : "");
  }
  return typeof value === "string" ? value : String(value);
}

/** Throws the `OJ_ABORTED` error when the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw abortedError(signal);
}

/** The `OJ_ABORTED` error that says why a signal fired. */
export function abortedError(signal: AbortSignal): JarvisError {
  const reason: unknown = signal.reason;
  if (isJarvisError(reason)) return reason;
  return new JarvisError("OJ_ABORTED", "The run was cancelled.", { cause: reason });
}
