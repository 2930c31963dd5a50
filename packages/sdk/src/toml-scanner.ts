/** A table header or a key with its value, and where it stands in the text. */
export interface TomlEntry {
  kind: "table" | "array-table" | "value";
  /** The full key, sections included. */
  path: readonly string[];
  /** How many of `path` come from the header the entry stands under. */
  depth: number;
  /** Offset of the key, or of the bracket of a header. */
  start: number;
  /** Offset of the value; of a header, its end. */
  valueStart: number;
  /** Offset after the value or header. */
  end: number;
  /** Whether it stands inside braces. */
  inline: boolean;
}

/**
 * Finds where tables and keys stand in a text that a TOML parser has accepted: parsers give values without positions,
 * and messages and edits need them. On any other text it finds what it can and always ends.
 */
export function scanToml(text: string): TomlEntry[] {
  return new Scanner(text).scan();
}

/** The number of the line an offset is in, from 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let index = text.indexOf("\n"); index >= 0 && index < offset; index = text.indexOf("\n", index + 1)) {
    line += 1;
  }
  return line;
}

/** The line of a key; where it has none of its own, that of the nearest table above it, or 1. */
export function lineOfKey(text: string, path: readonly string[]): number {
  let best: TomlEntry | undefined;
  for (const entry of scanToml(text)) {
    if (entry.path.length > path.length || entry.path.some((part, index) => part !== path[index])) continue;
    if (best === undefined || entry.path.length > best.path.length) best = entry;
  }
  return best === undefined ? 1 : lineAt(text, best.start);
}

/** The parts of a dotted key as a person types it: `plugins.prefer."a.b"`. Empty when it is no key. */
export function parseKey(text: string): string[] {
  const scanner = new Scanner(text);
  const parts = scanner.key();
  return scanner.atEnd ? parts : [];
}

const bare = /[A-Za-z0-9_-]/;
const spaces = /[ \t]/;
const spacesAndLines = /[ \t\r\n]/;
const endOfScalar = /[,\]}#\r\n]/;

class Scanner {
  readonly #text: string;
  readonly #entries: TomlEntry[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  scan(): TomlEntry[] {
    let table: readonly string[] = [];
    for (;;) {
      this.#skipBlank();
      if (this.atEnd) return this.#entries;
      const before = this.#at;
      if (this.#peek() === "[") table = this.#header();
      else this.#keyAndValue(table, table.length, false);
      this.#skip(spaces);
      // Text no parser accepts: go on with the next line, so that the scan ends.
      if (this.#at === before || !(this.atEnd || /[#\r\n]/.test(this.#peek()))) this.#skipLine();
    }
  }

  /** A dotted key. */
  key(): string[] {
    const parts: string[] = [];
    for (;;) {
      this.#skip(spaces);
      const part = this.#keyPart();
      if (part === undefined) return [];
      parts.push(part);
      this.#skip(spaces);
      if (this.#peek() !== ".") return parts;
      this.#at += 1;
    }
  }

  #header(): readonly string[] {
    const start = this.#at;
    this.#at += 1;
    const isArray = this.#peek() === "[";
    if (isArray) this.#at += 1;
    const path = this.key();
    while (this.#peek() === "]") this.#at += 1;
    const kind = isArray ? "array-table" : "table";
    const { length } = path;
    this.#entries.push({
      kind,
      path,
      depth: length,
      start,
      valueStart: this.#at,
      end: this.#at,
      inline: false,
    });
    return path;
  }

  #keyAndValue(table: readonly string[], depth: number, inline: boolean): void {
    const start = this.#at;
    const path = [...table, ...this.key()];
    this.#skip(spaces);
    if (path.length === table.length || this.#peek() !== "=") return;
    this.#at += 1;
    this.#skip(spaces);
    const entry: TomlEntry = {
      kind: "value",
      path,
      depth,
      start,
      valueStart: this.#at,
      end: this.#at,
      inline,
    };
    this.#entries.push(entry);
    this.#value(path);
    entry.end = this.#at;
  }

