/** Lines of a text. */
export interface LineRange {
  /** The lines with their line ends, but for the end of the last one. */
  text: string;
  /** How many lines there are in all; a line end at the end of the text begins none. */
  total: number;
  /** The numbers of the first and last line given, from 1; both 0 when there is none. */
  first: number;
  last: number;
}

/**
 * Lines of a text, separated by `\n` or `\r\n`.
 *
 * @param offset number of the first line, from 1
 * @param maxLines most lines; all when left out
 */
export function linesOf(text: string, offset: number, maxLines: number | undefined): LineRange {
  const starts = [0];
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", end + 1)) starts.push(end + 1);
  if (starts.at(-1) === text.length) starts.pop();
  const total = starts.length;
  const last = Math.min(total, maxLines === undefined ? total : offset + maxLines - 1);
  if (offset > last) return { text: "", total, first: 0, last: 0 };
  const from = starts[offset - 1] ?? 0;
  const to = starts[last] ?? text.length;
  const cut = text.slice(from, to);
  return { text: last < total ? cut.replace(/\r?\n$/, "") : cut, total, first: offset, last };
}
