/** At most 40 characters of a text, for a message. */
export function clip(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 37)}...`;
}

/** What a sticky pattern matches at a place of a text; empty when it does not. */
export function match(pattern: RegExp, source: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.test(source) ? source.slice(at, pattern.lastIndex) : "";
}
