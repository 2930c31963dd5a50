import { describe, expect, it } from "vitest";
import { displayWidth, formatTable } from "../src/table.js";

describe("formatTable", () => {
  it("puts cells in columns without trailing spaces", () => {
    expect(
      formatTable([
        ["NAME", "B"],
        ["a", "long"],
        ["longer", ""],
      ]),
    ).toEqual(["NAME    B", "a       long", "longer"]);
  });

  it("counts the cells a text takes, not its characters", () => {
    expect(
      formatTable([
        ["漢字", "x"],
        ["abcd", "y"],
      ]),
    ).toEqual(["漢字  x", "abcd  y"]);
  });

  it("cuts the last column to the width there is", () => {
    const [line = ""] = formatTable([["name", "a description that is much too long for the terminal"]], 40);
    expect(displayWidth(line)).toBeLessThanOrEqual(40);
    expect(line.endsWith("…")).toBe(true);
  });

  it("leaves a readable part of the last column in a very narrow terminal", () => {
    const [line = ""] = formatTable([["a-rather-long-name", "a description that is too long"]], 10);
    expect(line).toMatch(/^a-rather-long-name {2}a description that …$/);
  });

  it("makes nothing of nothing", () => {
    expect(formatTable([])).toEqual([]);
  });
});

describe("displayWidth", () => {
  it.each([
    ["abc", 3],
    ["漢字", 4],
    ["é", 1],
    ["👩‍👩‍👧", 2],
    [`${String.fromCharCode(27)}[1mab${String.fromCharCode(27)}[22m`, 2],
  ])("%j takes %d cells", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});
