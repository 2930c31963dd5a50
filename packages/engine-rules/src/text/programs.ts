/** A fenced program in a text. */
export interface Program {
  language: ProgramLanguage;
  code: string;
  /** Where its opening fence begins. */
  start: number;
  /** Where its closing fence ends. */
  end: number;
}

/** The languages of programs, as tools and fences name them. */
export type ProgramLanguage = "python" | "javascript";

const languages: ReadonlyMap<string, ProgramLanguage> = new Map([
  ["python", "python"],
  ["python3", "python"],
  ["py", "python"],
  ["javascript", "javascript"],
  ["js", "javascript"],
  ["node", "javascript"],
]);

/** An opening fence, at the start of a line or behind a word: people write both in one line of a terminal. */
const opener = /(?<![^\s:([])(`{3,}|~{3,})([^\s`~]{0,40})/g;
/** Most fences of a text that are read. */
const maxFences = 100;

/** The language a fence or a prompt names. */
export function languageNamed(name: string): ProgramLanguage | undefined {
  return languages.get(name.toLowerCase());
}

/**
 * The programs of a text: fenced blocks that name a language which can be run. A block ends at a line that closes it,
 * else at the first fence behind text, else with the text. At most a hundred fences are read; each is looked through
 * once, so that the time stays linear.
 */
export function readPrograms(text: string): Program[] {
  const programs: Program[] = [];
  const fences = new RegExp(opener);
  for (let count = 0; count < maxFences; count += 1) {
    const match = fences.exec(text);
    if (match === null) break;
    const [mark, run = "", name = ""] = match;
    const from = match.index + mark.length;
    const { inside, end } = bodyOf(text, from, run);
    const code = outdented(inside, indentBefore(text, match.index));
    const language = languageNamed(name);
    if (language !== undefined && code.trim() !== "") {
      programs.push({ language, code, start: match.index, end });
    }
    fences.lastIndex = end;
  }
  return programs;
}

/** A program as a fenced block; the fence is longer than any in the code. */
export function writeProgram(code: string, language: string): string {
  const longest = (code.match(/`{3,}/g) ?? []).reduce((length, run) => Math.max(length, run.length), 2);
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

function bodyOf(text: string, from: number, run: string): { inside: string; end: number } {
  const mark = run.charAt(0);
  const length = Math.min(run.length, 50);
  const closingLine = new RegExp(`\\n[ \\t]{0,12}${mark}{${length},}(?=[\\s.,;:!?)]|$)`, "g");
  const behindText = new RegExp(`${mark}{${length},}(?!${mark})`, "g");
  for (const pattern of [closingLine, behindText]) {
    pattern.lastIndex = from;
    const match = pattern.exec(text);
    if (match !== null) {
      return { inside: text.slice(from, match.index), end: match.index + match[0].length };
    }
  }
  return { inside: text.slice(from), end: text.length };
}

/** The white space between the start of the line and a fence; empty when more stands there. */
function indentBefore(text: string, at: number): string {
  return /(?:^|\n)([ \t]{0,12})$/.exec(text.slice(Math.max(0, at - 13), at))?.[1] ?? "";
}

/** Code without the indent that its fence has, and without blank lines around it. */
function outdented(inside: string, indent: string): string {
  const lines = inside.replace(/\r\n?/g, "\n").split("\n");
  const own =
    indent === "" ? lines : lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
  if ((own[0] ?? "").trim() === "") own.shift();
  else own[0] = (own[0] ?? "").trimStart();
  return own.join("\n").trimEnd();
}
