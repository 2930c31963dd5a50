/**
 * At most `limit` characters of a text, its head and its tail kept, with a mark between them that says how much is
 * missing. Never cuts a character in two.
 */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = (missing: number) => `\n[… ${missing} characters left out …]\n`;
  const room = limit - mark(text.length).length;
  if (room <= 0) return truncateEnd(text, limit);
  const head = Math.ceil(room * 0.7);
  const headEnd = backToBoundary(text, head);
  const tailStart = forwardToBoundary(text, text.length - (room - head));
  return text.slice(0, headEnd) + mark(tailStart - headEnd) + text.slice(tailStart);
}

/** At most `limit` characters from the start of a text, never cutting a character in two. */
export function truncateEnd(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, backToBoundary(text, Math.max(0, limit)));
}

function backToBoundary(text: string, index: number): number {
  return splitsCharacter(text, index) ? index - 1 : index;
}

function forwardToBoundary(text: string, index: number): number {
  return splitsCharacter(text, index) ? index + 1 : index;
}

/** Whether a cut before `index` would part a surrogate pair. */
function splitsCharacter(text: string, index: number): boolean {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
