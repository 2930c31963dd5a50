import { CalculationError } from "./calculation-error.js";
import { characterHint, foldFullWidth, showCharacter, typographicOperators } from "./characters.js";
import { limits } from "./limits.js";
import { isKnownName } from "./names.js";
import { readNumber } from "./number-literal.js";
import { clip, match } from "./text.js";
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
const attribute = /\.\s*([A-Za-z_][A-Za-z0-9_]*)/y;

const digitZero = 48;
const digitNine = 57;
const point = 46;

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
  for (let at = skipSpace(source, 0); at < source.length; ) {
    if (tokens.length === limits.tokens) {
      throw new CalculationError(
        "limit",
        `The expression has more than ${limits.tokens} numbers, names and signs. Split it into parts.`,
        at + 1,
      );
    }
    const token = readToken(source, at, tokens.at(-1));
    tokens.push(token);
    at = skipSpace(source, at + token.text.length);
  }
  return tokens;
}

function readToken(source: string, at: number, previous: Token | undefined): Token {
  const code = source.charCodeAt(at);
  if ((code >= digitZero && code <= digitNine) || code === point) {
    const literal = readNumber(source, at);
    if (literal !== undefined) return { kind: "number", ...literal, at };
  }
  const sign = match(operator, source, at);
  if (sign !== "")
    return { kind: "operator", operator: sign === "^" ? "**" : (sign as Operator), text: sign, at };
  const word = match(name, source, at);
  if (word !== "") return { kind: "name", name: word, text: word, at };
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  const mark = marks.get(character);
  if (mark !== undefined) return { kind: mark, text: character, at };
  const typographic = typographicOperators.get(character);
  if (typographic !== undefined) return { kind: "operator", operator: typographic, text: character, at };
  if (character === "π") return { kind: "name", name: "pi", text: character, at };
  throw unexpected(source, at, character, previous);
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

function skipSpace(source: string, at: number): number {
  const code = source.charCodeAt(at);
  // Any white space but a single blank takes the slower way.
  if (code > 32 && code < 127) return at;
  if (code === 32 && source.charCodeAt(at + 1) > 32 && source.charCodeAt(at + 1) < 127) return at + 1;
  return at + match(space, source, at).length;
}
