import { truncateMiddle } from "@openjarvis/core";
import type { ToolOutcome } from "./plan.js";

/** Longest text of a tool that is repeated in an answer, in characters. */
const maxRepeated = 2_000;

/** Says that a tool failed, on what, and what it said. */
export function describeFailure(outcome: ToolOutcome, input: string): string {
  const said = truncateMiddle(outcome.content.trim().replace(/^Error:\s*/, ""), maxRepeated);
  const on = input === "" ? "" : ` on "${input}"`;
  return said === ""
    ? `The tool ${outcome.tool} gave nothing${on}.`
    : `The tool ${outcome.tool} failed${on}: ${said}`;
}

/** Lines of a failed program's output that are repeated: the last ones say what failed. */
const maxLines = 8;

/** Says that a program failed, with the last lines of its output. */
export function describeProgramFailure({ content }: ToolOutcome): string {
  const lines = content
    .replace(/^Error: ?/, "")
    .slice(-maxRepeated)
    .trimEnd()
    .split("\n");
  const said = lines.slice(-maxLines).join("\n");
  return said === "" ? "The program failed and said nothing." : `The program failed:\n${said}`;
}

/** What tools said, for results of calls that this engine did not plan. */
export function describeOutcomes(outcomes: readonly ToolOutcome[]): string {
  return outcomes
    .map((outcome) =>
      outcome.failed || outcome.content.trim() === ""
        ? describeFailure(outcome, "")
        : `The tool ${outcome.tool} answered: ${truncateMiddle(outcome.content.trim(), maxRepeated)}`,
    )
    .join("\n");
}
