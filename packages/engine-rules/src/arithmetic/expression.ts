/** A binary operator, as the calculator writes it. */
export type Operator = "+" | "-" | "*" | "/" | "//" | "%" | "**";

/** Arithmetic as it was asked. */
export type Expression =
  | { kind: "number"; text: string }
  | { kind: "constant"; name: "pi" | "e" }
  | { kind: "unknown"; name: string }
  | { kind: "negative"; value: Expression }
  | { kind: "operation"; operator: Operator; left: Expression; right: Expression }
  | { kind: "call"; name: string; values: readonly Expression[] }
  | { kind: "percent"; value: Expression }
  /** "two thirds" */
  | { kind: "fraction"; numerator: string; denominator: number }
  /** "15% of 340", "a third of 12" */
  | { kind: "share"; share: Expression; of: Expression }
  /** "80 plus 10%", "20% off 50" */
  | { kind: "change"; base: Expression; percent: Expression; sign: "+" | "-"; off: boolean }
  /** "what percent of 80 is 20?" */
  | { kind: "ratio"; part: Expression; whole: Expression }
  /** "percentage change from 40 to 50" */
  | { kind: "growth"; from: Expression; to: Expression }
  /** An angle in degrees. */
  | { kind: "degrees"; value: Expression };

/** For whom an expression is written: the calculator, or a person who reads what was computed. */
export type Reader = "calculator" | "person";

/** How tightly the outermost part of a text binds; a part that binds less tightly needs parentheses. */
const levels = {
  "+": 10,
  "-": 10,
  "*": 20,
  "/": 20,
  "//": 20,
  "%": 20,
  negative: 30,
  "**": 40,
  atom: 50,
} as const;

/** Writes an expression for the calculator, or for a person. */
export function writeExpression(expression: Expression, reader: Reader = "calculator"): string {
  return write(expression, reader, 0);
}

function write(node: Expression, reader: Reader, least: number): string {
  const { text, level } =
    reader === "person" ? (spoken(node) ?? written(node, reader)) : written(node, reader);
  return level < least ? `(${text})` : text;
}

interface Written {
  text: string;
  level: number;
}

function written(node: Expression, reader: Reader): Written {
  const part = (inner: Expression, least: number) => write(inner, reader, least);
  switch (node.kind) {
    case "number":
      return { text: node.text, level: levels.atom };
    case "constant":
    case "unknown":
      return { text: node.name, level: levels.atom };
    case "negative":
      return { text: `-${part(node.value, levels["**"])}`, level: levels.negative };
    case "call":
      return {
        text: `${node.name}(${node.values.map((value) => part(value, 0)).join(", ")})`,
        level: levels.atom,
      };
    case "operation": {
      const { operator, left, right } = node;
      if (operator === "**") {
        return { text: `${part(left, levels.atom)}**${part(right, levels["**"])}`, level: levels["**"] };
      }
      const level = levels[operator];
      return { text: `${part(left, level)} ${operator} ${part(right, rightLevel(right, level))}`, level };
    }
    case "percent":
      return { text: `${part(node.value, 20)} / 100`, level: 20 };
    case "fraction":
      return { text: `${node.numerator} / ${node.denominator}`, level: 20 };
    case "share":
      return { text: part(node.of, 20) + shareFactor(node.share, part), level: 20 };
    case "change": {
      const factor = `(100 ${node.sign} ${part(node.percent, 20)})`;
      return { text: `${part(node.base, 20)} * ${factor} / 100`, level: 20 };
    }
    case "ratio":
      // Multiplied first, so that whole numbers give a result without rounding.
      return { text: `${part(node.part, 20)} * 100 / ${part(node.whole, 21)}`, level: 20 };
    case "growth":
      return {
        text: `(${part(node.to, 10)} - ${part(node.from, 11)}) * 100 / ${part(node.from, 21)}`,
        level: 20,
      };
    case "degrees":
      return { text: `${part(node.value, 20)} * pi / 180`, level: 20 };
  }
}

/** A negative number after an operator gets parentheses; so does whatever the operator would tear apart. */
function rightLevel(right: Expression, level: number): number {
  return right.kind === "negative" ? levels["**"] : level + 1;
}

/** What a base is multiplied with to give a share of it. Multiplied first: `340 * 15 / 100` is exactly 51. */
function shareFactor(share: Expression, part: (inner: Expression, least: number) => string): string {
  if (share.kind === "percent") return ` * ${part(share.value, 21)} / 100`;
  if (share.kind === "fraction" && share.numerator === "1") return ` / ${share.denominator}`;
  if (share.kind === "fraction") return ` * ${share.numerator} / ${share.denominator}`;
  if (share.kind === "operation") return ` * ${part(share.left, 21)} / ${part(share.right, 21)}`;
  return ` * ${part(share, 21)}`;
}

/** The forms a person reads otherwise than the calculator does. */
function spoken(node: Expression): Written | undefined {
  const part = (inner: Expression, least: number) => write(inner, "person", least);
  switch (node.kind) {
    case "percent":
      return { text: `${part(node.value, levels.atom)}%`, level: levels.atom };
    case "share":
      if (node.share.kind !== "percent") return undefined;
      return { text: `${part(node.share, 20)} of ${part(node.of, 20)}`, level: 20 };
    case "change":
      if (node.off)
        return { text: `${part(node.percent, levels.atom)}% off ${part(node.base, 20)}`, level: 10 };
      return { text: `${part(node.base, 10)} ${node.sign} ${part(node.percent, levels.atom)}%`, level: 10 };
    case "degrees":
      return { text: `${part(node.value, levels.atom)}°`, level: levels.atom };
    default:
      return undefined;
  }
}

/** Whether there is anything to compute; a bare number, share or fraction is none. */
export function computes(node: Expression): boolean {
  switch (node.kind) {
    case "number":
    case "fraction":
    case "unknown":
      return false;
    case "constant":
      return node.name === "pi";
    case "negative":
    case "percent":
    case "degrees":
      return computes(node.value);
    default:
      return true;
  }
}

/** What a person should know about how an expression was read; empty when nothing needs saying. */
export function readingNote(node: Expression): string {
  if (some(node, (part) => part.kind === "call" && part.name === "log" && part.values.length === 1)) {
    return " (log is the natural logarithm)";
  }
  const radians = some(
    node,
    (part) =>
      part.kind === "call" &&
      ["sin", "cos", "tan"].includes(part.name) &&
      !part.values.some((value) =>
        some(value, (inner) => inner.kind === "constant" || inner.kind === "degrees"),
      ),
  );
  return radians ? " (the angle is in radians)" : "";
}

function some(node: Expression, test: (node: Expression) => boolean): boolean {
  return test(node) || partsOf(node).some((part) => some(part, test));
}

function partsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case "operation":
      return [node.left, node.right];
    case "call":
      return node.values;
    case "negative":
    case "percent":
    case "degrees":
      return [node.value];
    case "share":
      return [node.share, node.of];
    case "change":
      return [node.base, node.percent];
    case "ratio":
      return [node.part, node.whole];
    case "growth":
      return [node.from, node.to];
    default:
      return [];
  }
}
