/** A piece of a question. `spaced` says whether white space stands before it. */
export type Token =
  | { kind: "number"; text: string; currency: string; spaced: boolean }
  | { kind: "word"; text: string; spaced: boolean }
  | { kind: "symbol"; text: string; spaced: boolean }
  /** The end of a sentence or line. */
  | { kind: "break"; text: string; spaced: boolean };

/**
 * The words for the calculator's functions, with how many arguments they take here. Within their parentheses a comma
 * always separates arguments, never thousands.
 */
export const functionNames: ReadonlyMap<string, { name: string; least: number; most: number }> = new Map(
  (
    [
      ["sqrt", "sqrt", 1, 1],
      ["abs", "abs", 1, 1],
      ["round", "round", 1, 2],
      ["min", "min", 2, 100],
      ["max", "max", 2, 100],
      ["log", "log", 1, 2],
      ["ln", "log", 1, 1],
      ["log10", "log10", 1, 1],
      ["log2", "log2", 1, 1],
      ["sin", "sin", 1, 1],
      ["cos", "cos", 1, 1],
      ["tan", "tan", 1, 1],
      ["ceil", "ceil", 1, 1],
      ["ceiling", "ceil", 1, 1],
      ["floor", "floor", 1, 1],
      ["sine", "sin", 1, 1],
      ["cosine", "cos", 1, 1],
      ["tangent", "tan", 1, 1],
      ["logarithm", "log", 1, 2],
    ] as const
  ).map(([word, name, least, most]) => [word, { name, least, most }]),
);

const rewrites: Readonly<Record<string, string>> = {
  "×": "*",
  "✕": "*",
  "·": "*",
  "⋅": "*",
  "∗": "*",
  "÷": "/",
  "∕": "/",
  "⁄": "/",
  "−": "-",
  "–": "-",
  "²": "**2",
  "³": "**3",
  "√": " sqrt ",
  π: " pi ",
  "°": " degrees ",
  "’": "'",
  "“": " ",
  "”": " ",
  '"': " ",
  "`": " ",
  "^": "**",
};
const rewritten = /[×✕·⋅∗÷∕⁄−–²³√π°’“”"`^]/g;

const space = /[\s\u200b]+/y;
const thousands = /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d.]|,\d)/y;
const plainNumber = /(?:\d+(?:_\d+)*(?:\.\d+)?|\.\d+)(?:e[+-]?\d{1,3}(?!\d))?/y;
const word = /log10(?!\d)|log2(?!\d)|[a-z]+(?:'[a-z]+)?/y;
const symbol = /\*\*|\/\/|[-+*/%(),=:&!]/y;
const currencies: Readonly<Record<string, string>> = { $: "$", "€": "€", "£": "£", "¥": "¥", "₹": "₹" };

/**
 * The tokens of a question in lower case, typographic signs as the plain ones. `undefined` when the text holds a
 * character or a number that no arithmetic has.
 */
export function tokenize(question: string): Token[] | undefined {
  const text = question.toLowerCase().replace(rewritten, (sign) => rewrites[sign] ?? sign);
  const tokens: Token[] = [];
  /** For each open parenthesis, whether it holds the arguments of a function. */
  const open: boolean[] = [];
  let at = 0;
  let currency = "";
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text)?.[0];
    if (match !== undefined) at += match.length;
    return match;
  };
  while (at < text.length) {
    const before = take(space) ?? "";
    const spaced = before !== "";
    if (before.includes("\n") && tokens.length > 0) tokens.push({ kind: "break", text: "\n", spaced });
    const character = text.charAt(at);
    if (character === "") break;
    const digits = (open.at(-1) ? undefined : take(thousands)) ?? take(plainNumber);
    if (digits !== undefined) {
      // Neither a code (007, 0x1f) nor a version or date (1.2.3) is a number.
      const after = text.slice(at, at + 2);
      if (/^0\d/.test(digits) || /^\.\d/.test(after) || (digits === "0" && /^x[\da-f]/.test(after)))
        return undefined;
      tokens.push({ kind: "number", text: plain(digits), currency, spaced });
      currency = "";
      continue;
    }
    if (currency !== "") return undefined;
    const letters = take(word);
    if (letters !== undefined) {
      tokens.push({ kind: "word", text: letters, spaced });
      continue;
    }
    if (character === "-" && joinsWords(text, at, tokens.at(-1))) {
      at += 1;
      continue;
    }
    const sign = take(symbol);
    // After wide space it begins a comment.
    if (sign === "//" && before.length > 1) return undefined;
    if (sign !== undefined) {
      if (sign === "(") open.push(open.at(-1) === true || followsFunction(tokens.at(-1)));
      else if (sign === ")") open.pop();
      const ends = sign === "!" && tokens.at(-1)?.kind !== "number";
      tokens.push({ kind: ends ? "break" : "symbol", text: sign, spaced });
      continue;
    }
    at += 1;
    if (character === "'") continue;
    if (character === "?" || character === "." || character === ";") {
      tokens.push({ kind: "break", text: character, spaced });
    } else if (currencies[character] !== undefined) {
      const previous = tokens.at(-1);
      if (previous?.kind === "number" && !spaced && previous.currency === "" && !/\d/.test(text.charAt(at))) {
        previous.currency = character;
      } else currency = character;
    } else return undefined;
  }
  return currency === "" ? tokens : undefined;
}

function plain(digits: string): string {
  const text = digits.replace(/[,_]/g, "");
  return text.startsWith(".") ? `0${text}` : text;
}

/** A hyphen inside a compound such as twenty-five; single letters are unknowns, so there it is a minus. */
function joinsWords(text: string, at: number, previous: Token | undefined): boolean {
  if (previous?.kind !== "word" || previous.text.length < 2) return false;
  return /[a-z]/.test(text.charAt(at - 1)) && /^[a-z]{2}/.test(text.slice(at + 1, at + 3));
}

function followsFunction(token: Token | undefined): boolean {
  return token?.kind === "word" && functionNames.has(token.text);
}

/** Whether a word can stand for a number to be found; `e` is one that is known. */
export function isUnknown(word: string): boolean {
  return word.length === 1 && word !== "e";
}
