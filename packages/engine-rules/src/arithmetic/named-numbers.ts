const dates = /(?<![\d.])(?:\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2}))(?!\d|\.\d)/;
const phones = /(?<![\d.])(?:\d{3}-)?\d{3}-\d{4}(?!\d|\.\d)|(?<![\d.])\d{3}-\d{2}-\d{4}(?!\d|\.\d)/;
const codes = /\d-\d{1,9}-\d{1,9}-\d/;
const yearSpan = /(?<![\d.])(?:1\d|20)\d\d-(?:1\d|20)\d\d(?!\d|\.\d)/;
/** Written without spaces these are names: a date, a shop, a view of the eyes. */
const idioms = /(?<![\d.])(?:9\/11|7\/11|24\/7|50\/50|20\/20|80\/20|60\/40|4\/20|7-11|9-11|50-50)(?!\d|\.\d)/;
/** "5-7" is a range where nothing is asked: among words, and alone when it goes up. */
const range = /(?<![\d.])(\d{1,9})-(\d{1,9})(?!\d|\.\d)/;

const asksForArithmetic = /\b(?:calculate|compute|evaluate|work out|solve|how much is|result of|value of)\b/;
const asks = /[?=]|\bwhat\b|\bwhat'?s\b|\bhow much\b/;

/**
 * Whether a text writes numbers in a form that is usually a date, a telephone number or a name, and does not say that
 * it means arithmetic. `9 / 11` with spaces, or `calculate 9/11`, is arithmetic.
 */
export function namesNumbers(question: string): boolean {
  const text = question.toLowerCase();
  if (asksForArithmetic.test(text)) return false;
  if ([dates, phones, codes, yearSpan, idioms].some((form) => form.test(text))) return true;
  const [, from, to] = range.exec(text) ?? [];
  if (from === undefined || asks.test(text)) return false;
  return /[a-z]/.test(text) || Number(from) < Number(to);
}
