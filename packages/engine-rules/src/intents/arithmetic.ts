import type { Message } from "@openjarvis/core";
import type { ArithmeticQuestion } from "../arithmetic/arithmetic-question.js";
import { readArithmetic } from "../arithmetic/questions.js";
import { answeredNumber, numberIn } from "../arithmetic/result-text.js";
import { describeFailure } from "../outcome-text.js";
import type { Intent, PlannedCall, Question, ToolOutcome } from "../plan.js";

/** Arithmetic in signs and words, sizes of figures, and linear equations: one calculator call for each question. */
export const arithmetic: Intent = {
  name: "arithmetic",
  plan({ text, history }: Question) {
    const questions = readArithmetic(text, earlierNumber(history));
    if (questions === undefined) return undefined;
    // The same expression is computed once.
    const inputs = [...new Set(questions.map(({ expression }) => expression))].filter(
      (input) => input !== "",
    );
    const calls: PlannedCall[] = inputs.map((expression) => ({
      tool: "calculator",
      arguments: { expression },
      bySchema: true,
    }));
    return {
      calls,
      answer: (outcomes) => {
        const lines = questions.map((question) =>
          answerTo(question, outcomes[inputs.indexOf(question.expression)]),
        );
        return [...new Set(lines)].join("\n");
      },
    };
  },
};

function answerTo(question: ArithmeticQuestion, outcome: ToolOutcome | undefined): string {
  const { expression } = question;
  if (expression === "") return question.phrase("");
  if (outcome === undefined) return `${expression} was not computed: no result came back.`;
  const result = outcome.failed ? undefined : numberIn(outcome.content);
  return result === undefined ? describeFailure(outcome, expression) : question.phrase(result);
}

/** The number of the last answer, when the last thing said before the question was one. */
function earlierNumber(history: readonly Message[]): string | undefined {
  const last = history.findLast((message) => message.role !== "system");
  return last?.role === "assistant" ? answeredNumber(last.content ?? "") : undefined;
}
