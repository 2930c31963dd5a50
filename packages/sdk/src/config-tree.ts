import type { Config, ConfigInput, OptionTable } from "./config-types.js";
import { cleanNames, toCamelCase, toSnakeCase } from "./spelling.js";

/** Settings in the shape of the file: sections of snake_case keys. */
export type SettingTree = Record<string, Record<string, unknown>>;

/** The settings of the `config` option in the shape of the file, so that both are checked by the same rules. */
export function treeOfInput(input: ConfigInput): SettingTree {
  const tree: SettingTree = {};
  for (const [section, values] of Object.entries(input)) {
    if (values === undefined) continue;
    // What is no table stays as it is; the check reports it.
    tree[section] = isTable(values) ? treeOfSection(section, values) : (values as never);
  }
  return tree;
}

function treeOfSection(section: string, values: Record<string, unknown>): Record<string, unknown> {
  const table: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const isOptions = key === "options" && (section === "engine" || section === "agent") && isTable(value);
    if (!isOptions) {
      define(table, toSnakeCase(key), value);
      continue;
    }
    for (const [id, options] of Object.entries(value)) {
      if (options !== undefined)
        define(table, id, isTable(options) ? renamed(options, toSnakeCase) : options);
    }
  }
  return table;
}

/** One tree over another: values replace, the option tables of engines and agents and `plugins.prefer` are merged. */
export function mergeTrees(below: SettingTree, above: SettingTree): SettingTree {
  const merged: SettingTree = { ...below };
  for (const [section, values] of Object.entries(above)) {
    const table: Record<string, unknown> = { ...merged[section] };
    for (const [key, value] of Object.entries(values)) {
      const before = Object.hasOwn(table, key) ? table[key] : undefined;
      define(table, key, isTable(before) && isTable(value) ? { ...before, ...value } : value);
    }
    merged[section] = table;
  }
  return merged;
}

/** The config of a tree that was checked. Frozen in depth. */
export function configOf(tree: SettingTree): Config {
  const { engine = {}, intelligence = {}, agent = {}, tools = {}, plugins = {} } = tree;
  const config = {
    engine: { ...pick(engine, "default"), options: optionTables(engine, ["default"], false) },
    intelligence: pick(intelligence, "default_model", "temperature", "max_tokens"),
    agent: {
      ...pick(agent, "default_agent", "max_turns", "system_prompt"),
      ...pickNames(agent, "tools"),
      options: optionTables(agent, agentKeys, true),
    },
    tools: {
      ...pickNames(tools, "enabled"),
      ...pick(tools, "timeout_seconds"),
      alwaysConfirm: namesOf(tools.always_confirm),
      allowedDirs: namesOf(tools.allowed_dirs),
    },
    plugins: { disabled: namesOf(plugins.disabled), prefer: { ...(plugins.prefer as object | undefined) } },
  };
  return deepFreeze(config) as Config;
}

const agentKeys = ["default_agent", "max_turns", "tools", "system_prompt"];

/** What is set, by dotted key, with option tables key by key. */
export function flatten(tree: SettingTree): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [section, values] of Object.entries(tree)) {
    for (const [key, value] of Object.entries(values)) {
      if (!isTable(value)) define(flat, `${section}.${key}`, value);
      else for (const [name, item] of Object.entries(value)) define(flat, `${section}.${key}.${name}`, item);
    }
  }
  return flat;
}

/** Whether a value is an object of keys: no list, no date. */
export function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function optionTables(
  section: Record<string, unknown>,
  fixed: readonly string[],
  deep: boolean,
): OptionTable {
  const tables: Record<string, unknown> = {};
  for (const [id, table] of Object.entries(section)) {
    if (fixed.includes(id) || !isTable(table)) continue;
    const rename = (value: unknown): unknown =>
      deep && isTable(value) ? renamed(value, toCamelCase) : value;
    define(tables, id, renamed(table, toCamelCase, rename));
  }
  return tables;
}

function renamed(
  table: Record<string, unknown>,
  rename: (name: string) => string,
  convert: (value: unknown) => unknown = (value) => value,
): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(table)) define(result, rename(key), convert(value));
  return result;
}

function pick(table: Record<string, unknown>, ...keys: string[]): Record<string, unknown> {
  return Object.fromEntries(
    keys.filter((key) => table[key] !== undefined).map((key) => [toCamelCase(key), table[key]]),
  );
}

function pickNames(table: Record<string, unknown>, key: string): Record<string, readonly string[]> {
  return table[key] === undefined ? {} : { [key]: namesOf(table[key]) };
}

function namesOf(value: unknown): string[] {
  if (typeof value === "string") return cleanNames(value.split(","));
  return Array.isArray(value) ? cleanNames(value as string[]) : [];
}

/** Sets a key even when it is called `__proto__`, which an assignment would not. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}

function deepFreeze(value: unknown): unknown {
  if (typeof value !== "object" || value === null || value instanceof Date || Object.isFrozen(value))
    return value;
  for (const item of Object.values(value)) deepFreeze(item);
  return Object.freeze(value);
}
