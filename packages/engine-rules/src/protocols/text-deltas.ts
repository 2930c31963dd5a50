import type { InferenceDelta } from "@openjarvis/core";

/** Most pieces an answer is streamed in. */
const maxPieces = 8;
/** Fewest characters of a piece, the last one aside. */
const minPiece = 24;

/** A text in a few pieces that end at spaces. */
export function textDeltas(text: string): InferenceDelta[] {
  const size = Math.max(minPiece, Math.ceil(text.length / maxPieces));
  const deltas: InferenceDelta[] = [];
  for (let start = 0; start < text.length; ) {
    const space = text.indexOf(" ", start + size - 1);
    // A text without spaces stays whole; cutting it could split a character.
    const end = space < 0 ? text.length : space + 1;
    deltas.push({ type: "text", text: text.slice(start, end) });
    start = end;
  }
  return deltas;
}
