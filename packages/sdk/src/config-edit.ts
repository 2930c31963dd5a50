import { isDeepStrictEqual } from "node:util";
import { didYouMean, JarvisError } from "@openjarvis/core";
import { parseToml, problemError, readConfigText } from "./config.js";
import { acceptedBy, type ConfigKey, configKeys, findConfigKey } from "./config-keys.js";
import { isTable } from "./config-tree.js";
import type { ConfigValue } from "./config-types.js";
import { writeFileAtomic } from "./home-files.js";
import { setInToml, toTomlValue } from "./toml-edit.js";
import { parseKey } from "./toml-scanner.js";

/** See `getConfigValue` in config-values.ts, which loads this file when it is needed. */
export async function readValue(file: string, key: string): Promise<unknown> {
  const path = keyPath(key, "read");
  const text = readConfigText(file);
  if (text === undefined) return undefined;
  const parsed = await parseToml(text, file);
  if ("tree" in parsed) return valueAt(parsed.tree, path);
  throw await syntaxError(text, file);
}

/** See `setConfigValue` in config-values.ts. */
export async function writeValue(file: string, key: string, value: ConfigValue | undefined): Promise<void> {
  const path = keyPath(key, "set");
  const entry = findConfigKey(path);
  const wanted = entry === undefined || value === undefined ? value : coerce(entry, value);
  if (wanted !== undefined) await checkValue(path, wanted, file);
  const literal = wanted === undefined ? undefined : toTomlValue(wanted);
  // Loaded before the file is read: from there on nothing waits, so that two edits of one process cannot cross.
  const { parse } = await import("smol-toml");
  const text = readConfigText(file) ?? "";
  const before = attempt(parse, text);
  if (before === undefined) throw await syntaxError(text, file);
  const edited = setInToml(text, path, literal);
  if (!isDeepStrictEqual(pruned(attempt(parse, edited)), pruned(withValue(before, path, wanted)))) {
    throw new JarvisError(
      "OJ_CONFIG_SYNTAX",
      `${key} cannot be set in ${file} without rewriting other lines.`,
      {
        hint: "Change the file in an editor.",
      },
    );
  }
  if (edited !== text) writeFileAtomic(file, edited);
}

function keyPath(key: string, purpose: "read" | "set"): string[] {
  const path = parseKey(key);
  const entry = path.length < 2 ? undefined : findConfigKey(path);
  const isSection = entry?.type === "table" || entry?.type === "map";
  if (entry !== undefined && (path.length === 2 ? !isSection || purpose === "read" : isSection)) return path;
  const known = configKeys().map((candidate) => candidate.key);
  const suggestion = didYouMean(
    key,
    known.filter((name) => name !== key),
  );
  if (isSection && suggestion === "") {
    throw new JarvisError("OJ_CONFIG_KEY", `"${key}" is a section of config.toml, no key.`, {
      hint: `Name a key in it, such as ${key}.<name>.`,
    });
  }
  throw new JarvisError("OJ_CONFIG_KEY", `config.toml has no key "${key}".${suggestion}`, {
    hint: `It has: ${known.join(", ")}.`,
  });
}

/** A text from a command line as what the key takes. */
function coerce(entry: ConfigKey, value: ConfigValue): ConfigValue {
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (entry.type === "number" || entry.type === "integer") return isNumber(text) ? Number(text) : value;
  if (entry.type !== "table") return value;
  if (text === "true" || text === "false") return text === "true";
  return isNumber(text) ? Number(text) : value;
}

function isNumber(text: string): boolean {
  return /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text));
}

async function checkValue(path: readonly string[], value: ConfigValue, file: string): Promise<void> {
  const { checkSettings } = await import("./config-schema.js");
  const settings = withValue({}, path, value);
  const [problem] = checkSettings(settings);
  if (problem === undefined) return;
  const entry = findConfigKey(path);
  const hint =
    entry === undefined ? problem.hint : `${entry.key} takes ${acceptedBy(entry)}. ${entry.description}`;
  throw new JarvisError(problem.code, problem.message, { hint, details: { file, key: path.join(".") } });
}

async function syntaxError(text: string, file: string): Promise<JarvisError> {
  const parsed = await parseToml(text, file);
  const error = "problem" in parsed ? problemError([parsed.problem]) : undefined;
  return error ?? new JarvisError("OJ_INTERNAL", `${file} is valid TOML and yet cannot be read.`);
}

function attempt(
  parse: (text: string) => Record<string, unknown>,
  text: string,
): Record<string, unknown> | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A tree without empty tables, which mean the same as missing ones. */
function pruned(value: unknown): unknown {
  if (!isTable(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, pruned(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isTable(item) || Object.keys(item).length > 0));
}

function valueAt(tree: unknown, path: readonly string[]): unknown {
  let value = tree;
  for (const part of path) {
    if (!isTable(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** A copy of a tree with one value set, or removed. */
function withValue(
  tree: Record<string, unknown>,
  [name = "", ...rest]: readonly string[],
  value: ConfigValue | undefined,
): Record<string, unknown> {
  const copy = { ...tree };
  if (rest.length > 0) {
    const below = Object.hasOwn(copy, name) ? copy[name] : undefined;
    if (value === undefined && !isTable(below)) return copy;
    return { ...copy, [name]: withValue(isTable(below) ? below : {}, rest, value) };
  }
  delete copy[name];
  return value === undefined ? copy : { ...copy, [name]: value };
}
