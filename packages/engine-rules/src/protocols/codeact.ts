import type { OpenAIFunction } from "@openjarvis/core";
import { programTool } from "../intents/code.js";
import type { ToolOutcome } from "../plan.js";
import { languageNamed, readPrograms, writeProgram } from "../text/programs.js";
import type { MatchedCall } from "../tool-match.js";
import { readDescribedTools } from "./described-tools.js";
import { readCalls, readObservations, writeCall } from "./labels.js";
import type { TextForm, WrittenCall } from "./text-form.js";

const programs = "To run a program, write it in one block";
const labels = { tool: "Action", input: "Action Input" };
const output = /^Output(?: of program \d{1,5} of \d{1,5})?:[ \t]*\n?/;

/** Programs in fenced blocks, calls as `Action:` lines, answers as plain text: CodeAct (Wang et al., arXiv:2402.01030). */
export const codeact: TextForm = {
  name: "codeact",
  answerBeginsLine: true,
  shownAt(prompt) {
    const answer = prompt.indexOf("write it as plain text");
    if (answer < 0) return undefined;
    const form = prompt.slice(0, answer);
    return form.includes(programs) || form.includes(`${labels.input}:`) ? answer : undefined;
  },
  toolsIn: (prompt) => [...programToolIn(prompt), ...readDescribedTools(prompt)],
  callsIn(text) {
    const [program] = readPrograms(text);
    if (program === undefined) return readCalls(text, labels);
    const { code, language } = program;
    return [{ tool: programTool, arguments: JSON.stringify({ code, language }) }];
  },
  resultsIn(text, calls) {
    return output.test(text) ? [programOutcome(text, calls[0])] : readObservations(text, calls);
  },
  isCorrection: (text) => text.includes("Write either one code block to run"),
  write(reply) {
    return reply.kind === "answer" ? reply.text : reply.calls.map(writeAction).join("\n\n");
  },
};

function writeAction(call: MatchedCall): string {
  const { code, language = "python" } = call.arguments;
  if (call.name !== programTool || typeof code !== "string") return writeCall(call, labels);
  return writeProgram(code, String(language));
}

/** The interpreter as a tool, for the languages the prompt names: the fence it shows, and the line of languages. */
function programToolIn(prompt: string): OpenAIFunction[] {
  const start = prompt.indexOf(programs);
  const form = prompt.slice(start, prompt.indexOf("write it as plain text"));
  if (start < 0 || form === "") return [];
  const shown = /^```(\S+)$/m.exec(form)?.[1] ?? "python";
  const list = /^Languages: (.{1,200})\.$/m.exec(form)?.[1]?.split(", ") ?? [];
  const languages = [shown, ...list].map(languageNamed);
  const text = { type: "string" };
  const properties = languages.includes("javascript") ? { code: text, language: text } : { code: text };
  if (!languages.some((language) => language !== undefined)) return [];
  const description = "Runs a program.";
  const parameters = { type: "object", properties, required: ["code"] };
  return [{ type: "function", function: { name: programTool, description, parameters } }];
}

function programOutcome(text: string, call: WrittenCall | undefined): ToolOutcome {
  const content = text.replace(output, "");
  return { tool: programTool, arguments: call?.arguments ?? "", content, failed: saysFailure(content) };
}

/** How the output of a failed program begins a line, and how it ends: nothing else tells that it failed. */
const trace = /^(?:Traceback \(most recent call last\):| {2,8}File "| {0,8}at [^\n]{0,300}\d)/m;
const lastLine =
  /^(?:[\w.]{0,100}(?:Error|Exception|Interrupt|Exit|timeoutMs|TimeoutMs)(?::|$)|The program timed out\.$| {4,8}at |at cell \d{1,9}, line \d)/;

function saysFailure(content: string): boolean {
  if (/^Error\b/.test(content)) return true;
  const last = content.trimEnd().split("\n").at(-1) ?? "";
  return lastLine.test(last) && trace.test(content);
}
