import { existsSync, readFileSync } from "node:fs";
import { errorText, JarvisError } from "@openjarvis/core";
import {
  configFile,
  configKeys,
  getConfigValue,
  loadConfig,
  setConfigValue,
  validateConfigText,
} from "@openjarvis/sdk";
import type { Command, CommandContext } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { pathFrom, sdkOptions } from "../sdk-options.js";
import { printTable } from "../table.js";

/** Prints what is set, and where. */
export const showConfig: Command<{ json?: boolean }> = async (context, { json }) => {
  const { terminal } = context;
  const loaded = await loadConfig(configOptions(context));
  if (json === true) {
    terminal.print(
      JSON.stringify({ path: loaded.path, exists: loaded.exists, set: loaded.set }, undefined, 2),
    );
    return exitCodes.ok;
  }
  terminal.note(loaded.exists ? loaded.path : `${loaded.path} does not exist; every default holds.`, "dim");
  const rows = Object.entries(loaded.set).map(([key, value]) => [key, textOf(value)]);
  if (rows.length > 0) printTable(terminal, [["KEY", "VALUE"], ...rows]);
  else if (loaded.exists) terminal.note("Nothing is set in it.");
  return exitCodes.ok;
};

/** Prints one value; fails when the key is not set. */
export const getConfig: Command<{ key: string; json?: boolean }> = async (context, { key, json }) => {
  const { path } = configFile(configOptions(context));
  const value = await getConfigValue(path, key);
  if (value === undefined) {
    const about = configKeys().find((entry) => entry.key === key)?.description;
    throw new JarvisError("OJ_CONFIG_KEY", `${key} is not set.`, {
      hint: `${about === undefined ? "" : `${about} `}Set it with: ${context.distribution.name} config set ${key} VALUE`,
    });
  }
  context.terminal.print(json === true ? JSON.stringify(value, undefined, 2) : textOf(value));
  return exitCodes.ok;
};

/** Sets one value. */
export const setConfig: Command<{ key: string; value: string }> = async (context, { key, value }) => {
  const { path } = configFile(configOptions(context));
  await setConfigValue(path, key, value);
  context.terminal.note(`${key} = ${textOf(await getConfigValue(path, key))} in ${path}`);
  return exitCodes.ok;
};

/** Prints where the configuration is, or would be. */
export const configPath: Command<object> = async (context) => {
  context.terminal.print(configFile(configOptions(context)).path);
  return exitCodes.ok;
};

/** Reports every problem of a configuration file. */
export const validateConfig: Command<{ file?: string | undefined; json?: boolean }> = async (
  context,
  { file, json },
) => {
  const { terminal, io } = context;
  const path = file === undefined ? configFile(configOptions(context)).path : pathFrom(io.cwd, file);
  const text = readConfig(path, file === undefined && context.options.config === undefined);
  const problems = text === undefined ? [] : await validateConfigText(text, path);
  if (json === true) {
    const items = problems.map(({ code, message, hint, line, column, key }) => ({
      code,
      message,
      hint,
      ...(line === undefined ? {} : { line }),
      ...(column === undefined ? {} : { column }),
      ...(key === undefined || key === "" ? {} : { key }),
    }));
    terminal.print(JSON.stringify({ path, exists: text !== undefined, problems: items }, undefined, 2));
  } else if (text === undefined) {
    terminal.print(`${path} does not exist; every default holds.`);
  } else if (problems.length === 0) {
    terminal.print(`${path} is valid.`);
  } else {
    for (const { code, message, hint } of problems) {
      terminal.noteStyled(`${terminal.noteStyle("red", code)}  ${terminal.clean(message)}`);
      terminal.note(`  ${hint}`);
    }
  }
  return problems.length === 0 ? exitCodes.ok : exitCodes.failed;
};

/** The text of a file; nothing when it may be missing and is. */
function readConfig(path: string, mayBeMissing: boolean): string | undefined {
  if (mayBeMissing && !existsSync(path)) return undefined;
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new JarvisError("OJ_OPTION", `${path} cannot be read: ${errorText(error)}`, {
      cause: error,
      hint: "Check the path.",
    });
  }
}

function configOptions(context: CommandContext): { env: NodeJS.ProcessEnv; configPath: string | undefined } {
  const { env, configPath } = sdkOptions(context);
  return { env, configPath };
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(", ");
  return JSON.stringify(value) ?? "";
}
