import {
  type BaseTool,
  buildToolDescriptions,
  jsonSchemaOf,
  type Observed,
  type TextProtocol,
} from "@openjarvis/core";
import { codeName } from "./code-name.js";
import { orderedParameters } from "./ordered-parameters.js";

/** What runs the programs of a run. */
export interface CodeActInterpreter {
  /** The name of the tool that runs them. */
  readonly name: string;
  /** Languages it runs, the default first ("python", "javascript"). */
  readonly languages: readonly string[];
  /** Whether variables are kept from one program to the next, and tools are functions in them. */
  readonly hasSession: boolean;
}

const fenceNames: Readonly<Record<string, readonly string[]>> = {
  python: ["python", "py", "python3"],
  javascript: ["javascript", "js", "node"],
};

/** The names that models write behind a fence for a language, its own first. */
export function fenceNamesOf(language: string): readonly string[] {
  return fenceNames[language] ?? [language];
}

/** The language a block is in; that of the interpreter's default for a block that names none. */
export function languageOfBlock(fenceName: string, languages: readonly string[]): string {
  return languages.find((language) => fenceNamesOf(language).includes(fenceName)) ?? languages[0] ?? "python";
}

/**
 * Programs in fenced blocks as actions, and calls as `Action:` lines beside them. Without an interpreter no block is
 * run, so that a program a person asked for is an answer.
 *
 * Source of the pattern: Wang et al., "Executable Code Actions Elicit Better LLM Agents", arXiv:2402.01030.
 */
export function codeact(interpreter?: CodeActInterpreter): TextProtocol {
  return {
    dialects: "codeact",
    codeLanguages: interpreter?.languages.flatMap(fenceNamesOf) ?? [],
    stop: ["\nObservation:"],
    systemPrompt: (tools) => systemPrompt(tools, interpreter),
    observation: (results) => results.map(({ text }: Observed) => `Observation: ${text}`).join("\n"),
  };
}

function systemPrompt(tools: readonly BaseTool[], interpreter: CodeActInterpreter | undefined): string {
  const others = tools.filter(({ spec }) => spec.name !== interpreter?.name);
  const parts = [introduction(interpreter, others)];
  if (interpreter !== undefined) parts.push(codeForm(interpreter, others));
  if (others.length > 0) {
    parts.push(`To use a tool:
Action: the name of one tool
Action Input: a JSON object with its parameters

Stop after Action Input. The result comes back to you as "Observation:"; never write one yourself.`);
  }
  parts.push(
    interpreter === undefined
      ? "When you know the answer, write it as plain text."
      : "When you know the answer, write it as plain text without a block of code.",
  );
  if (others.length > 0) parts.push(`Tools:\n\n${buildToolDescriptions(others)}`);
  return parts.join("\n\n");
}

function introduction(interpreter: CodeActInterpreter | undefined, others: readonly BaseTool[]): string {
  const helps = [
    ...(interpreter === undefined ? [] : ["a program"]),
    ...(others.length > 0 ? ["a tool"] : []),
  ];
  if (helps.length === 0) return "Answer the question.";
  return `Answer the question, step by step. Use ${helps.join(" or ")} where it helps; answer directly what needs none.`;
}

function codeForm({ languages, hasSession }: CodeActInterpreter, others: readonly BaseTool[]): string {
  const [language = "python"] = languages;
  const lines = [
    `To run a program, write it in one block, and stop after it:
\`\`\`${language}
the program
\`\`\``,
    `${hasSession ? "It runs in a sandbox without network and files. " : ""}What it prints comes back to you as "Output:"; never \
write that yourself.`,
  ];
  if (languages.length > 1) lines.push(`Languages: ${languages.join(", ")}.`);
  if (!hasSession) return [...lines, "Every program starts with nothing: no variables are kept."].join("\n");
  lines.push("Variables, imports and functions are kept for the next program.");
  lines.push(`final_answer(value) in a program ends the work with that value as the answer.`);
  if (others.length > 0) {
    const signatures = others.map((tool) => `- ${signatureOf(tool)}`).join("\n");
    lines.push(`The tools are functions in programs; each returns its result as text:\n${signatures}`);
  }
  return lines.join("\n");
}

/** A tool as programs call it: `get_weather(city, units=…)`. */
function signatureOf({ spec }: BaseTool): string {
  const schema = jsonSchemaOf(spec.parameters);
  const { required = [] } = schema;
  const parameters = orderedParameters(schema).map((name) => (required.includes(name) ? name : `${name}=…`));
  return `${codeName(spec.name)}(${parameters.join(", ")})`;
}
