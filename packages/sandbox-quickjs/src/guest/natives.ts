/** What the worker gives to the guest's side. No code of the guest can reach it. */
export interface Natives {
  /** Writes to stdout (0) or stderr (1): a text, then says how many characters were skipped, then the text after them. */
  write(stream: number, head: string, skipped: number, tail: string): void;
  /**
   * Calls a host function with its arguments as a JSON array. Long texts come after it, each behind its index in the
   * array, which has null there. When the function fails, the promise is rejected with `failure`, whose message is set
   * by then.
   */
  call(name: string, args: string, failure: Error, ...texts: (number | string)[]): Promise<unknown>;
  /** 0 for what is no promise, else 1 pending, 2 fulfilled, 3 rejected. */
  promiseState(value: unknown): number;
}

/** The functions of the guest's side that the worker calls. */
export interface GuestApi {
  /** Makes the host functions, whose names are given as JSON. */
  provide(names: string): void;
  /** Says how many characters of one stream a cell may print. */
  begin(maxChars: number): void;
  /** A value as a console prints it, at most about `maxChars` long. */
  inspect(value: unknown, maxChars: number): string;
  /** A value as JSON text, or undefined when it has no such form or is too large. */
  json(value: unknown): string | undefined;
  /** What was thrown, as JSON of a {@link Thrown}. */
  describe(error: unknown): string;
  /** Makes names, given as JSON, exist. */
  declare(names: string): void;
  setVariable(name: string, value: unknown): void;
  parse(text: string): unknown;
  setMessage(error: Error, name: string, message: string): void;
}

/** What was thrown. */
export interface Thrown {
  name: string;
  message: string;
  stack: string;
  /** The errors behind it, as `name: message`. */
  causes: string[];
}
