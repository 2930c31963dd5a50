/** Where a JSON object stands in a text: from `start` to before `end`. */
export interface JsonSpan {
  start: number;
  end: number;
}

const closers: Readonly<Record<string, string>> = { "{": "}", "[": "]", "(": ")" };

/** What may close a string, by the quote that opens it. */
const closingQuotes: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "“": "”“",
  "”": "”“",
  "„": "”“",
  "‘": "’‘",
  "’": "’‘",
};

/** The quotes that close a string opened by `char`; undefined for what opens none. */
export function quotesClosing(char: string): string | undefined {
  return closingQuotes[char];
}

/** Whether a character is white space. */
export function isSpace(char: string | undefined): boolean {
  return (
    char === " " || char === "\n" || char === "\t" || char === "\r" || char === "\u00a0" || char === "\ufeff"
  );
}

/** The index of the first character from `start` on that is no white space; the text's length when there is none. */
export function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && isSpace(text[at])) at += 1;
  return at;
}

/** Whether what follows a quote shows that it closes a string: a delimiter, or nothing at all. */
export function isStringEnd(text: string, after: number): boolean {
  const next = text[skipSpace(text, after)];
  return next === undefined || ",:}])".includes(next);
}

/**
 * The index after the quote that closes the string opened at `start`, or -1. Straight double quotes end as JSON says;
 * of all others only those that a delimiter follows, because an apostrophe may stand in between.
 */
export function stringEnd(text: string, start: number, limit: number = text.length): number {
  const opener = text[start] ?? "";
  const ends = closingQuotes[opener] ?? "";
  for (let at = start + 1; at < limit; at += 1) {
    const char = text[at] ?? "";
    if (char === "\\") at += 1;
    else if (ends.includes(char) && (opener === '"' || isStringEnd(text, at + 1))) return at + 1;
  }
  return -1;
}

/** After these a quote opens a string; anywhere else it is a character of a text. */
const beforeString = new Set(["{", "[", "(", ",", ":", "=", "+"]);

/**
 * The index after the bracket that closes the one at `start` (`{`, `[` or `(`), or -1 when none does before `limit`.
 * Brackets in strings do not count.
 */
export function bracketEnd(text: string, start: number, limit: number = text.length): number {
  const open: string[] = [];
  let before = "";
  for (let at = start; at < limit; at += 1) {
    const char = text[at] ?? "";
    const closer = closers[char];
    if (closer !== undefined) open.push(closer);
    else if (char === "}" || char === "]" || char === ")") {
      if (open.pop() !== char) return -1;
      if (open.length === 0) return at + 1;
    } else if (beforeString.has(before) && closingQuotes[char] !== undefined) {
      const end = stringEnd(text, at, limit);
      if (end < 0) return -1;
      at = end - 1;
    }
    if (!isSpace(char)) before = char;
  }
  return -1;
}

/**
 * The outermost balanced `{…}` of a text, in order. Braces in strings do not count, nor do braces that nothing closes.
 * Whether a span is JSON is for a parser to say. Takes time linear in the length of the text.
 *
 * @example
 * findJsonObjects('Use {"a": "}"} now'); // [{ start: 4, end: 14 }]
 */
export function findJsonObjects(text: string): JsonSpan[] {
  const open: number[] = [];
  const unclosed = { "{": 0, "[": 0 };
  const endless = new Set<string>();
  const spans: JsonSpan[] = [];
  let before = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (char === "{" || char === "[") {
      open.push(at);
      unclosed[char] += 1;
    } else if (char === "}" || char === "]") {
      const opener = char === "}" ? "{" : "[";
      // A closing bracket without an opening one is text; one that closes an outer bracket ends the inner ones too.
      while (unclosed[opener] > 0) {
        const start = open.pop() ?? 0;
        const found = text[start] === "{" ? "{" : "[";
        unclosed[found] -= 1;
        if (found !== opener) continue;
        if (char === "}") addOutermost(spans, { start, end: at + 1 });
        break;
      }
    } else if (open.length > 0 && beforeString.has(before) && closingQuotes[char] !== undefined) {
      const end = endless.has(char) ? -1 : stringEnd(text, at);
      // Looked for once only: what no quote closes here, none closes further on.
      if (end < 0) endless.add(char);
      else at = end - 1;
    }
    if (!isSpace(char)) before = char;
  }
  return spans;
}

function addOutermost(spans: JsonSpan[], span: JsonSpan): void {
  while ((spans.at(-1)?.start ?? -1) > span.start) spans.pop();
  spans.push(span);
}