  /** Moves past a value; the keys of inline tables become entries, those inside arrays do not. */
  #value(path: readonly string[] | undefined): void {
    const first = this.#peek();
    if (first === '"' || first === "'") this.#string();
    else if (first === "[") this.#array();
    else if (first === "{") this.#inlineTable(path);
    else this.#scalar();
  }

  #scalar(): void {
    const start = this.#at;
    while (!this.atEnd && !endOfScalar.test(this.#peek())) this.#at += 1;
    while (this.#at > start && spaces.test(this.#text[this.#at - 1] ?? "")) this.#at -= 1;
  }

  #array(): void {
    this.#at += 1;
    for (;;) {
      this.#skipBlank(",");
      if (this.atEnd) return;
      if (this.#peek() === "]") {
        this.#at += 1;
        return;
      }
      const before = this.#at;
      this.#value(undefined);
      if (this.#at === before) this.#at += 1;
    }
  }

  #inlineTable(path: readonly string[] | undefined): void {
    this.#at += 1;
    for (;;) {
      this.#skipBlank(",");
      if (this.atEnd) return;
      if (this.#peek() === "}") {
        this.#at += 1;
        return;
      }
      const before = this.#at;
      const known = this.#entries.length;
      this.#keyAndValue(path ?? [], path?.length ?? 0, true);
      if (path === undefined) this.#entries.length = known;
      if (this.#at === before) this.#at += 1;
    }
  }

  #string(): void {
    const quote = this.#peek();
    const triple = quote.repeat(3);
    const delimiter = this.#text.startsWith(triple, this.#at) ? triple : quote;
    this.#at += delimiter.length;
    while (!this.atEnd) {
      if (this.#text.startsWith(delimiter, this.#at)) {
        this.#at += delimiter.length;
        // Up to two quotes may stand directly before the closing three.
        while (delimiter === triple && this.#peek() === quote) this.#at += 1;
        return;
      }
      if (delimiter.length === 1 && this.#peek() === "\n") return;
      this.#at += quote === '"' && this.#peek() === "\\" ? 2 : 1;
    }
    this.#at = this.#text.length;
  }

  #keyPart(): string | undefined {
    const start = this.#at;
    const quote = this.#peek();
    if (quote === '"' || quote === "'") {
      this.#string();
      const end = this.#at - 1;
      if (end === start || this.#text[end] !== quote) return undefined;
      const raw = this.#text.slice(start + 1, end);
      return quote === "'" ? raw : unescaped(raw);
    }
    while (!this.atEnd && bare.test(this.#peek())) this.#at += 1;
    return this.#at === start ? undefined : this.#text.slice(start, this.#at);
  }

  /** Moves past spaces, line ends and comments. */
  #skipBlank(extra = ""): void {
    for (;;) {
      this.#skip(spacesAndLines);
      const next = this.#peek();
      if (next === "#") this.#skipLine();
      else if (next !== "" && next === extra) this.#at += 1;
      else return;
    }
  }

  #skip(characters: RegExp): void {
    while (!this.atEnd && characters.test(this.#peek())) this.#at += 1;
  }

  #skipLine(): void {
    const end = this.#text.indexOf("\n", this.#at);
    this.#at = end < 0 ? this.#text.length : end + 1;
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }
}

function unescaped(raw: string): string {
  const simple: Readonly<Record<string, string>> = {
    b: "\b",
    t: "\t",
    n: "\n",
    f: "\f",
    r: "\r",
    e: "\u001b",
  };
  return raw.replace(
    /\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|x([0-9A-Fa-f]{2})|(.))/gs,
    (whole, short?: string, long?: string, byte?: string, letter?: string) => {
      if (letter !== undefined) return simple[letter] ?? letter;
      const code = Number.parseInt(short ?? long ?? byte ?? "", 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
