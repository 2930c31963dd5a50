import { inspect } from "./inspect.js";
import {
  define,
  freeze,
  includes,
  join,
  min,
  newList,
  number,
  slice,
  startsWith,
  stringify,
  text,
  trunc,
} from "./intrinsics.js";
import type { Natives } from "./natives.js";
import { wellFormed } from "./texts.js";

const stdout = 0;
const stderr = 1;

/** Most characters of one printed value that is no text. */
const maxValue = 20_000;

/** The functions by which a guest prints. */
export interface Printers {
  print: (...values: unknown[]) => void;
  console: object;
  /** Says how many characters of one stream are worth handing over. */
  begin(maxChars: number): void;
}

/** Makes `print` and `console`. Of a long text only the parts that can be shown leave the guest. */
export function makePrinters(natives: Natives): Printers {
  let maxChars = maxValue;
  const { promiseState } = natives;

  const write = (stream: number, shown: string) => {
    const length = shown.length + 1;
    if (length <= maxChars * 2) {
      natives.write(stream, `${wellFormed(shown)}\n`, 0, "");
    } else {
      const head = wellFormed(slice(shown, 0, maxChars));
      const tail = `${wellFormed(slice(shown, 1 - maxChars))}\n`;
      natives.write(stream, head, length - maxChars * 2, tail);
    }
  };
  const show = (value: unknown) =>
    typeof value === "string" ? value : inspect(value, min(maxValue, maxChars), promiseState);
  const line = (values: unknown[]) => {
    const parts = newList<string>();
    for (let index = 0; index < values.length; index += 1) parts[index] = show(values[index]);
    return join(parts, " ");
  };
  const named = (name: string, print: (...values: unknown[]) => void) => {
    define(print, "name", name);
    return freeze(print);
  };
  const logger = (stream: number, name: string) =>
    named(name, (...values) => write(stream, line(format(values, show))));

  return {
    begin(chars) {
      maxChars = chars;
    },
    print: named("print", (...values) => write(stdout, line(values))),
    console: freeze({
      log: logger(stdout, "log"),
      info: logger(stdout, "info"),
      debug: logger(stdout, "debug"),
      table: logger(stdout, "table"),
      error: logger(stderr, "error"),
      warn: logger(stderr, "warn"),
      trace: logger(stderr, "trace"),
      dir: named("dir", (value) => write(stdout, show(value))),
      assert: named("assert", (condition, ...values) => {
        if (condition) return;
        write(stderr, `Assertion failed${values.length > 0 ? `: ${line(values)}` : ""}`);
      }),
    }),
  };
}

/** Fills in the `%s`, `%d`, … of a first text, as consoles do (https://console.spec.whatwg.org/#formatter). */
function format(values: unknown[], show: (value: unknown) => string): unknown[] {
  const first = values[0];
  if (typeof first !== "string" || values.length < 2 || !includes(first, "%")) return values;
  let result = "";
  let used = 1;
  for (let index = 0; index < first.length; index += 1) {
    const two = slice(first, index, index + 2);
    if (two === "%%") {
      result += "%";
      index += 1;
    } else if (
      used < values.length &&
      includes("%s%d%i%f%j%o%O%c", two) &&
      startsWith(two, "%") &&
      two.length === 2
    ) {
      result += filled(two, values[used], show);
      used += 1;
      index += 1;
    } else {
      result += first[index] ?? "";
    }
  }
  const filledValues = newList<unknown>();
  filledValues[0] = result;
  for (let index = used; index < values.length; index += 1) filledValues[filledValues.length] = values[index];
  return filledValues;
}

function filled(place: string, value: unknown, show: (value: unknown) => string): string {
  switch (place) {
    case "%s":
      return typeof value === "object" ? show(value) : text(value);
    case "%d":
    case "%f":
      return typeof value === "object" ? "NaN" : text(number(value));
    case "%i":
      return typeof value === "object" ? "NaN" : text(trunc(number(value)));
    case "%j":
      return stringify(value) ?? "undefined";
    case "%c":
      return "";
    default:
      return show(value);
  }
}
