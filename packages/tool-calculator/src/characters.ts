/** Typographic signs that stand for one operator. They never join into a longer one: `××` is not `**`. */
export const typographicOperators: ReadonlyMap<string, "+" | "-" | "*" | "/"> = new Map([
  ["×", "*"],
  ["·", "*"],
  ["⋅", "*"],
  ["∙", "*"],
  ["∗", "*"],
  ["÷", "/"],
  ["∕", "/"],
  ["⁄", "/"],
  ["−", "-"],
  ["‐", "-"],
  ["‑", "-"],
  ["‒", "-"],
  ["–", "-"],
  ["﹣", "-"],
  ["﹢", "+"],
]);

const assignment = "assignments and comparisons are not supported; give only the expression to compute";
const logic = "logical and bitwise operators are not supported";
const text = "text in quotes is not supported";
const lists =
  "lists, indices and objects are not supported; functions take their values directly, like max(1, 2, 3)";
const currency = "write the amount without the currency sign";
const exponent = "write a power with **, like 2 ** 3";

const hints: ReadonlyMap<string, string> = new Map([
  ["=", assignment],
  ["<", assignment],
  [">", assignment],
  ["≠", assignment],
  ["≤", assignment],
  ["≥", assignment],
  ["≈", assignment],
  ["!", "factorials and logical not are not supported"],
  ["&", logic],
  ["~", logic],
  ["|", `${logic}; an absolute value is written abs(x)`],
  ['"', text],
  ["'", text],
  ["“", text],
  ["”", text],
  ["‘", text],
  ["’", text],
  ["[", lists],
  ["]", lists],
  ["{", lists],
  ["}", lists],
  [":", "ranges and ratios are not supported; a division is written with /"],
  [";", "give one expression only"],
  ["?", "conditions are not supported"],
  [".", "a number has digits beside its decimal point"],
  ["#", "comments are not supported"],
  ["$", currency],
  ["€", currency],
  ["£", currency],
  ["¥", currency],
  ["₹", currency],
  ["°", "sin, cos and tan take radians: write degrees as x * pi / 180"],
  ["‰", "write a fraction of a thousand as x / 1000"],
  ["—", "write minus as -"],
  ["²", exponent],
  ["³", exponent],
  ["∞", "infinity is not a number here"],
  ["±", "give one expression for each sign"],
  ["∑", "write the sum out with +"],
]);

/** What to write instead of a character that has no place in an expression. */
export function characterHint(character: string): string {
  return hints.get(character) ?? "leave it out, or write it with + - * / // % ** ( ) and names";
}

/** A character as a message shows it: itself, or its code point when it cannot be seen. */
export function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const codePoint = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/^[\p{C}\p{Z}\p{M}]/u.test(character)) return codePoint;
  return code < 0x7f ? `\`${character}\`` : `\`${character}\` (${codePoint})`;
}

/** Turns full-width forms into the ASCII characters they are copies of; every other character and all positions stay. */
export function foldFullWidth(expression: string): string {
  return expression.replace(/[\uFF01-\uFF5E]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0));
}
