export type Shape =
  | "circle"
  | "rectangle"
  | "square"
  | "triangle"
  | "sphere"
  | "cylinder"
  | "cube"
  | "cone"
  | "box";
export type Quantity = "area" | "circumference" | "perimeter" | "volume" | "surface area" | "hypotenuse";
export type Measure = "radius" | "diameter" | "height" | "base" | "length" | "width" | "depth" | "side";

/** A size as it was given; without a name where only numbers were ("a 3 by 4 rectangle"). */
export interface Size {
  measure: Measure | undefined;
  value: string;
}

export interface Formula {
  shape: Shape;
  quantities: readonly Quantity[];
  /** What the unit gets: nothing for a length, `²` for an area, `³` for a volume. */
  power: "" | "²" | "³";
  /** The expression; `undefined` unless the sizes are exactly those it takes. */
  write(sizes: readonly Size[]): string | undefined;
}

/** A formula whose sizes are known by name, in the order of `names`; names joined by `|` stand for each other. */
function named(names: readonly string[], write: (...values: string[]) => string) {
  return (sizes: readonly Size[]): string | undefined => {
    if (sizes.length !== names.length) return undefined;
    const rest = [...sizes];
    const values: string[] = [];
    for (const alternatives of names) {
      const index = rest.findIndex(({ measure }) =>
        measure === undefined ? alternatives.includes("any") : alternatives.split("|").includes(measure),
      );
      const [size] = index < 0 ? [] : rest.splice(index, 1);
      if (size === undefined) return undefined;
      values.push(size.measure === "diameter" ? `(${size.value} / 2)` : size.value);
    }
    return write(...values);
  };
}

const radius = "radius|diameter";
const anySide = "length|width|height|base|depth|side|any";
const product = (...values: string[]) => values.join(" * ");

/** What can be computed of which figure. */
export const formulas: readonly Formula[] = [
  { shape: "circle", quantities: ["area"], power: "²", write: named([radius], (r) => `pi * ${r}**2`) },
  {
    shape: "circle",
    quantities: ["circumference", "perimeter"],
    power: "",
    write: named([radius], (r) => `2 * pi * ${r}`),
  },
  { shape: "rectangle", quantities: ["area"], power: "²", write: named([anySide, anySide], product) },
  {
    shape: "rectangle",
    quantities: ["perimeter"],
    power: "",
    write: named([anySide, anySide], (a, b) => `2 * (${a} + ${b})`),
  },
  { shape: "square", quantities: ["area"], power: "²", write: named([anySide], (a) => `${a}**2`) },
  { shape: "square", quantities: ["perimeter"], power: "", write: named([anySide], (a) => `4 * ${a}`) },
  {
    shape: "triangle",
    quantities: ["area"],
    power: "²",
    write: named(["base", "height"], (b, h) => `${b} * ${h} / 2`),
  },
  {
    shape: "triangle",
    quantities: ["perimeter"],
    power: "",
    write: named(["side|any", "side|any", "side|any"], (a, b, c) => `${a} + ${b} + ${c}`),
  },
  {
    shape: "triangle",
    quantities: ["hypotenuse"],
    power: "",
    write: named(["side|base|any", "side|height|any"], (a, b) => `sqrt(${a}**2 + ${b}**2)`),
  },
  {
    shape: "sphere",
    quantities: ["volume"],
    power: "³",
    write: named([radius], (r) => `4 / 3 * pi * ${r}**3`),
  },
  {
    shape: "sphere",
    quantities: ["area", "surface area"],
    power: "²",
    write: named([radius], (r) => `4 * pi * ${r}**2`),
  },
  {
    shape: "cylinder",
    quantities: ["volume"],
    power: "³",
    write: named([radius, "height|length"], (r, h) => `pi * ${r}**2 * ${h}`),
  },
  {
    shape: "cylinder",
    quantities: ["area", "surface area"],
    power: "²",
    write: named([radius, "height|length"], (r, h) => `2 * pi * ${r} * (${r} + ${h})`),
  },
  {
    shape: "cone",
    quantities: ["volume"],
    power: "³",
    write: named([radius, "height"], (r, h) => `pi * ${r}**2 * ${h} / 3`),
  },
  { shape: "cube", quantities: ["volume"], power: "³", write: named([anySide], (a) => `${a}**3`) },
  {
    shape: "cube",
    quantities: ["area", "surface area"],
    power: "²",
    write: named([anySide], (a) => `6 * ${a}**2`),
  },
  { shape: "box", quantities: ["volume"], power: "³", write: named([anySide, anySide, anySide], product) },
];
