import { textOf } from "@openjarvis/core";
import type { Intent } from "../plan.js";

/** "what is my favourite colour?"; at most five words name the thing. */
const question =
  /^\s{0,9}(?:please )?(?:what(?:'s| is| was)|tell me|do you (?:know|remember)) my ([a-z]+(?: [a-z]+){0,4}?)(?: please)?\s{0,9}[?.!]{0,3}\s{0,9}$/i;
const whoAmI = /^\s{0,9}who am i\s{0,9}\??\s{0,9}$/i;

/** How many earlier messages, and how much of each, are looked through. */
const maxMessages = 200;
const maxCharacters = 10_000;
const maxValue = 100;

/** Facts the user stated about themselves earlier in the conversation: "my name is Ana" answers "what is my name?". */
export const recall: Intent = {
  name: "recall",
  plan({ text, history }) {
    if (text.length > 200) return undefined;
    const thing = whoAmI.test(text) ? "name" : question.exec(text.replaceAll("’", "'"))?.[1]?.toLowerCase();
    if (thing === undefined) return undefined;
    for (const message of history.slice(-maxMessages).reverse()) {
      if (message.role !== "user") continue;
      const value = statedValue(textOf(message).slice(0, maxCharacters), thing);
      if (value !== undefined) return { calls: [], answer: () => `You said your ${thing} is ${value}.` };
    }
    return undefined;
  },
};

/** What a text says "my <thing>" is, in its own words; the last time counts. */
function statedValue(text: string, thing: string): string | undefined {
  const plain = text.replaceAll("’", "'");
  const statement = new RegExp(`\\bmy ${thing}(?: is|'s) `, "gi");
  let value: string | undefined;
  for (const match of plain.matchAll(statement)) {
    const rest = plain.slice(match.index + match[0].length, match.index + match[0].length + maxValue + 1);
    const end = rest.search(/[.!?;\n](?:\s|$)|,|\n| (?:and|but|so) /i);
    const found = (end < 0 ? rest : rest.slice(0, end)).trim();
    const usable =
      found !== "" && found.length <= maxValue && !/^(?:not|no longer|what|a secret)\b/i.test(found);
    if (usable) value = found;
  }
  return value;
}
