import { CalculationError } from "./calculation-error.js";

/** The constants of the language. */
export const constants: ReadonlyMap<string, number> = new Map([
  ["pi", Math.PI],
  ["e", Math.E],
]);

/** The names of the functions of the language, in the order messages list them. */
export const functionNames = [
  "abs",
  "round",
  "min",
  "max",
  "sqrt",
  "log",
  "ln",
  "log10",
  "log2",
  "sin",
  "cos",
  "tan",
  "ceil",
  "floor",
] as const;

/** The name of a function of the language. */
export type FunctionName = (typeof functionNames)[number];

/** How to write what other languages have under another name. */
const spellings: ReadonlyMap<string, string> = new Map([
  ["pow", "Write a power with **, like 2 ** 3."],
  ["power", "Write a power with **, like 2 ** 3."],
  ["exp", "Write e ** x."],
  ["mod", "Write a remainder with %, like 10 % 3."],
  ["div", "Write a division with /, or // for its whole part."],
  ["cbrt", "Write x ** (1/3)."],
  ["lg", "Write log10(x), or log2(x)."],
  ["sum", "Write the sum out with +."],
]);

/** Whether a name is a function or constant of the language. */
export function isKnownName(name: string): boolean {
  return isFunctionName(name) || constants.has(name);
}

/** Whether a name is a function of the language; exact case. */
export function isFunctionName(name: string): name is FunctionName {
  return (functionNames as readonly string[]).includes(name);
}

/** The error for a call of a function that does not exist. */
export function unknownFunction(name: string, shown: string, position: number): CalculationError {
  const message = `Unknown function \`${shown}\` at position ${position}.${advice(name)} Functions: ${functionNames.join(", ")}.`;
  return new CalculationError("name", message, position);
}

/** The error for a name without a call that is no constant. */
export function unknownVariable(name: string, shown: string, position: number): CalculationError {
  const message =
    `\`${shown}\` at position ${position} is an unknown variable.${advice(name)} ` +
    `Constants: ${[...constants.keys()].join(", ")}. Functions: ${functionNames.join(", ")}.`;
  return new CalculationError("name", message, position);
}

function advice(name: string): string {
  const spelling = spellings.get(name.toLowerCase());
  if (spelling !== undefined) return ` ${spelling}`;
  const nearest = nearestName(name);
  return nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
}

function nearestName(name: string): string | undefined {
  if (name.length > 20) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  // A third of the letters may differ, but never all of them.
  let least = Math.min(Math.ceil(wanted.length / 3) + 1, wanted.length);
  for (const known of [...functionNames, ...constants.keys()]) {
    const distance = editDistance(wanted, known);
    if (distance < least) {
      least = distance;
      best = known;
    }
  }
  return best;
}

/** Levenshtein distance, by one row of the table. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitute = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitute, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
