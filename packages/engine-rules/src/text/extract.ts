import { truncateEnd } from "@openjarvis/core";

/** Most sentences of an extract. */
const maxSentences = 5;
/** Most characters of an extract. */
const maxCharacters = 1_500;
/** Sentences with fewer words that carry meaning say too little to stand alone. */
const minWords = 3;

const stopWords = new Set(
  (
    "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its " +
    "may more most no not of on or our she should so some such than that the their them then there these they this " +
    "those to was we were what when which while who will with would you your"
  ).split(" "),
);

/**
 * The most central sentences of a text, in their order: those whose words are, on average, the most frequent of the
 * text (word-probability scoring, as in SumBasic by Nenkova and Vanderwende, 2005, without its re-weighting).
 *
 * At most five sentences and 1,500 characters; the same sentence is taken once.
 */
export function extract(sentences: readonly string[]): string[] {
  const words = sentences.map(contentWords);
  const frequency = new Map<string, number>();
  for (const list of words) for (const word of list) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const ranked = words
    .map((list, index) => ({ index, score: scoreOf(list, frequency) }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const count = Math.min(maxSentences, Math.max(1, Math.round(sentences.length / 4)));
  const picked = new Map<string, number>();
  let room = maxCharacters;
  for (const { index } of ranked) {
    const sentence = sentences[index] ?? "";
    if (picked.size === count) break;
    if (picked.has(sentence) || (sentence.length > room && picked.size > 0)) continue;
    picked.set(sentence, index);
    room -= sentence.length;
  }
  return [...picked]
    .sort(([, a], [, b]) => a - b)
    .map(([sentence]) =>
      sentence.length > maxCharacters ? `${truncateEnd(sentence, maxCharacters - 2)} …` : sentence,
    );
}

function scoreOf(words: readonly string[], frequency: ReadonlyMap<string, number>): number {
  if (words.length === 0) return 0;
  const total = words.reduce((sum, word) => sum + (frequency.get(word) ?? 0), 0);
  return total / Math.max(words.length, minWords);
}

function contentWords(sentence: string): string[] {
  const words = sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.filter((word) => !stopWords.has(word));
}
