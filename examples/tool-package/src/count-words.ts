/** What was counted in a text. */
export interface TextCounts {
  words: number;
  sentences: number;
  /** As a person counts them: an emoji or a letter with its accents is one. */
  characters: number;
}

/** Counts the words, sentences and characters of a text, by the rules of Unicode for the language. */
export function countWords(text: string, language = "en"): TextCounts {
  const words = [...new Intl.Segmenter(language, { granularity: "word" }).segment(text)];
  const sentences = [...new Intl.Segmenter(language, { granularity: "sentence" }).segment(text)];
  const characters = [...new Intl.Segmenter(language).segment(text)];
  return {
    words: words.filter(({ isWordLike }) => isWordLike === true).length,
    sentences: sentences.filter(({ segment }) => /[\p{L}\p{N}]/u.test(segment)).length,
    characters: characters.length,
  };
}
