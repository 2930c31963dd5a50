import { isSpace, isStringEnd, quotesClosing, skipSpace } from "./json-scan.js";

/** A string literal that was read, and the index after it; or why it could not be read without a guess. */
export type LooseString = { ok: true; value: string; end: number } | { ok: false; reason: string };

const unescapedQuote = 'A quote inside a string is not escaped: write it as \\".';
const badBackslash = "A backslash inside a string is not escaped: write it as \\\\.";

/**
 * Reads the string literal at `start`: in straight, single, typographic or triple quotes or backticks, with raw line
 * breaks and tabs. Refuses what has more than one reading: a quote inside that is not escaped, backslashes of which
 * only some are escapes.
 */
export function readLooseString(text: string, start: number): LooseString {
  const opener = text[start] ?? "";
  const triple = opener.repeat(3);
  if ((opener === '"' || opener === "'") && text.startsWith(triple, start))
    return readTriple(text, start, triple);
  const ends = quotesClosing(opener) ?? "";
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\") at += 1;
    else if (ends.includes(char)) {
      if (endsHere(text, at + 1)) {
        const value = unescapeLoosely(text.slice(start + 1, at));
        return value === undefined ? { ok: false, reason: badBackslash } : { ok: true, value, end: at + 1 };
      }
      if (!isApostrophe(text, at)) return { ok: false, reason: unescapedQuote };
    }
  }
  return { ok: false, reason: "A string is not closed." };
}

function readTriple(text: string, start: number, triple: string): LooseString {
  const end = text.indexOf(triple, start + 3);
  if (end < 0) return { ok: false, reason: "A string is not closed." };
  const value = text.slice(start + 3, end);
  if (!endsHere(text, end + 3)) return { ok: false, reason: unescapedQuote };
  return value.includes("\\") ? { ok: false, reason: badBackslash } : { ok: true, value, end: end + 3 };
}

/** A delimiter, a comment, or the next line's string, whose comma is missing, may follow a string. */
function endsHere(text: string, after: number): boolean {
  if (isStringEnd(text, after)) return true;
  const next = skipSpace(text, after);
  if (text[next] === "/") return true;
  return quotesClosing(text[next] ?? "") !== undefined && text.slice(after, next).includes("\n");
}

function isApostrophe(text: string, at: number): boolean {
  const char = text[at];
  return (char === "'" || char === "’") && isLetter(text[at - 1]) && isLetter(text[at + 1]);
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && !isSpace(char) && /[\p{L}\p{N}]/u.test(char);
}

const simpleEscapes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "/": "/",
  "\\": "\\",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

const escapeSequence = /\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]?))/g;
/** `C:\name`: a path whose backslashes are more likely meant as they stand. */
const drivePath = /^[A-Za-z]:\\[^\\/]/;

/**
 * The text that the inside of a string literal stands for; undefined when its backslashes have two readings. All of
 * them unknown to JSON (`\d+`, `C:\Users`) are meant as they stand; a path with a drive keeps all of them.
 */
export function unescapeLoosely(body: string): string | undefined {
  if (!body.includes("\\")) return body;
  let known = 0;
  let unknown = 0;
  let doubled = false;
  let continued = false;
  const value = body.replace(escapeSequence, (all, unicode?: string, hex?: string, char?: string) => {
    const code = unicode ?? hex;
    if (code !== undefined) {
      known += 1;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    const meaning = simpleEscapes[char ?? ""];
    if (meaning === undefined) {
      unknown += 1;
      continued ||= char === "\n" || char === "\r" || char === "";
      return all;
    }
    doubled ||= char === "\\";
    if (/[bfnrt]/.test(char ?? "")) known += 1;
    return meaning;
  });
  if (continued) return undefined;
  if (drivePath.test(body) && !doubled) return unknown > 0 && !body.includes('\\"') ? body : undefined;
  return unknown > 0 && (known > 0 || doubled) ? undefined : value;
}
