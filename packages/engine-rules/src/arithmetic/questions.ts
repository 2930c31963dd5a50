import type { ArithmeticQuestion } from "./arithmetic-question.js";
import { namesNumbers } from "./named-numbers.js";
import { notArithmetic } from "./not-arithmetic.js";
import { QuestionReader } from "./question-reader.js";
import { tokenize } from "./token.js";

/** Longest text that is read as arithmetic, in characters. */
export const maxQuestionLength = 2_000;
/** Most questions in one message. */
const maxQuestions = 16;

/**
 * The questions of arithmetic a text consists of. `undefined` unless every part of the text is one, a filler or an
 * instruction how to answer: a text that merely contains numbers is none.
 *
 * @param previous the number an earlier answer gave, for "that" and "it"
 */
export function readArithmetic(text: string, previous?: string): ArithmeticQuestion[] | undefined {
  if (text.length > maxQuestionLength || namesNumbers(text)) return undefined;
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  try {
    const questions = new QuestionReader(tokens, previous).read();
    return questions.length === 0 || questions.length > maxQuestions ? undefined : questions;
  } catch (error) {
    if (error === notArithmetic) return undefined;
    throw error;
  }
}
