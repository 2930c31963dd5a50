import type { OpenAIFunction } from "@openjarvis/core";

/** Most tools that are read from a prompt. */
const maxTools = 1_000;
/** Names of tools hold no spaces; headings of prose mostly do. */
const heading = /^### [^\s#]{1,200}$/;
const parameterLine = /^ {2}- (\S.{0,200}?) \(([^()]{1,200}?)(, required)?\)(?::|$)/;

/**
 * The tools of a system prompt, from the Markdown that core's `buildToolDescriptions` writes: a heading behind a blank
 * line, and a line for each parameter. Linear in the text.
 *
 * Descriptions may hold Markdown of the same kind. It can add a tool or a parameter that is not there, and hides none:
 * a tool whose description has headings is listed once more, with the parameters below the next of them.
 */
export function readDescribedTools(text: string): OpenAIFunction[] {
  const tools = sectionsOf(text).map(toolOf);
  const parts: OpenAIFunction[] = [];
  let next: OpenAIFunction["function"]["parameters"] | undefined;
  for (const { type, function: tool } of tools.toReversed()) {
    if (Object.keys(tool.parameters.properties ?? {}).length > 0) next = tool.parameters;
    else if (next !== undefined) parts.push({ type, function: { ...tool, parameters: next } });
  }
  return [...tools, ...parts];
}

function sectionsOf(text: string): string[][] {
  const sections: string[][] = [];
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    if (heading.test(line) && before.trim() === "") {
      if (sections.length === maxTools) break;
      sections.push([line]);
    } else {
      sections.at(-1)?.push(line);
    }
    before = line;
  }
  return sections;
}

function toolOf([first = "", ...lines]: readonly string[]): OpenAIFunction {
  const properties = new Map<string, { type?: string | string[] }>();
  const required: string[] = [];
  // A description may hold such a line too; the one of the parameters stands above a parameter.
  const start = lines.findIndex(
    (line, index) => line === "Parameters:" && parameterLine.test(lines[index + 1] ?? ""),
  );
  for (const line of start < 0 ? [] : lines.slice(start + 1)) {
    const [, name, type = "", isRequired] = parameterLine.exec(line) ?? [];
    if (name === undefined || properties.has(name)) continue;
    properties.set(name, schemaOf(type));
    if (isRequired !== undefined) required.push(name);
  }
  return {
    type: "function",
    function: {
      name: first.slice("### ".length),
      description: lines[0] ?? "",
      parameters: { type: "object", properties: Object.fromEntries(properties), required },
    },
  };
}

function schemaOf(type: string): { type?: string | string[] } {
  if (type === "any") return {};
  return { type: type.includes("|") ? type.split("|") : type };
}
