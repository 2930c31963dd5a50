import { isSpace, quotesClosing, skipSpace } from "./json-scan.js";
import { readLooseString, unescapeLoosely } from "./loose-string.js";
import { clip, parseStrictJson } from "./strict-json.js";

/** A value read from JSON or from what a model wrote for it; or the reason, a sentence for the model. */
export type LooseJson = { ok: true; value: unknown; repaired: boolean } | { ok: false; reason: string };

/** Options of {@link parseLooseJson}. */
export interface LooseJsonOptions {
  /**
   * Adds closing brackets that are missing at the end and drops surplus ones. Only for a text that is known to be
   * whole, because a mark stands after it: in a text that was cut off nothing tells what else is missing.
   *
   * @default false
   */
  closeBrackets?: boolean;
}

/**
 * Reads JSON, and what models write for it where only one reading is possible: a surrounding code fence, trailing
 * commas, a comma missing at the end of a line, Python's `True`, `False` and `None`, single, typographic, triple
 * quotes and backticks, raw line breaks and tabs in strings, unquoted keys, arithmetic without quotes, comments.
 *
 * The characters of a string never change: strict JSON is taken as it is, strings are read before anything else is
 * looked at, and what could be read in two ways (a quote inside that is not escaped, half-escaped backslashes) is
 * refused, unless an object holds nothing but that one string. Takes time linear in the length of the text.
 *
 * @example
 * parseLooseJson("{'path': '/tmp/a.txt', 'deep': True,}"); // { ok: true, value: { path: "/tmp/a.txt", deep: true }, … }
 */
export function parseLooseJson(text: string, { closeBrackets = false }: LooseJsonOptions = {}): LooseJson {
  const trimmed = text.trim();
  const strict = parseStrictJson(trimmed);
  if (strict.ok) return { ok: true, value: strict.value, repaired: false };
  const bare = unfence(trimmed).trim();
  const rewritten = new Rewriter(bare).rewrite(closeBrackets);
  if (rewritten.ok) {
    const again = parseStrictJson(rewritten.json);
    if (again.ok) return { ok: true, value: again.value, repaired: true };
  }
  const lone = readLoneString(bare);
  if (lone !== undefined) return { ok: true, value: lone, repaired: true };
  return { ok: false, reason: rewritten.ok ? strict.reason : rewritten.reason };
}

