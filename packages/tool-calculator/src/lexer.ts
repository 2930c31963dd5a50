import { CalculationError } from "./calculation-error.js";
import { characterHint, foldFullWidth, showCharacter, typographicOperators } from "./characters.js";
import { limits } from "./limits.js";
import { isKnownName } from "./names.js";
import type { Value } from "./value.js";

/** The operators of the language. `^` is read as `**`. */
export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

/** A piece of an expression. `text` is how it was written, `at` where, in UTF-16 units from 0. */
export type Token =
  | { kind: "number"; value: Value; text: string; at: number }
  | { kind: "name"; name: string; text: string; at: number }
  | { kind: "operator"; operator: Operator; text: string; at: number }
  | { kind: "root" | "open" | "close" | "comma"; text: string; at: number };

const space = /\s+/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
const operator = /\*\*|\/\/|[-+*/%^]/y;
const based = /0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)/y;
const decimal = /(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][-+]?\d+(?:_\d+)*)?/y;
const numberRun = /[0-9._]+/y;
const attribute = /\.\s*([A-Za-z_][A-Za-z0-9_]*)/y;

const marks: ReadonlyMap<string, "root" | "open" | "close" | "comma"> = new Map([
  ["√", "root"],
  ["(", "open"],
  [")", "close"],
  [",", "comma"],
]);

/**
 * Splits an expression into tokens. Number literals are Python's: `1_000`, `.5`, `5.`, `1e-3`, `0x1F`.
 * Throws a {@link CalculationError} that names a character or literal that has no place, or the limit passed.
 */
export function tokenize(expression: string): Token[] {
  if (expression.length > limits.characters) {
    throw new CalculationError(
      "limit",
      `The expression has ${expression.length} characters; at most ${limits.characters} are read. Split it into parts.`,
    );
  }
  const source = foldFullWidth(expression);
  const tokens: Token[] = [];
  let at = match(space, source, 0).length;
  while (at < source.length) {
    if (tokens.length === limits.tokens) {
      throw new CalculationError(
        "limit",
        `The expression has more than ${limits.tokens} numbers, names and signs. Split it into parts.`,
        at + 1,
      );
    }
    const token = readToken(source, at, tokens.at(-1));
    tokens.push(token);
    at += token.text.length;
    at += match(space, source, at).length;
  }
  return tokens;
}

function readToken(source: string, at: number, previous: Token | undefined): Token {
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  if (/[0-9.]/.test(character)) {
    const number = readNumber(source, at);
    if (number !== undefined) return number;
  }
  const word = match(name, source, at);
  if (word !== "") return { kind: "name", name: word, text: word, at };
  const sign = match(operator, source, at);
  if (sign !== "")
    return { kind: "operator", operator: sign === "^" ? "**" : (sign as Operator), text: sign, at };
  const mark = marks.get(character);
  if (mark !== undefined) return { kind: mark, text: character, at };
  const typographic = typographicOperators.get(character);
  if (typographic !== undefined) return { kind: "operator", operator: typographic, text: character, at };
  if (character === "π") return { kind: "name", name: "pi", text: character, at };
  throw unexpected(source, at, character, previous);
}

function readNumber(source: string, at: number): Token | undefined {
  const text = match(based, source, at) || match(decimal, source, at);
  if (text === "") return undefined;
  const rest = match(numberRun, source, at + text.length);
  if (rest !== "") {
    throw new CalculationError(
      "syntax",
      `\`${clip(text + rest)}\` at position ${at + 1} is not a number.`,
      at + 1,
    );
  }
  const digits = text.replaceAll("_", "");
  if (/^0\d+$/.test(digits)) {
    throw new CalculationError(
      "syntax",
      `\`${clip(text)}\` at position ${at + 1} starts with a zero. Write numbers without leading zeros and without ` +
        "separators for thousands: 1000 or 1_000.",
      at + 1,
    );
  }
  return { kind: "number", value: numberValue(digits, text, at), text, at };
}

function numberValue(digits: string, text: string, at: number): Value {
  if (/^(?:\d+|0[a-z].*)$/i.test(digits)) return BigInt(digits);
  const value = Number(digits);
  if (Number.isFinite(value)) return value;
  throw new CalculationError(
    "range",
    `\`${clip(text)}\` at position ${at + 1} is too large for a float (about 1.8e308). Write it as an integer, like 10 ** 400.`,
    at + 1,
  );
}

function unexpected(
  source: string,
  at: number,
  character: string,
  previous: Token | undefined,
): CalculationError {
  attribute.lastIndex = at;
  const member = attribute.exec(source)?.[1];
  if (member !== undefined && previous !== undefined) {
    const owner = previous.kind === "name" ? previous : undefined;
    const written = clip(`${owner?.text ?? ""}.${member}`);
    const position = (owner?.at ?? at) + 1;
    const advice = isKnownName(member) ? ` Write \`${member}\` alone.` : "";
    return new CalculationError(
      "syntax",
      `\`${written}\` at position ${position}: attributes are not supported.${advice}`,
      position,
    );
  }
  return new CalculationError(
    "syntax",
    `Unexpected character ${showCharacter(character)} at position ${at + 1}: ${characterHint(character)}.`,
    at + 1,
  );
}

function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0] ?? "";
}

/** At most 40 characters of a text, for a message. */
export function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}
