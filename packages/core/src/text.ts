/**
 * At most `limit` characters of a text, its head and its tail kept, with a mark between them that says how much is
 * missing. Never cuts a character in two.
 */
export function truncateMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const mark = (missing: number) => `\n[… ${missing} characters left out …]\n`;
  const room = Math.max(0, limit - mark(text.length).length);
  const headEnd = backToBoundary(text, Math.ceil(room * 0.7));
  const tailStart = forwardToBoundary(text, text.length - Math.floor(room * 0.3));
  return text.slice(0, headEnd) + mark(tailStart - headEnd) + text.slice(tailStart);
}

/** At most `limit` characters from the start of a text, never cutting a character in two. */
export function truncateEnd(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, backToBoundary(text, limit));
}

function backToBoundary(text: string, index: number): number {
  return isLowSurrogate(text, index) ? index - 1 : index;
}

function forwardToBoundary(text: string, index: number): number {
  return isLowSurrogate(text, index) ? index + 1 : index;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}
