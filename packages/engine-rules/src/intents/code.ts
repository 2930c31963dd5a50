import { describeProgramFailure } from "../outcome-text.js";
import type { Intent, PlannedCall } from "../plan.js";
import { readPrograms } from "../text/programs.js";

/** The tool that runs programs. */
export const programTool = "code_interpreter";

/** Longest text around a program that is read, in characters. */
const maxRequest = 500;

/** Words that ask for something else than what the program does when it runs. */
const otherTasks =
  /\b(?:not|don't|never|without|why|how|explain|describe|fix|debug|bugs?|errors?|wrong|correct|safe|vulnerab\w+|translate|convert|port|rewrite|refactor|improve|optimi[sz]e|review|comments?|document|summari[sz]e|complete|finish|extend|add|change|modify|write|tests?|find|compare|type-?check|format|lint|simplify|instead|equivalent|similar)\b/i;

/** A fenced program: one call that runs it, and its output as the answer. */
export const code: Intent = {
  name: "code",
  plan({ text }) {
    const [program, ...more] = readPrograms(text);
    if (program === undefined || more.length > 0) return undefined;
    const around = `${text.slice(0, program.start)} ${text.slice(program.end)}`;
    if (around.length > maxRequest || otherTasks.test(around.replaceAll("’", "'"))) return undefined;
    const { language } = program;
    const call: PlannedCall = {
      tool: programTool,
      arguments: language === "python" ? { code: program.code } : { code: program.code, language },
      optional: { language },
    };
    return {
      calls: [call],
      answer: ([outcome]) => {
        if (outcome === undefined) return "The program was not run: no result came back.";
        if (outcome.failed) return describeProgramFailure(outcome);
        const output = outcome.content.replace(/\s+$/, "");
        return output === "" ? "The program printed nothing." : output;
      },
    };
  },
};
