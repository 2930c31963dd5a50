/** A number as Python has it: whole numbers and floats print differently. */
interface Value {
  number: number;
  float: boolean;
}

const functions: Readonly<Record<string, (...values: number[]) => number>> = {
  sqrt: Math.sqrt,
  abs: Math.abs,
  min: Math.min,
  max: Math.max,
  log: (value, base = Math.E) => Math.log(value) / Math.log(base),
  log10: Math.log10,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  ceil: Math.ceil,
  floor: Math.floor,
  round: (value, places = 0) => Math.round(value * 10 ** places) / 10 ** places,
};

const token = /\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[a-z]+\d*|\*\*|\/\/|[-+*/%(),])/y;

/** Evaluates an expression in the grammar of the calculator; throws for what is not in it. */
export function evaluate(expression: string): string {
  const tokens: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < expression.length; ) {
    const match = token.exec(expression)?.[1];
    if (match === undefined) throw new Error(`cannot read: ${expression}`);
    tokens.push(match);
  }
  const evaluator = new Evaluator(tokens);
  const { number, float } = evaluator.sum();
  if (!evaluator.done) throw new Error(`cannot read: ${expression}`);
  if (!Number.isFinite(number)) throw new Error("The result is not a finite number.");
  const text = String(Number(number.toPrecision(15)));
  return float && /^-?\d+$/.test(text) ? `${text}.0` : text;
}

class Evaluator {
  readonly #tokens: string[];
  #at = 0;

  constructor(tokens: string[]) {
    this.#tokens = tokens;
  }

  get done(): boolean {
    return this.#at === this.#tokens.length;
  }

  sum(): Value {
    let left = this.#product();
    for (let sign = this.#take("+", "-"); sign !== undefined; sign = this.#take("+", "-")) {
      const right = this.#product();
      const number = sign === "+" ? left.number + right.number : left.number - right.number;
      left = { number, float: left.float || right.float };
    }
    return left;
  }

  #product(): Value {
    let left = this.#signed();
    for (
      let sign = this.#take("*", "/", "//", "%");
      sign !== undefined;
      sign = this.#take("*", "/", "//", "%")
    ) {
      const right = this.#signed();
      if (sign !== "*" && right.number === 0) throw new Error("Division by zero.");
      const floor = Math.floor(left.number / right.number);
      const number = {
        "*": left.number * right.number,
        "/": left.number / right.number,
        "//": floor,
        "%": left.number - right.number * floor,
      }[sign];
      left = { number: number ?? Number.NaN, float: left.float || right.float || sign === "/" };
    }
    return left;
  }

  #signed(): Value {
    if (this.#take("-") === undefined) return this.#power();
    const { number, float } = this.#signed();
    return { number: -number, float };
  }

  #power(): Value {
    const base = this.#atom();
    if (this.#take("**") === undefined) return base;
    const exponent = this.#signed();
    return {
      number: base.number ** exponent.number,
      float: base.float || exponent.float || exponent.number < 0,
    };
  }

  #atom(): Value {
    const next = this.#tokens[this.#at] ?? "";
    this.#at += 1;
    if (/^\d/.test(next)) return { number: Number(next), float: /[.e]/.test(next) };
    if (next === "pi") return { number: Math.PI, float: true };
    if (next === "e") return { number: Math.E, float: true };
    if (next === "(") return this.#close(this.sum());
    const apply = functions[next];
    if (apply === undefined || this.#take("(") === undefined) throw new Error(`unexpected ${next}`);
    const values = [this.sum()];
    while (this.#take(",") !== undefined) values.push(this.sum());
    const number = apply(...values.map((value) => value.number));
    const exact = ["abs", "min", "max"].includes(next)
      ? values.every((value) => !value.float)
      : /round|ceil|floor/.test(next);
    return this.#close({ number, float: !exact || !Number.isInteger(number) });
  }

  #close(value: Value): Value {
    if (this.#take(")") === undefined) throw new Error("a parenthesis is missing");
    return value;
  }

  #take(...wanted: string[]): string | undefined {
    const next = this.#tokens[this.#at];
    if (next === undefined || !wanted.includes(next)) return undefined;
    this.#at += 1;
    return next;
  }
}
