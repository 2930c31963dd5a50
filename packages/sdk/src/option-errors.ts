import { isJarvisError, JarvisError } from "@openjarvis/core";
import { givenInCode } from "./config.js";
import type { LoadedConfig } from "./config-types.js";
import { toSnakeCase } from "./spelling.js";

/**
 * The refusal of an option that came from the config, told in the config's words: its file and line, and keys in
 * snake_case. Nothing when the error is about something else.
 *
 * @param section the option table (`engine`, `ollama`)
 * @param explicit options of the program, which went before the config's
 */
export function asConfigError(
  error: unknown,
  loaded: LoadedConfig,
  section: readonly [kind: "engine" | "agent", id: string],
  explicit: object = {},
): JarvisError | undefined {
  if (!isJarvisError(error, "OJ_OPTION")) return undefined;
  const [kind, id] = section;
  const keys = Object.keys(loaded.config[kind].options[id] ?? {}).filter(
    (key) => !Object.hasOwn(explicit, key),
  );
  const unknown = typeof error.details.option === "string" ? error.details.option : undefined;
  const mentioned = keys.find((key) => words(error.message).includes(key));
  const key = unknown ?? mentioned ?? keys.find((candidate) => words(error.hint).includes(candidate));
  if (key === undefined || !keys.includes(key)) return undefined;
  const path = [...section, toSnakeCase(key)];
  const place = loaded.locate(...path);
  const spell = place === givenInCode ? (text: string) => text : inSnakeCase;
  return new JarvisError(
    unknown === undefined ? "OJ_CONFIG_VALUE" : "OJ_CONFIG_KEY",
    `${place}: [${section.join(".")}] ${spell(error.message)}`,
    { cause: error, hint: spell(error.hint), details: { key: path.join(".") } },
  );
}

/** The same error with the place in the config before its message, for names that stand there. */
export function placed(error: unknown, place: string): unknown {
  if (!isJarvisError(error)) return error;
  const { code, message, hint, details } = error;
  return new JarvisError(code, `${place}: ${message}`, { cause: error, hint, details });
}

function words(text: string): string[] {
  return text.split(/[^A-Za-z0-9_$]+/);
}

function inSnakeCase(text: string): string {
  return text.replace(/\b[a-z][a-z0-9]*(?:[A-Z][a-z0-9]*)+\b/g, toSnakeCase);
}
