import { nearestName } from "@openjarvis/core";
import * as z from "zod/mini";
import { acceptedBy, type ConfigKey, configKeys, findConfigKey } from "./config-keys.js";
import { toSnakeCase } from "./spelling.js";

/** Something wrong in a tree of settings, before a file and a line are put to it. */
export interface SettingProblem {
  code: "OJ_CONFIG_KEY" | "OJ_CONFIG_VALUE";
  path: readonly string[];
  message: string;
  hint: string;
}

/**
 * What is wrong with settings in the shape of the file: sections of snake_case keys.
 *
 * @param spell how the reader of the messages writes a key
 */
export function checkSettings(settings: unknown, spell: Spelling = (name) => name): SettingProblem[] {
  const outcome = rootSchema.safeParse(settings);
  const issues = outcome.success ? [] : outcome.error.issues;
  return [...issues.flatMap((issue) => problemsOf(settings, issue, spell)), ...checkTables(settings)];
}

/** A shown value, on one line and short. */
export function showValue(value: unknown): string {
  const isPlain = typeof value === "number" || typeof value === "bigint";
  const text =
    value instanceof Date
      ? value.toISOString()
      : isPlain
        ? String(value)
        : (JSON.stringify(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}…` : text;
}

type Spelling = (name: string) => string;
type Schema = z.ZodMiniType;

function schemaOf(key: ConfigKey): Schema {
  switch (key.type) {
    case "text":
      return z.string().check(z.minLength(key.allowEmpty === true ? 0 : 1));
    case "number":
      return z.number().check(z.minimum(key.min ?? 0), z.maximum(key.max ?? Number.MAX_VALUE));
    case "integer":
      return z.int().check(z.minimum(key.min ?? 0));
    case "list":
      return z.union([z.string(), z.array(z.string())]);
    case "map":
      return z.record(z.string(), z.string().check(z.minLength(1)));
    case "table":
      return z.record(z.string(), z.unknown());
  }
}

function buildRoot(): Schema {
  const sections = new Map<string, { shape: Record<string, Schema>; rest: Schema | undefined }>();
  for (const key of configKeys()) {
    const [name = "", leaf = ""] = key.key.split(".");
    const section = sections.get(name) ?? { shape: {}, rest: undefined };
    if (leaf === "<id>") section.rest = schemaOf(key);
    else section.shape[leaf] = z.optional(schemaOf(key));
    sections.set(name, section);
  }
  const root: Record<string, Schema> = {};
  for (const [name, { shape, rest }] of sections) {
    root[name] = z.optional(rest === undefined ? z.strictObject(shape) : z.catchall(z.object(shape), rest));
  }
  return z.strictObject(root);
}

const rootSchema = buildRoot();

function problemsOf(settings: unknown, issue: z.core.$ZodIssue, spell: Spelling): SettingProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey([...path, key], spell));
  const settingPath = path.slice(0, 2);
  const value = settingPath.reduce<unknown>((tree, part) => memberOf(tree, part), settings);
  const key = settingPath.length === 2 ? findConfigKey(settingPath) : undefined;
  if (settingPath.length === 0) return [wrongValue(path, value, "a table of sections")];
  if (settingPath.length === 1) return [wrongValue(settingPath, value, "a table")];
  if (key === undefined || key.type === "table") return [unknownKey(settingPath, spell)];
  return [wrongValue(settingPath, value, acceptedBy(key), spell)];
}

/** The option tables of engines and agents: the owner checks the options, but how a key is written is the file's. */
function checkTables(settings: unknown): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const section of ["engine", "agent"]) {
    for (const [id, table] of Object.entries(asTable(memberOf(settings, section)))) {
      if (findConfigKey([section, id])?.type !== "table") continue;
      for (const [key, value] of Object.entries(asTable(table))) {
        const path = [section, id, key];
        if (section === "agent" && reservedOptions.includes(key)) {
          problems.push(
            problem("OJ_CONFIG_KEY", path, `"${key}" cannot be set for one agent.`, reservedHint),
          );
        } else if (/[A-Z]/.test(key)) {
          const hint = `Write it as ${toSnakeCase(key)}.`;
          problems.push(problem("OJ_CONFIG_KEY", path, `the key "${key}" has capital letters.`, hint));
        } else if (value instanceof Date) {
          problems.push(wrongValue(path, value, "a text, a number, a list, a table, true or false"));
        }
      }
    }
  }
  return problems;
}

const reservedOptions = ["engine", "model", "bus", "tools", "confirm", "policy", "configured", "sandbox"];
const reservedHint =
  "It is chosen for each ask; defaults are in [engine], [intelligence], [agent] and [tools].";

function unknownKey(path: readonly string[], spell: Spelling): SettingProblem {
  const name = spell(path.at(-1) ?? "");
  const section = path.slice(0, -1);
  const known = namesIn(section).map(spell);
  const nearest = nearestName(name, known);
  const what =
    section.length === 0 ? `there is no section "${name}"` : `[${section.join(".")}] has no key "${name}"`;
  const suggestion = nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
  return problem("OJ_CONFIG_KEY", path, `${what}.${suggestion}`, `It may have: ${known.join(", ")}.`);
}

function namesIn(section: readonly string[]): string[] {
  const parts = configKeys().map(({ key }) => key.split("."));
  if (section.length === 0) return [...new Set(parts.map(([name = ""]) => name))];
  return parts.filter(([name]) => name === section[0]).map(([, leaf = ""]) => leaf);
}

function wrongValue(
  path: readonly string[],
  value: unknown,
  accepted: string,
  spell: Spelling = (name) => name,
): SettingProblem {
  const name = path.length === 0 ? "the config" : path.map(spell).join(".");
  const message = `${name} is ${showValue(value)}; it must be ${accepted}.`;
  return problem("OJ_CONFIG_VALUE", path, message, `${name} takes ${accepted}.`);
}

function problem(
  code: SettingProblem["code"],
  path: readonly string[],
  message: string,
  hint: string,
): SettingProblem {
  return { code, path, message, hint };
}

function memberOf(tree: unknown, name: string): unknown {
  return Object.hasOwn(asTable(tree), name) ? asTable(tree)[name] : undefined;
}

function asTable(value: unknown): Record<string, unknown> {
  const isTable =
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
  return isTable ? (value as Record<string, unknown>) : {};
}
