import { defineTool, ToolRegistry } from "@openjarvis/core";
import { z } from "zod";
import { countWords } from "./count-words.js";

/** The `count_words` tool. */
export const countWordsTool = defineTool({
  name: "count_words",
  description: "Count the words, sentences and characters of a text.",
  category: "text",
  parameters: z.object({
    text: z.string().max(1_000_000).describe("The text to count in"),
    language: z
      .string()
      .regex(/^[a-z]{2,3}(-[A-Za-z0-9]+)*$/)
      .default("en")
      .describe('Language of the text, such as "en" or "de"'),
  }),
  run({ text, language }) {
    const { words, sentences, characters } = countWords(text, language);
    return {
      content: [
        counted(words, "word"),
        counted(sentences, "sentence"),
        counted(characters, "character"),
      ].join(", "),
      metadata: { words, sentences, characters },
    };
  },
});

ToolRegistry.register("count_words")(countWordsTool);

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

export { countWords, type TextCounts } from "./count-words.js";
