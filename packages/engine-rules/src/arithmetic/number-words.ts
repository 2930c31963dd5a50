import type { Token } from "./token.js";

const units = words("zero one two three four five six seven eight nine", 0n, 1n);
const teens = words(
  "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
  10n,
  1n,
);
const tens = words("twenty thirty forty fifty sixty seventy eighty ninety", 20n, 10n);
const scales = new Map([
  ["thousand", 1_000n],
  ["million", 1_000_000n],
  ["billion", 1_000_000_000n],
  ["trillion", 1_000_000_000_000n],
]);

/** The denominators of fraction words; "second" is left out, since it is a time or a place as a rule. */
const denominators = new Map([
  ["half", 2],
  ["halves", 2],
  ["quarter", 4],
  ["fourth", 4],
  ...["third", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"].map(
    (name, index) => [name, [3, 5, 6, 7, 8, 9, 10][index] ?? 0] as const,
  ),
  ["hundredth", 100],
  ["thousandth", 1000],
]);

function words(names: string, from: bigint, step: bigint): ReadonlyMap<string, bigint> {
  return new Map(names.split(" ").map((name, index) => [name, from + BigInt(index) * step]));
}

/** The denominator a word names ("third", "quarters"), or `undefined`. */
export function denominatorOf(token: Token | undefined): number | undefined {
  if (token?.kind !== "word") return undefined;
  return denominators.get(token.text) ?? denominators.get(token.text.replace(/s$/, ""));
}

/** Whether a number in words starts with this token. */
export function startsNumberWords(token: Token | undefined): boolean {
  return (
    token?.kind === "word" &&
    (smallOf(token.text) !== undefined || token.text === "hundred" || scales.has(token.text))
  );
}

function smallOf(text: string): bigint | undefined {
  return units.get(text) ?? teens.get(text) ?? tens.get(text);
}

/**
 * Reads a number written in words ("twelve hundred and five", "three point one four", "a hundred" after its article)
 * from `start`. `undefined` when the words there are no number in good order.
 */
export function readNumberWords(
  tokens: readonly Token[],
  start: number,
): { text: string; next: number } | undefined {
  let total = 0n;
  let current = 0n;
  let last: "none" | "unit" | "teen" | "tens" | "hundred" | "scale" = "none";
  let lastScale = scales.get("trillion") ?? 0n;
  let at = start;
  for (; ; at += 1) {
    const token = tokens[at];
    if (token?.kind !== "word") break;
    const { text } = token;
    if (text === "and" && (last === "hundred" || last === "scale") && isSmall(tokens[at + 1])) continue;
    const small = smallOf(text);
    if (small !== undefined) {
      const fits = units.has(text)
        ? last !== "unit" && last !== "teen"
        : last !== "unit" && last !== "teen" && last !== "tens";
      if (!fits || (small === 0n && last !== "none")) return undefined;
      current += small;
      last = units.has(text) ? "unit" : teens.has(text) ? "teen" : "tens";
      continue;
    }
    if (text === "hundred") {
      if (last === "hundred" || last === "scale" || current > 99n) return undefined;
      current = (current === 0n ? 1n : current) * 100n;
      last = "hundred";
      continue;
    }
    const scale = scales.get(text);
    if (scale === undefined) break;
    if (last === "scale" || (total > 0n && scale >= lastScale)) return undefined;
    total += (current === 0n ? 1n : current) * scale;
    current = 0n;
    lastScale = scale;
    last = "scale";
  }
  if (last === "none") return undefined;
  return readDecimals(tokens, at, String(total + current));
}

function isSmall(token: Token | undefined): boolean {
  return token?.kind === "word" && smallOf(token.text) !== undefined;
}

/** "point one four" after a number in words. */
function readDecimals(tokens: readonly Token[], at: number, whole: string): { text: string; next: number } {
  const isPoint = tokens[at]?.kind === "word" && tokens[at]?.text === "point";
  let digits = "";
  let next = at + 1;
  for (; isPoint; next += 1) {
    const token = tokens[next];
    const digit = token?.kind === "word" ? units.get(token.text) : undefined;
    if (digit === undefined) break;
    digits += String(digit);
  }
  return digits === "" ? { text: whole, next: at } : { text: `${whole}.${digits}`, next };
}

/** A number in digits before a scale word: "2.5 million". `undefined` when no scale word follows. */
export function readScale(digits: string, token: Token | undefined): string | undefined {
  if (token?.kind !== "word" || digits.includes("e")) return undefined;
  const scale = token.text === "hundred" ? 100n : scales.get(token.text);
  if (scale === undefined) return undefined;
  const [whole = "0", fraction = ""] = digits.split(".");
  const zeros = String(scale).length - 1;
  const moved = whole + fraction.slice(0, zeros).padEnd(zeros, "0");
  const rest = fraction.slice(zeros).replace(/0+$/, "");
  return `${moved.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
}
