import type { Expression, Operator } from "./expression.js";
import { readFunction } from "./function-call.js";
import { infixAt } from "./infix.js";
import { notArithmetic } from "./not-arithmetic.js";
import { denominatorOf, readNumberWords, readScale, startsNumberWords } from "./number-words.js";
import { readPhrase, startsPhrase } from "./phrases.js";
import { functionNames, isUnknown, type Token } from "./token.js";

/** How the words of a question are to be read. */
export interface ReadingOptions {
  /** The number an earlier answer gave, which "that" and "it" stand for. */
  previous?: string | undefined;
  /** Whether single letters are unknowns. */
  unknowns?: boolean;
}

/** Parentheses and phrases that may be open at once. */
const maxDepth = 50;
/** Binds as tightly as a power: what a phrase such as "square root of" takes. */
const powerLevel = 40;

const articles = new Set(["a", "an", "the"]);
const references = new Set(["that", "it", "this", "ans", "result", "answer"]);
const currencyWords: Readonly<Record<string, string>> = {
  dollar: "$",
  dollars: "$",
  usd: "$",
  euro: "€",
  euros: "€",
  eur: "€",
  gbp: "£",
};

/**
 * Reads arithmetic in signs and in words, by precedence climbing. Every method throws {@link notArithmetic} where the
 * tokens are anything else; each token is read a bounded number of times.
 */
export class ExpressionParser {
  readonly tokens: readonly Token[];
  readonly options: ReadingOptions;
  at: number;
  /** Whether an angle may be given in degrees here. */
  angle = false;
  #depth = 0;
  #currency = "";

  constructor(tokens: readonly Token[], at: number, options: ReadingOptions) {
    this.tokens = tokens;
    this.at = at;
    this.options = options;
  }

  peek(offset = 0): Token | undefined {
    return this.tokens[this.at + offset];
  }

  isWord(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === "word" && token.text === text;
  }

  isSymbol(text: string, offset = 0): boolean {
    const token = this.peek(offset);
    return token?.kind === "symbol" && token.text === text;
  }

  /** Takes these words when they all come next. */
  accept(...words: readonly string[]): boolean {
    if (!words.every((word, index) => this.isWord(word, index))) return false;
    this.at += words.length;
    return true;
  }

  acceptSymbol(text: string): boolean {
    if (!this.isSymbol(text)) return false;
    this.at += 1;
    return true;
  }

  /** Takes one of these words, which must come next. */
  expect(...words: readonly string[]): void {
    if (!words.some((word) => this.accept(word))) throw notArithmetic;
  }

  /** An expression whose operators all bind at least as tightly as `level`. */
  expression(level = 0): Expression {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw notArithmetic;
    let left = this.#operand();
    let divided = false;
    for (;;) {
      const infix = infixAt(this, left);
      if (infix === undefined || infix.level < level) break;
      // Nobody agrees on what 1/2x or 6/2(1+2) is.
      if (infix.implied && divided) throw notArithmetic;
      this.at += infix.length;
      left = infix.apply(infix.rightLevel === undefined ? undefined : this.expression(infix.rightLevel));
      divided =
        left.kind === "operation" && left.operator !== "+" && left.operator !== "-" && left.operator !== "*";
    }
    this.#depth -= 1;
    return left;
  }

  /** What a function or phrase without parentheses applies to: a tight part, with `*` and `/` written without spaces. */
  argument(): Expression {
    let value = this.expression(powerLevel);
    for (;;) {
      const sign = this.peek();
      const operator: Operator | undefined =
        sign?.kind === "symbol" && (sign.text === "*" || sign.text === "/") ? sign.text : undefined;
      if (operator === undefined || sign?.spaced !== false || this.peek(1)?.spaced !== false) return value;
      this.at += 1;
      value = { kind: "operation", operator, left: value, right: this.expression(powerLevel) };
    }
  }

  /** "1, 2 and 3": at least two. The first may have been read already. */
  list(first?: Expression): Expression[] {
    if (first === undefined) {
      this.accept("numbers");
      this.acceptSymbol(":");
    }
    const items = [first ?? this.expression(10)];
    for (;;) {
      const before = this.at;
      const comma = this.acceptSymbol(",");
      const joined = this.accept("and") || this.acceptSymbol("&") || comma;
      if (!joined || !this.startsOperand()) {
        this.at = before;
        break;
      }
      items.push(this.expression(10));
    }
    if (items.length < 2) throw notArithmetic;
    return items;
  }

