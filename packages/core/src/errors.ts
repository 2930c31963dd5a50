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

/**
 * The text of anything that was thrown, with the causes that add to it ("fetch failed: connect ECONNREFUSED …"). Never
 * throws and is never empty.
 */
export function errorText(error: unknown): string {
  const parts: string[] = [];
  try {
    let current: unknown = error;
    for (let depth = 0; depth < maxDepth && current !== undefined && current !== null; depth += 1) {
      const text = describe(current, depth);
      if (text !== "" && !parts.some((part) => part.includes(text))) parts.push(text);
      current = (current as { cause?: unknown }).cause;
    }
  } catch {
    // What cannot be turned into text (no prototype, a getter that throws) must not hide what was read before it.
  }
  return parts.join(": ") || "unknown error";
}

const maxDepth = 5;

function describe(value: unknown, depth: number): string {
  if (typeof value !== "object" || value === null) return String(value);
  const { message, code, name, errors } = value as Partial<Record<string, unknown>>;
  const own = typeof message === "string" ? message : "";
  if (Array.isArray(errors) && depth < maxDepth && (own === "" || name === "AggregateError")) {
    // An AggregateError of a failed connection has no message of its own; another says only that all failed.
    const inner = errors.slice(0, maxDepth).map((item) => describe(item, depth + 1));
    return [own, inner.join(", ")].filter((part) => part !== "").join(": ");
  }
  if (own !== "") return own;
  if (typeof code === "string") return code;
  if (value instanceof Error) return value.name;
  const text = String(value);
  return text === "[object Object]" ? JSON.stringify(value) : text;
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
