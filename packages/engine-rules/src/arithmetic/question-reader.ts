import { type ArithmeticQuestion, questionOf } from "./arithmetic-question.js";
import { solveLinear } from "./equation.js";
import { computes, writeExpression } from "./expression.js";
import { ExpressionParser } from "./expression-parser.js";
import { instructionWords, leadingWords, negations, trailingWords, yesNoWords } from "./fillers.js";
import { readGeometry } from "./geometry.js";
import { notArithmetic } from "./not-arithmetic.js";
import { startsNumberWords } from "./number-words.js";
import { factorial } from "./phrases.js";
import { isUnknown, type Token } from "./token.js";

const separators = new Set(["and", "then", "also", "&", ","]);
const operatorWords = new Set(["times", "plus", "minus", "divided", "multiplied", "over"]);
const numberedNouns = new Set([
  "problem",
  "problems",
  "question",
  "questions",
  "exercise",
  "step",
  "steps",
  "homework",
  "q",
]);
const equationWords = new Set(["if", "when", "where", "given", "in", "unknown", "variable", "linear"]);

/**
 * Reads the questions of a message one after the other: the words before each, the question, the words after it, and
 * what separates it from the next. Throws {@link notArithmetic} where anything else stands.
 */
export class QuestionReader {
  readonly #tokens: Token[];
  readonly #previous: string | undefined;
  #at = 0;

  constructor(tokens: Token[], previous: string | undefined) {
    this.#tokens = tokens;
    this.#previous = previous;
  }

