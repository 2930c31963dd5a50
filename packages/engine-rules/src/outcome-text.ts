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
