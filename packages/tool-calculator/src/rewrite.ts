import { CalculationError } from "./calculation-error.js";
import { type Operator, type Token, tokenize } from "./lexer.js";
import { limits } from "./limits.js";
import { constants, isFunctionName, unknownFunction, unknownVariable } from "./names.js";
import { clip } from "./text.js";
import type { Value } from "./value.js";

/**
 * An expression in the grammar of mathjs. Its numbers 0, 1, … stand for `operands[0]`, `operands[1]`, …: so integers
 * of any size stay exact, and mathjs never sees a name that is not a function of the language.
 */
export interface Rewritten {
  text: string;
  operands: Value[];
}

/**
 * The operator of mathjs that stands for each of ours; all of one precedence have one there too. `/` is not `/`,
 * because mathjs looks ahead after it for an implied product, which the language does not have.
 */
export const mathjsOperators: Readonly<Record<Operator, string>> = {
  "+": "+",
  "-": "-",
  "*": "*",
  "/": "./",
  "//": "/",
  "%": ".*",
  "**": "^",
};

/** The operator of mathjs that stands for hundredths (`10%`); it binds more tightly than power. */
export const mathjsHundredths = "!";

/** Turns an expression into the grammar of mathjs. Throws a {@link CalculationError} for what is not in the language. */
export function rewrite(expression: string): Rewritten {
  return new Rewriter(tokenize(expression)).run();
}

class Rewriter {
  readonly #tokens: Token[];
  readonly #operands: Value[] = [];
  /** For each open parenthesis, whether it holds the arguments of a function. */
  readonly #open: { call: boolean; token: Token }[] = [];
  #text = "";
  #index = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  run(): Rewritten {
    if (this.#tokens.length === 0) {
      throw new CalculationError("syntax", "No expression was given. Give one like 2 + 3 * 4 or sqrt(16).");
    }
    let wantsOperand = true;
    for (let token = this.#tokens[0]; token !== undefined; token = this.#tokens[this.#index]) {
      wantsOperand = wantsOperand ? this.#operand(token) : this.#afterOperand(token);
      this.#index += 1;
    }
    const last = this.#tokens.at(-1);
    if (wantsOperand && last !== undefined) throw this.#error(last, "a value is missing after it");
    const unclosed = this.#open.at(-1);
    if (unclosed !== undefined) throw this.#error(unclosed.token, "its `)` is missing");
    return { text: this.#text, operands: this.#operands };
  }

  /** Takes a token where a value must start; says whether one must still come. */
  #operand(token: Token): boolean {
    switch (token.kind) {
      case "number":
        this.#push(token.value);
        return false;
      case "name":
        return this.#name(token);
      case "open":
        this.#openParenthesis(token, false);
        return true;
      case "root":
        return this.#root(token);
      case "operator":
        if (token.operator !== "+" && token.operator !== "-") break;
        this.#text += token.operator;
        return true;
      case "close":
        if (this.#next(-1)?.kind !== "open") break;
        throw this.#error(token, "there is nothing between the parentheses");
    }
    throw this.#error(token, "a value is missing before it");
  }

  /** Takes a token where a value has just ended; says whether another must come. */
  #afterOperand(token: Token): boolean {
    switch (token.kind) {
      case "operator":
        if (token.operator === "%" && !this.#startsOperand(this.#next())) return this.#hundredths(token);
        this.#text += mathjsOperators[token.operator];
        return true;
      case "close":
        if (this.#open.pop() === undefined) throw this.#error(token, "there is no `(` for it");
        this.#text += ")";
        return false;
      case "comma":
        if (this.#open.at(-1)?.call !== true) {
          throw this.#error(
            token,
            "a comma only separates the arguments of a function. Write a thousand as 1000 or 1_000, and a decimal number as 1.5",
          );
        }
        this.#text += ",";
        return true;
      default:
        throw this.#missingOperator(token);
    }
  }

  #push(value: Value): void {
    this.#text += this.#operands.length;
    this.#operands.push(value);
  }

  #name(token: Token & { kind: "name" }): boolean {
    const { name } = token;
    const next = this.#next();
    const constant = constants.get(name);
    if (constant !== undefined) {
      this.#push(constant);
      return false;
    }
    if (next?.kind === "open") {
      if (!isFunctionName(name)) throw unknownFunction(name, clip(token.text), token.at + 1);
      this.#text += name;
      this.#index += 1;
      this.#openParenthesis(next, true);
      return true;
    }
    if (isFunctionName(name)) throw this.#error(token, `it is a function: write ${name}(...)`);
    throw unknownVariable(name, clip(token.text), token.at + 1);
  }

  #root(token: Token): boolean {
    const next = this.#next();
    this.#text += "sqrt";
    this.#index += 1;
    if (next?.kind === "open") {
      this.#openParenthesis(next, true);
      return true;
    }
    const value =
      next?.kind === "number" ? next.value : constants.get(next?.kind === "name" ? next.name : "");
    if (value === undefined) throw this.#error(token, "a number or `(` must follow it. Write sqrt(...)");
    this.#text += "(";
    this.#push(value);
    this.#text += ")";
    return false;
  }

  #openParenthesis(token: Token, call: boolean): void {
    if (this.#open.length === limits.nesting) {
      throw new CalculationError(
        "limit",
        `More than ${limits.nesting} parentheses are open at position ${token.at + 1}. Split the expression into parts.`,
        token.at + 1,
      );
    }
    this.#open.push({ call, token });
    this.#text += "(";
  }

  #hundredths(token: Token): boolean {
    const next = this.#next();
    if (next?.kind === "operator" && next.operator === "%") {
      throw this.#error(token, "write one % for a remainder (10 % 3) or for hundredths (10%)");
    }
    this.#text += mathjsHundredths;
    return false;
  }

  #startsOperand(token: Token | undefined): boolean {
    if (token?.kind === "operator") return token.operator === "+" || token.operator === "-";
    return (
      token?.kind === "number" || token?.kind === "name" || token?.kind === "open" || token?.kind === "root"
    );
  }

  #missingOperator(token: Token): CalculationError {
    const before = clip(this.#next(-1)?.text ?? "");
    const after = clip(token.text);
    return new CalculationError(
      "syntax",
      `An operator is missing between \`${before}\` and \`${after}\` at position ${token.at + 1}. ` +
        `Write * to multiply: ${before} * ${after}.`,
      token.at + 1,
    );
  }

  #error(token: Token, what: string): CalculationError {
    const position = token.at + 1;
    return new CalculationError(
      "syntax",
      `\`${clip(token.text)}\` at position ${position}: ${what}.`,
      position,
    );
  }

  #next(offset = 1): Token | undefined {
    return this.#tokens[this.#index + offset];
  }
}