/** The inside of a text that is one code fence from start to end; any other text as it is. */
export function unfence(text: string): string {
  const opener = /^(`{3,}|~{3,})(?![`~])[^\r\n`]*(?:\r?\n|$)/.exec(text);
  const run = opener?.[1] ?? "";
  if (opener === null || !text.endsWith(run) || text.length < opener[0].length + run.length) return text;
  return text.slice(opener[0].length, -run.length).replace(/\r?\n[ \t]*$/, "");
}

type Rewritten = { ok: true; json: string } | { ok: false; reason: string };

const literals = new Map([
  ["true", "true"],
  ["True", "true"],
  ["false", "false"],
  ["False", "false"],
  ["null", "null"],
  ["None", "null"],
]);

const word = /[A-Za-z_$][\w$-]*/y;
/** Arithmetic and dates: what stands for itself although no quotes are around it. */
const bareValue = /-?\d+(?:\.\d+)?[eE][+-]?\d+|[\d.+\-*/%^()×÷−√π \t]+/y;
const maxDepth = 500;

/** Writes a text's tokens again as strict JSON, whose grammar `JSON.parse` then checks. */
class Rewriter {
  readonly #text: string;
  readonly #open: string[] = [];
  #at = 0;
  #out = "";
  /** A comma that is written only if something other than a closing bracket follows. */
  #comma = false;
  #last: "" | "open" | "close" | "value" | "colon" | "comma" = "";
  #lineBreak = false;

  constructor(text: string) {
    this.#text = text;
  }

  rewrite(closeBrackets: boolean): Rewritten {
    while (this.#at < this.#text.length) {
      const char = this.#text[this.#at] ?? "";
      if (isSpace(char)) {
        this.#lineBreak ||= char === "\n";
        this.#at += 1;
        continue;
      }
      if (this.#text.startsWith("//", this.#at) || this.#text.startsWith("/*", this.#at)) {
        if (!this.#skipComment()) return { ok: false, reason: "A comment is not closed." };
        continue;
      }
      if (this.#last !== "" && this.#open.length === 0) {
        if (closeBrackets && /[}\]]/.test(char)) {
          this.#at += 1;
          continue;
        }
        return { ok: false, reason: `There is text after the JSON: ${clip(this.#text.slice(this.#at), 40)}` };
      }
      const problem = this.#token(char);
      if (problem !== undefined) return { ok: false, reason: problem };
    }
    if (this.#open.length > 0) {
      const whole = this.#last === "value" || this.#last === "close";
      if (!closeBrackets || !whole || this.#comma) return { ok: false, reason: "The JSON is not closed." };
      this.#out += this.#open.reverse().join("");
    }
    return { ok: true, json: this.#out };
  }

  #token(char: string): string | undefined {
    if (char === "{" || char === "[") {
      if (this.#open.length >= maxDepth) return "The JSON is nested too deeply.";
      this.#put(char, "open");
      this.#open.push(char === "{" ? "}" : "]");
      this.#at += 1;
    } else if (char === "}" || char === "]") {
      if (this.#open.pop() !== char) return `There is a ${char} that closes nothing.`;
      // A trailing comma goes; two of them leave a gap.
      this.#comma = false;
      this.#out += char;
      this.#last = "close";
      this.#at += 1;
    } else if (char === ",") {
      if (this.#comma) return "There are two commas without a value between them.";
      this.#comma = true;
      this.#last = "comma";
      this.#at += 1;
    } else if (char === ":") {
      this.#put(":", "colon");
      this.#at += 1;
    } else if (quotesClosing(char) !== undefined) return this.#string();
    else return this.#bare();
    return undefined;
  }

  #string(): string | undefined {
    const read = readLooseString(this.#text, this.#at);
    if (!read.ok) return read.reason;
    const isKey = this.#text[skipSpace(this.#text, read.end)] === ":";
    if (isKey && this.#lineBreak && (this.#last === "value" || this.#last === "close")) this.#comma = true;
    this.#put(JSON.stringify(read.value), "value");
    this.#at = read.end;
    return undefined;
  }

  #bare(): string | undefined {
    const name = this.#match(word);
    if (name !== "") {
      const end = this.#at + name.length;
      const isKey = this.#text[skipSpace(this.#text, end)] === ":" && this.#last !== "colon";
      const literal = isKey ? JSON.stringify(name) : literals.get(name);
      if (literal === undefined) return `There is text without quotes around it: ${clip(name, 40)}`;
      this.#put(literal, "value");
      this.#at = end;
      return undefined;
    }
    const value = this.#match(bareValue).trim();
    const ends = /^\s*(?:[,}\]\r\n]|$)/.test(
      this.#text.slice(this.#at + value.length, this.#at + value.length + 40),
    );
    if (!/\d/.test(value) || !ends || /\s\/\/|\d\s+\d/.test(value) || !isBalanced(value)) {
      return `There is text without quotes around it: ${clip(this.#text.slice(this.#at), 40)}`;
    }
    const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(value);
    if (!isNumber && this.#last !== "colon")
      return `There is text without quotes around it: ${clip(value, 40)}`;
    this.#put(isNumber ? value : JSON.stringify(value), "value");
    this.#at += value.length;
    return undefined;
  }

  #put(token: string, kind: "open" | "value" | "colon"): void {
    this.#out += this.#comma ? `,${token}` : this.#last === "value" ? ` ${token}` : token;
    this.#comma = false;
    this.#lineBreak = false;
    this.#last = kind;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? "";
  }

  #skipComment(): boolean {
    const block = this.#text[this.#at + 1] === "*";
    const end = this.#text.indexOf(block ? "*/" : "\n", this.#at + 2);
    if (end < 0 && block) return false;
    this.#at = end < 0 ? this.#text.length : end + (block ? 2 : 0);
    return true;
  }
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === "(") depth += 1;
    else if (char === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

const firstKey = /^\{\s*"([^"\\]*)"\s*:\s*"/;
/** A second entry, or a second string that is joined on: then the quotes are the object's own. */
const secondString = /"\s*(?:,\s*"[^"]*"\s*:|\+\s*")|"\s+"/;

/** `{"key": "text with "quotes" inside"}`: with one entry only, the text can end nowhere but at the end. */
function readLoneString(text: string): Record<string, unknown> | undefined {
  const opener = firstKey.exec(text);
  const key = opener?.[1];
  if (opener === null || key === undefined || !text.endsWith("}")) return undefined;
  let end = text.slice(0, -1).trimEnd();
  if (end.endsWith(",")) end = end.slice(0, -1).trimEnd();
  if (!end.endsWith('"') || end.length <= opener[0].length) return undefined;
  const body = end.slice(opener[0].length, -1);
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(body.slice(-200)) || secondString.test(body)) return undefined;
  const value = unescapeLoosely(body);
  return value === undefined ? undefined : Object.fromEntries([[key, value]]);
}
