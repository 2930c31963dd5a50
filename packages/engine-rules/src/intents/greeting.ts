import type { Intent } from "../plan.js";
import { modelAdvice } from "../refusal.js";

const introduction =
  "I am the rules engine built into OpenJarvis and not a language model: I do arithmetic when the calculator tool is " +
  `offered and extract summaries from text you give me; for more, give me a model. ${modelAdvice}`;

const openings: Readonly<Record<string, string>> = {
  "Hello. ":
    "hello|hi|hey|hi there|hello there|hey there|greetings|good day|hello world|hi how are you|hello how are you",
  "Good morning. ": "good morning",
  "Good afternoon. ": "good afternoon",
  "Good evening. ": "good evening",
  "You are welcome. ": "thanks|thank you|thanks a lot|thank you very much|many thanks|thx",
  "": "who are you|what are you|what can you do|what do you do|help|are you there|are you a language model",
};

const openingOf: ReadonlyMap<string, string> = new Map(
  Object.entries(openings).flatMap(([opening, phrases]) =>
    phrases.split("|").map((phrase) => [phrase, opening] as const),
  ),
);

/** Greetings, thanks, and questions what this is: one honest answer. */
export const greeting: Intent = {
  name: "greeting",
  plan({ text }) {
    if (text.length > 60) return undefined;
    const words = text
      .toLowerCase()
      .replace(/[^a-z]+/g, " ")
      .trim()
      .replace(/ ?\bjarvis$/, "");
    const opening = openingOf.get(words);
    // What is not all Latin letters and punctuation was not read whole.
    if (opening === undefined || /[^\x20-\x7e\s’…]/.test(text) || /\d/.test(text)) return undefined;
    return { calls: [], answer: () => opening + introduction };
  },
};