  /** Whether a value can begin at the next token. */
  startsOperand(): boolean {
    let offset = 0;
    for (
      let token = this.peek();
      token?.kind === "word" && articles.has(token.text);
      token = this.peek(offset)
    ) {
      offset += 1;
    }
    const token = this.peek(offset);
    if (token === undefined || token.kind === "break") return false;
    if (token.kind === "number") return true;
    if (token.kind === "symbol") return token.text === "(" || token.text === "-";
    return (
      startsNumberWords(token) ||
      denominatorOf(token) !== undefined ||
      functionNames.has(token.text) ||
      token.text === "pi" ||
      token.text === "e" ||
      token.text === "negative" ||
      (this.options.previous !== undefined && references.has(token.text)) ||
      (this.options.unknowns === true && isUnknown(token.text)) ||
      startsPhrase(token.text)
    );
  }

  #operand(): Expression {
    const token = this.peek();
    if (token === undefined || token.kind === "break") throw notArithmetic;
    if (token.kind === "number") return this.#number(token.text, token.currency);
    if (token.kind === "symbol") return this.#sign();
    if (this.options.unknowns === true && isUnknown(token.text) && !this.#isArticle()) {
      this.at += 1;
      return { kind: "unknown", name: token.text };
    }
    if (articles.has(token.text)) {
      this.at += 1;
      this.accept("number");
      return this.#operand();
    }
    return this.#word(token.text);
  }

  #sign(): Expression {
    if (this.acceptSymbol("(")) {
      const { angle } = this;
      const inner = this.expression();
      this.angle = angle;
      if (!this.acceptSymbol(")")) throw notArithmetic;
      return inner;
    }
    if (this.acceptSymbol("-")) return { kind: "negative", value: this.expression(powerLevel) };
    if (this.acceptSymbol("+")) return this.expression(powerLevel);
    throw notArithmetic;
  }

  #number(text: string, currency: string): Expression {
    this.at += 1;
    const scaled = readScale(text, this.peek());
    if (scaled !== undefined) this.at += 1;
    const next = this.peek();
    const spoken = next?.kind === "word" ? currencyWords[next.text] : undefined;
    if (spoken !== undefined) this.at += 1;
    this.#useCurrency(currency || (spoken ?? ""));
    return this.#fractionOf(scaled ?? text);
  }

  /** Amounts in different currencies have no sum. */
  #useCurrency(currency: string): void {
    if (currency === "") return;
    if (this.#currency !== "" && this.#currency !== currency) throw notArithmetic;
    this.#currency = currency;
  }

  /** "two thirds", "3 quarters" */
  #fractionOf(numerator: string): Expression {
    const denominator = /^\d+$/.test(numerator) ? denominatorOf(this.peek()) : undefined;
    if (denominator === undefined || this.isWord("root", 1)) return { kind: "number", text: numerator };
    this.at += 1;
    return { kind: "fraction", numerator, denominator };
  }

  #word(word: string): Expression {
    if (startsNumberWords(this.peek())) {
      const spoken = readNumberWords(this.tokens, this.at);
      if (spoken === undefined) throw notArithmetic;
      // The number may be followed by what follows digits: a fraction word, a currency.
      this.at = spoken.next - 1;
      return this.#number(spoken.text, "");
    }
    if (word === "pi" || word === "e") {
      this.at += 1;
      return { kind: "constant", name: word };
    }
    if (word === "negative" || word === "minus") {
      this.at += 1;
      return { kind: "negative", value: this.expression(powerLevel) };
    }
    const { previous } = this.options;
    if (previous !== undefined && references.has(word)) {
      this.at += 1;
      const number: Expression = { kind: "number", text: previous.replace("-", "") };
      return previous.startsWith("-") ? { kind: "negative", value: number } : number;
    }
    const found = readFunction(this) ?? readPhrase(this);
    if (found !== undefined) return found;
    const denominator = denominatorOf(this.peek());
    if (denominator === undefined) throw notArithmetic;
    this.at += 1;
    return { kind: "fraction", numerator: "1", denominator };
  }

  /** Where letters are unknowns, "a" before an operator is one. */
  #isArticle(): boolean {
    const next = this.peek(1);
    return this.isWord("a") && next?.kind !== "symbol" && next?.kind !== "break" && next !== undefined;
  }
}