  read(): ArithmeticQuestion[] {
    const questions: ArithmeticQuestion[] = [];
    while (this.#at < this.#tokens.length) {
      if (this.#skipLead()) continue;
      questions.push(this.#question());
      if (!this.#skipSeparator()) throw notArithmetic;
    }
    return questions;
  }

  #peek(offset = 0): Token | undefined {
    return this.#tokens[this.#at + offset];
  }

  /** Takes the words before a question. Says whether the sentence ended with them. */
  #skipLead(): boolean {
    const first = this.#peek();
    const begins = this.#at === 0 || this.#peek(-1)?.kind === "break";
    const asksWhether = begins && first?.kind === "word" && yesNoWords.has(first.text);
    let doubtful = asksWhether;
    for (let token = first; token !== undefined; token = this.#peek()) {
      if (token.kind === "break") {
        this.#at += 1;
        return true;
      }
      if (token.kind === "number") break;
      if (token.kind === "symbol") {
        if (token.text !== ":" && token.text !== ",") break;
      } else if (this.#isReference(token.text) || this.#startsEquation(token.text) || this.#isNumberWord()) {
        break;
      } else if (negations.has(token.text)) {
        doubtful = true;
      } else if (
        !leadingWords.has(token.text) &&
        !instructionWords.has(token.text) &&
        !this.#isUnknownName()
      ) {
        break;
      }
      this.#at += 1;
    }
    if (this.#peek() === undefined) return true;
    if (doubtful || this.#isNumbered()) throw notArithmetic;
    return false;
  }

  /** "problem 3-2" names a problem and asks nothing. */
  #isNumbered(): boolean {
    const [before, noun, token] = [this.#peek(-2), this.#peek(-1), this.#peek()];
    if (token?.kind !== "number" || noun?.kind !== "word" || !numberedNouns.has(noun.text)) return false;
    return before?.kind !== "word" || before.text !== "by";
  }

  /** A number in words, but not the one of "in one word". */
  #isNumberWord(): boolean {
    if (!startsNumberWords(this.#peek())) return false;
    const next = this.#peek(1);
    return (
      next?.kind !== "word" || !["word", "number", "sentence", "line", "integer", "digit"].includes(next.text)
    );
  }

  /** A letter before an operator is the unknown and no word: "a + 5 = 10". */
  #startsEquation(word: string): boolean {
    const next = this.#peek(1);
    if (!isUnknown(word) || next?.kind !== "symbol" || next.text === ":" || next.text === ",") return false;
    return this.#hasEquation();
  }

  /** "that" and "it" are the earlier number where an operator follows: "that times 2". */
  #isReference(word: string): boolean {
    if (this.#previous === undefined || !["that", "it", "this", "result", "answer"].includes(word))
      return false;
    const next = this.#peek(1);
    if (next?.kind === "symbol") return next.text !== ":" && next.text !== ",";
    return (
      next?.kind === "word" && (operatorWords.has(next.text) || ["squared", "cubed"].includes(next.text))
    );
  }

  /** The unknown in "solve for x: …" and "what is x if …". */
  #isUnknownName(): boolean {
    const [token, next] = [this.#peek(), this.#peek(1)];
    if (token?.kind !== "word" || !(isUnknown(token.text) || equationWords.has(token.text))) return false;
    if (!this.#hasEquation()) return false;
    if (equationWords.has(token.text)) return true;
    if (next === undefined || next.kind === "number") return false;
    if (next.kind === "word") return leadingWords.has(next.text) || equationWords.has(next.text);
    return next.kind === "break" || next.text === ":" || next.text === ",";
  }

  #question(): ArithmeticQuestion {
    const geometry = readGeometry(this.#tokens, this.#at);
    if (geometry !== undefined) {
      this.#at = geometry.next;
      this.#skipTrail();
      return geometry.question;
    }
    return this.#hasEquation() ? this.#equation() : this.#expression();
  }

  #expression(): ArithmeticQuestion {
    this.#checkStart();
    const parser = new ExpressionParser(this.#tokens, this.#at, { previous: this.#previous });
    let expression = parser.expression();
    let label = "";
    if (parser.isSymbol("!") && expression.kind === "number") {
      parser.at += 1;
      label = `${expression.text}!`;
      expression = factorial(expression);
    }
    if (!computes(expression)) throw notArithmetic;
    this.#at = parser.at;
    this.#skipTrail();
    return questionOf(expression, label);
  }

  #checkStart(): void {
    const [token, next] = [this.#peek(), this.#peek(1)];
    // "- 2 + 2" in a list of lines begins with a bullet as likely as with a minus.
    if (token?.kind === "symbol" && token.text === "-" && next?.spaced === true) throw notArithmetic;
    // "times 3?" goes on from the earlier number.
    if (this.#previous !== undefined && token?.kind === "word" && operatorWords.has(token.text)) {
      this.#tokens.splice(this.#at, 0, { kind: "word", text: "that", spaced: true });
    }
  }

  #equation(): ArithmeticQuestion {
    const parser = new ExpressionParser(this.#tokens, this.#at, { previous: this.#previous, unknowns: true });
    const left = parser.expression();
    if (!parser.acceptSymbol("=") && !parser.accept("equals") && !parser.accept("is", "equal", "to"))
      throw notArithmetic;
    const right = parser.expression();
    const solution = solveLinear(left, right);
    if (solution === undefined) throw notArithmetic;
    this.#at = parser.at;
    this.#skipEquationTrail(solution.unknown);
    const { unknown } = solution;
    if (solution.kind === "one") {
      return { expression: solution.expression, phrase: (result) => `${unknown} = ${result}` };
    }
    const text = `${writeExpression(left)} = ${writeExpression(right)}`;
    const answer =
      solution.kind === "any"
        ? `Every value of ${unknown} solves ${text}.`
        : `No value of ${unknown} solves ${text}.`;
    return { expression: "", phrase: () => answer };
  }

  /** Whether an equals sign stands in this sentence with something after it, and a letter that may be an unknown. */
  #hasEquation(): boolean {
    let letter = false;
    let sign = false;
    for (let offset = 0; ; offset += 1) {
      const [token, next] = [this.#peek(offset), this.#peek(offset + 1)];
      if (token === undefined || token.kind === "break") return letter && sign;
      const isArticle = token.text === "a" && next?.kind === "word";
      if (token.kind === "word" && isUnknown(token.text) && !isArticle) letter = true;
      const last = token.text === "equal" ? this.#peek(offset + 2) : next;
      if (["=", "equals", "equal"].includes(token.text) && last !== undefined && last.kind !== "break")
        sign = true;
    }
  }

  #skipTrail(): void {
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      const filler =
        token.kind === "word" ? trailingWords.has(token.text) : token.kind === "symbol" && token.text === "=";
      if (!filler) return;
      this.#at += 1;
    }
  }

  /** "…, what is x?" after an equation; when more follows than that, it belongs to the next question. */
  #skipEquationTrail(unknown: string): void {
    const before = this.#at;
    for (let token = this.#peek(); token !== undefined && token.kind !== "break"; token = this.#peek()) {
      const filler =
        token.kind === "word"
          ? trailingWords.has(token.text) || leadingWords.has(token.text) || token.text === unknown
          : token.text === "," || token.text === "=";
      if (!filler) {
        this.#at = before;
        this.#skipTrail();
        return;
      }
      this.#at += 1;
    }
  }

  /** Takes what may stand between two questions. */
  #skipSeparator(): boolean {
    const start = this.#at;
    for (let token = this.#peek(); token !== undefined; token = this.#peek()) {
      if (token.kind !== "break" && (token.kind === "number" || !separators.has(token.text))) break;
      this.#at += 1;
    }
    return this.#at > start || this.#peek() === undefined;
  }
}
