import type { ArithmeticQuestion } from "./arithmetic-question.js";
import { readNumberWords } from "./number-words.js";
import { formulas, type Measure, type Quantity, type Shape } from "./shapes.js";
import type { Token } from "./token.js";

/** What a figure's sizes are called, and the one name each has in the formulas. */
const measureNames: Readonly<Record<string, Measure>> = {
  radius: "radius",
  diameter: "diameter",
  height: "height",
  tall: "height",
  base: "base",
  length: "length",
  long: "length",
  width: "width",
  wide: "width",
  breadth: "width",
  depth: "depth",
  deep: "depth",
  side: "side",
  sides: "side",
  edge: "side",
  edges: "side",
  leg: "side",
  legs: "side",
};

const shapes: Readonly<Record<string, Shape>> = {
  circle: "circle",
  rectangle: "rectangle",
  square: "square",
  triangle: "triangle",
  sphere: "sphere",
  ball: "sphere",
  cylinder: "cylinder",
  cube: "cube",
  cone: "cone",
  box: "box",
  cuboid: "box",
};

const quantities = new Set(["area", "circumference", "perimeter", "volume", "surface", "hypotenuse"]);
const connectors = new Set(
  "of a an the with whose that has having is are and its equal to right angled by x lengths".split(" "),
);
const units: Readonly<Record<string, string>> = {
  mm: "mm",
  millimeters: "mm",
  millimetres: "mm",
  cm: "cm",
  centimeters: "cm",
  centimetres: "cm",
  m: "m",
  meter: "m",
  meters: "m",
  metre: "m",
  metres: "m",
  km: "km",
  kilometers: "km",
  kilometres: "km",
  inch: "in",
  inches: "in",
  foot: "ft",
  feet: "ft",
  ft: "ft",
  units: "",
};

interface Reading {
  shape: Shape | undefined;
  sizes: { measure: Measure | undefined; value: string }[];
  unit: string | undefined;
  next: number;
}

/**
 * Reads "area of a circle with radius 7" from `start`; `undefined` when it is no figure with the sizes its formula
 * takes, each once.
 */
export function readGeometry(
  tokens: readonly Token[],
  start: number,
): { question: ArithmeticQuestion; next: number } | undefined {
  const first = tokens[start];
  if (first?.kind !== "word" || !quantities.has(first.text)) return undefined;
  const isSurface = first.text === "surface";
  if (isSurface && !isWord(tokens[start + 1], "area")) return undefined;
  const reading = readSizes(tokens, start + (isSurface ? 2 : 1));
  const quantity: Quantity = isSurface ? "surface area" : (first.text as Quantity);
  const shape = quantity === "hypotenuse" ? "triangle" : reading?.shape;
  if (reading === undefined || shape === undefined) return undefined;
  const formula = formulas.find((entry) => entry.shape === shape && entry.quantities.includes(quantity));
  const expression = formula?.write(reading.sizes);
  if (formula === undefined || expression === undefined) return undefined;
  const unit = reading.unit ? ` ${reading.unit}${formula.power}` : "";
  const label = capitalise(writeLabel(tokens.slice(start, reading.next)));
  return {
    question: { expression, phrase: (result) => `${label} = ${result}${unit}` },
    next: reading.next,
  };
}

/** Takes shape, sizes and the words between them, up to the first word that is none of these. */
function readSizes(tokens: readonly Token[], start: number): Reading | undefined {
  const reading: Reading = { shape: undefined, sizes: [], unit: undefined, next: start };
  let measure: Measure | undefined;
  let at = start;
  for (let token = tokens[at]; token !== undefined && token.kind !== "break"; token = tokens[at]) {
    const value = readValue(tokens, at);
    if (value !== undefined) {
      const unitToken = tokens[value.next];
      const unit = unitToken?.kind === "word" ? units[unitToken.text] : undefined;
      at = unit === undefined ? value.next : value.next + 1;
      if (reading.unit !== undefined && unit !== undefined && reading.unit !== unit) return undefined;
      reading.unit ??= unit;
      // A name may also follow its size: "a 3 cm radius".
      const after = measure === undefined ? nameAt(tokens, at) : undefined;
      if (after !== undefined) at += 1;
      reading.sizes.push({ measure: measure ?? after, value: value.text });
      // Two sides or legs share one name.
      if (measure !== "side") measure = undefined;
      reading.next = at;
      continue;
    }
    const text = token.text;
    const named = nameAt(tokens, at);
    const shape = token.kind === "word" ? shapes[text] : undefined;
    if (named !== undefined) {
      measure = measure === "side" && named === "length" ? "side" : named;
    } else if (shape !== undefined && reading.shape === undefined) {
      reading.shape = shape;
      reading.next = at + 1;
    } else if (
      !(token.kind === "word" && connectors.has(text)) &&
      !(token.kind === "symbol" && ",=*:".includes(text))
    ) {
      break;
    }
    at += 1;
  }
  return reading.sizes.length === 0 ? undefined : reading;
}

function readValue(tokens: readonly Token[], at: number): { text: string; next: number } | undefined {
  const token = tokens[at];
  if (token?.kind === "number") return { text: token.text, next: at + 1 };
  return token?.kind === "word" ? readNumberWords(tokens, at) : undefined;
}

function nameAt(tokens: readonly Token[], at: number): Measure | undefined {
  const token = tokens[at];
  return token?.kind === "word" ? measureNames[token.text] : undefined;
}

function isWord(token: Token | undefined, text: string): boolean {
  return token?.kind === "word" && token.text === text;
}

/** The words as they were asked, with the spaces people write. */
function writeLabel(tokens: readonly Token[]): string {
  const words = tokens.filter((token) => token.text !== "=" && token.text !== ":");
  return words.map((token, index) => `${index > 0 && token.text !== "," ? " " : ""}${token.text}`).join("");
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
