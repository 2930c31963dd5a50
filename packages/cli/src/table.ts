import { withoutControls } from "./control-characters.js";
import type { Terminal } from "./terminal.js";

/**
 * Prints rows under a heading. On a terminal the last column is cut to the width there is; where that leaves nothing
 * worth reading, each row becomes a block of lines.
 */
export function printTable(terminal: Terminal, rows: readonly (readonly string[])[]): void {
  const clean = rows.map((row) => row.map((cell) => withoutControls(cell).replace(/\s+/g, " ")));
  const width = terminal.isTerminal ? terminal.columns : Number.POSITIVE_INFINITY;
  const [titles = [], ...items] = clean;
  const fixed = columnWidths(clean).slice(0, -1);
  if (width - fixed.reduce((sum, column) => sum + column + 2, 0) < leastLastColumn) {
    for (const [name = "", ...cells] of items) {
      terminal.printStyled(terminal.style("bold", name));
      for (const line of blockLines(titles.slice(1), cells)) terminal.printStyled(line);
    }
    return;
  }
  const [head = "", ...lines] = formatTable(clean, width);
  terminal.printStyled(terminal.style("bold", head));
  for (const line of lines) terminal.printStyled(line);
}

/** The fewest cells a cut last column is worth showing in. */
const leastLastColumn = 20;

function blockLines(titles: readonly string[], cells: readonly string[]): string[] {
  const width = Math.max(0, ...titles.map((title) => title.length));
  return cells.flatMap((cell, index) =>
    cell === "" ? [] : [`  ${(titles[index] ?? "").toLowerCase().padEnd(width)}  ${cell}`],
  );
}

/** Rows as text in columns, as wide as their widest cell; the last column is cut to the width where that is needed. */
export function formatTable(
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const widths = columnWidths(rows);
  return rows.map((row) => {
    let line = "";
    for (const [column, cell] of row.entries()) {
      const last = column === row.length - 1;
      if (last) return (line + cutToWidth(cell, width - displayWidth(line))).trimEnd();
      line += `${cell}${" ".repeat((widths[column] ?? 0) - displayWidth(cell))}  `;
    }
    return line.trimEnd();
  });
}

function columnWidths(rows: readonly (readonly string[])[]): number[] {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => displayWidth(row[column] ?? ""))),
  );
}

/** Terminal cells of a text: two for East Asian wide characters and emoji, none for combining marks and styles. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.replace(stylePattern, ""))) {
    width += widePattern.test(segment) ? 2 : 1;
  }
  return width;
}

function cutToWidth(text: string, width: number): string {
  const room = Math.max(leastLastColumn, width);
  if (displayWidth(text) <= room) return text;
  let cut = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text.replace(stylePattern, ""))) {
    const cells = widePattern.test(segment) ? 2 : 1;
    if (used + cells > room - 1) break;
    cut += segment;
    used += cells;
  }
  return `${cut}…`;
}

const stylePattern = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
const widePattern =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]/u;
