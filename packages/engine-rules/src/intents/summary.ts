import type { Intent } from "../plan.js";
import { extract } from "../text/extract.js";
import { splitSentences } from "../text/sentences.js";

/** Most characters of a text that are read; what comes after is named as left out. */
const maxText = 1_000_000;
const request =
  /^\s{0,20}(?:please )?(?:(?:can|could) you (?:please )?)?(?:summari[sz]e|sum up|tl;?dr|give (?:me )?an? (?:short |brief )?summary of|write an? (?:short |brief )?summary of)\b/i;
const object =
  /^(?: (?:this|the|following|these|text|article|passage|paragraph|paragraphs|document|email|message|story|notes|below|for me|in \w+ sentences?)){0,6}\s{0,9}(?::|\n|\.\s|-\s)/i;

/** "Summarize: …" with the text in the question: its most central sentences, said to be an extract. */
export const summary: Intent = {
  name: "summary",
  plan({ text }) {
    const start = request.exec(text.slice(0, 200))?.[0].length;
    if (start === undefined) return undefined;
    const after = text.slice(start, start + 200);
    const from = start + (object.exec(after)?.[0].length ?? (/^[:\s]/.test(after) ? 1 : 0));
    const sentences = splitSentences(text.slice(from, from + maxText));
    if (sentences.length < 2) return undefined;
    return {
      calls: [],
      answer: () => {
        const picked = extract(sentences);
        const left = text.length - from - maxText;
        const note = left > 0 ? ` The last ${left} characters were not read.` : "";
        return (
          `Extract, not a rewording: the ${picked.length} most central of ${sentences.length} sentences.${note}\n\n` +
          picked.join(" ")
        );
      },
    };
  },
};
