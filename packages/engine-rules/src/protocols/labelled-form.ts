import { readDescribedTools } from "./described-tools.js";
import { readCalls, readObservations, writeCall } from "./labels.js";
import type { TextForm } from "./text-form.js";

/** What tells one form of labelled lines from another. */
export interface LabelledFormOptions {
  name: string;
  shownAt: TextForm["shownAt"];
  /** The part of the prompt that describes the tools. */
  toolTexts(prompt: string): string;
  labels: { thought: string; tool: string; input: string; final: string };
  /** Stands in every message that says a reply could not be read. */
  correction: string;
}

/** A form of labelled lines, one call a turn. */
export function labelledForm({ labels, correction, ...options }: LabelledFormOptions): TextForm {
  return {
    name: options.name,
    answerBeginsLine: false,
    shownAt: options.shownAt,
    toolsIn: (prompt) => readDescribedTools(options.toolTexts(prompt)),
    callsIn: (text) => readCalls(text, labels),
    resultsIn: readObservations,
    isCorrection: (text) => text.includes(correction),
    write(reply) {
      if (reply.kind === "answer") {
        // A closing answer is shown as it is; the agent takes no more forms then.
        if (reply.closing) return reply.text;
        return `${labels.thought}: This is the answer.\n${labels.final}: ${reply.text}`;
      }
      return reply.calls
        .map(
          (call) => `${labels.thought}: The tool ${call.name} gives the result.\n${writeCall(call, labels)}`,
        )
        .join("\n");
    },
  };
}
