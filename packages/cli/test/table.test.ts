import { describe, expect, it } from "vitest";
import { displayWidth, formatTable, printTable } from "../src/table.js";
import { Terminal } from "../src/terminal.js";
import { fakeIo } from "./helpers/fake-io.js";

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

describe("printTable", () => {
  const rows = [
    ["NAME", "PACKAGE", "TEXT"],
    ["calculator", "@openjarvis/tool-calculator", "Evaluates."],
  ];

  async function printed(columns: number): Promise<string> {
    const fake = fakeIo({ tty: true, columns, env: { NO_COLOR: "1" } });
    const terminal = new Terminal(fake.io);
    printTable(terminal, rows);
    await terminal.flush();
    return fake.stdout();
  }

  it("prints columns where there is room", async () => {
    expect(await printed(80)).toMatch(
      /^NAME +PACKAGE +TEXT\ncalculator {2}@openjarvis\/tool-calculator {2}Evaluates\.\n$/,
    );
  });

  it("prints blocks of lines in a narrow terminal", async () => {
    expect(await printed(44)).toBe(
      "calculator\n  package  @openjarvis/tool-calculator\n  text     Evaluates.\n",
    );
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
