import { type Message, textOf } from "@openjarvis/core";
import { codeact } from "./codeact.js";
import type { Protocol } from "./protocol.js";
import { react } from "./react.js";
import { structured } from "./structured.js";
import { textDeltas } from "./text-deltas.js";
import type { TextForm } from "./text-form.js";
import { readTranscript } from "./transcript.js";

const forms: readonly TextForm[] = [react, structured, codeact];

/** The protocols of agents that read text: the system prompt teaches the form, one call is made a turn. */
export const textProtocols: readonly Protocol[] = forms.map((form) => ({
  name: form.name,
  read(messages, { tools = [] }) {
    const prompt = promptOf(messages);
    // Who offers tools as functions wants calls as functions, whatever the prompt says.
    if (tools.length > 0 || formShownIn(prompt) !== form) return undefined;
    return { ...readTranscript(messages, form), tools: form.toolsIn(prompt), oneCall: true };
  },
  plain: (answer) => withoutForms(answer, form),
  write: (reply) => textDeltas(form.write(reply)),
}));

function promptOf(messages: readonly Message[]): string {
  const prompt = messages.find((message) => message.role === "system");
  return prompt === undefined ? "" : textOf(prompt);
}

function formShownIn(prompt: string): TextForm | undefined {
  const shown = forms.flatMap((form) => {
    const at = form.shownAt(prompt);
    return at === undefined ? [] : [{ form, at }];
  });
  return shown.sort((a, b) => a.at - b.at)[0]?.form;
}

/** The start of a line that an agent would read as more than text. */
const special =
  /(?<=\n)(?=[ \t]{0,12}(?:`{3}|~{3}|[>#+•*\-– \t\d.)_`]{0,20}(?:thoughts?|(?:action|tool)(?:[ _-]?input)?|observations?|final[ _-]?answer)\b[^\n:：]{0,12}[:：]))/gi;

/** An answer whose lines are all text: a bar stands before those that look like a fence or a label. */
function withoutForms(text: string, { answerBeginsLine }: TextForm): string {
  if (!answerBeginsLine) return text.replace(special, "| ");
  return `\n${text}`.replace(special, "| ").slice(1);
}
