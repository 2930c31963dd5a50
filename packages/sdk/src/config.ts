import { JarvisError } from "@openjarvis/core";
import { configOf, flatten, isTable, mergeTrees, type SettingTree, treeOfInput } from "./config-tree.js";
import type { ConfigInput, ConfigProblem, LoadedConfig } from "./config-types.js";
import { absolutePath, homePaths, resolveHome } from "./home.js";
import { readOptionalFile } from "./home-files.js";
import { toCamelCase } from "./spelling.js";

/** Options of {@link loadConfig}. */
export interface ConfigOptions {
  /** @default OPENJARVIS_HOME, else ~/.openjarvis */
  home?: string | undefined;
  /** @default OPENJARVIS_CONFIG, else config.toml in the home */
  configPath?: string | undefined;
  /** @default process.env */
  env?: NodeJS.ProcessEnv | undefined;
  /** Settings that go before the file. */
  config?: ConfigInput | undefined;
}

const maxConfigBytes = 1_048_576;

/** How messages name settings that came from code. */
export const givenInCode = "the option `config`";

/** The file a config is read from, and whether somebody named it. */
export function configFile(options: ConfigOptions = {}): { path: string; named: boolean } {
  const { env = process.env } = options;
  const named = options.configPath ?? (env.OPENJARVIS_CONFIG?.trim() || undefined);
  if (named !== undefined) return { path: absolutePath(named, env), named: true };
  const home = options.home === undefined ? resolveHome(env) : absolutePath(options.home, env);
  return { path: homePaths(home).config, named: false };
}

/**
 * Reads and checks config.toml. A file that is missing leaves every default, unless it was named: that is `OJ_OPTION`.
 *
 * Throws the first problem as `OJ_CONFIG_SYNTAX`, `OJ_CONFIG_KEY` or `OJ_CONFIG_VALUE` with file and line, and
 * `OJ_HOME` when the file cannot be read.
 */
export async function loadConfig(options: ConfigOptions = {}): Promise<LoadedConfig> {
  const { path, named } = configFile(options);
  const bytes = readOptionalFile(path, maxConfigBytes);
  if (bytes === undefined && named) {
    throw new JarvisError("OJ_OPTION", `The config file ${path} does not exist.`, {
      hint: "Create it, or name another with OPENJARVIS_CONFIG or the option `configPath`.",
    });
  }
  const text = bytes === undefined ? undefined : decode(bytes, path);
  const fromFile = text === undefined ? {} : await treeOfText(text, path);
  const given = options.config === undefined ? {} : await treeOfOption(options.config);
  const tree = mergeTrees(fromFile, given);
  const file = text === undefined ? undefined : await import("./toml-scanner.js");
  return {
    config: configOf(tree),
    path,
    exists: text !== undefined,
    set: Object.freeze(flatten(tree)),
    locate(...key) {
      if (file === undefined || text === undefined || isIn(given, key)) return givenInCode;
      return `${path}:${file.lineOfKey(text, key)}`;
    },
  };
}

/** Every problem of a config text; none means that it can be used. Never throws. */
export async function validateConfigText(text: string, file = "config.toml"): Promise<ConfigProblem[]> {
  return (await checkText(text, file)).problems;
}

/** The error for what is wrong with a config: its first problem, and how many more there are. */
export function problemError(problems: readonly ConfigProblem[]): JarvisError | undefined {
  const [first, ...more] = problems;
  if (first === undefined) return undefined;
  const rest = more.length === 0 ? "" : ` (${more.length} more in this file.)`;
  const { file, line, key } = first;
  return new JarvisError(first.code, first.message + rest, {
    hint: first.hint,
    details: { file, line, key, problems },
  });
}

/** A TOML text as a tree of plain values, or what is wrong with it. */
export async function parseToml(
  text: string,
  file: string,
): Promise<{ tree: Record<string, unknown> } | { problem: ConfigProblem }> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { tree: parse(text) };
  } catch (error) {
    const isToml = error instanceof TomlError;
    const line = isToml ? error.line : 1;
    const column = isToml ? error.column : 1;
    // The first line says what is wrong; the others draw the place.
    const reason = (error instanceof Error ? error.message : String(error)).split("\n")[0] ?? "";
    const what = reason.replace(/^Invalid TOML document: /, "");
    return {
      problem: {
        code: "OJ_CONFIG_SYNTAX",
        message: `${file}:${line}:${column}: this is not valid TOML: ${what}.`,
        hint: "Texts need quotes, and every section and key may stand only once. https://toml.io shows the format.",
        file,
        line,
        column,
        key: "",
      },
    };
  }
}

/** The text of a config file, which must be UTF-8. */
export function decode(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new JarvisError("OJ_CONFIG_SYNTAX", `${file} is not UTF-8 text.`, {
      cause,
      hint: "Save it again with the encoding UTF-8.",
    });
  }
}

/** The text of a config file, or nothing when there is none. */
export function readConfigText(file: string): string | undefined {
  const bytes = readOptionalFile(file, maxConfigBytes);
  return bytes === undefined ? undefined : decode(bytes, file);
}

async function checkText(
  text: string,
  file: string,
): Promise<{ tree: SettingTree; problems: ConfigProblem[] }> {
  const parsed = await parseToml(text, file);
  if ("problem" in parsed) return { tree: {}, problems: [parsed.problem] };
  const { checkSettings } = await import("./config-schema.js");
  const found = checkSettings(parsed.tree);
  if (found.length === 0) return { tree: parsed.tree as SettingTree, problems: [] };
  const { lineOfKey } = await import("./toml-scanner.js");
  const problems = found.map(({ code, path, message, hint }): ConfigProblem => {
    const line = lineOfKey(text, path);
    return { code, message: `${file}:${line}: ${message}`, hint, file, line, key: path.join(".") };
  });
  return { tree: {}, problems };
}

async function treeOfText(text: string, file: string): Promise<SettingTree> {
  const { tree, problems } = await checkText(text, file);
  const error = problemError(problems);
  if (error !== undefined) throw error;
  return tree;
}

async function treeOfOption(input: ConfigInput): Promise<SettingTree> {
  const { checkSettings } = await import("./config-schema.js");
  const tree: unknown = isTable(input) ? treeOfInput(input) : input;
  const [problem] = checkSettings(tree, toCamelCase);
  if (problem === undefined) return tree as SettingTree;
  throw new JarvisError(problem.code, `In the option \`config\`: ${problem.message}`, {
    hint: problem.hint,
    details: { key: problem.path.join(".") },
  });
}

function isIn(tree: SettingTree, path: readonly string[]): boolean {
  let value: unknown = tree;
  for (const part of path) {
    if (!isTable(value) || !Object.hasOwn(value, part)) return false;
    value = value[part];
  }
  return true;
}
