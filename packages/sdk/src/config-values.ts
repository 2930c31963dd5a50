import type { ConfigValue } from "./config-types.js";

/**
 * The value of a key as the file has it; `undefined` when the file or the key is missing.
 *
 * @param key with its section, `intelligence.temperature`; a name with a dot in it stands in quotes
 */
export async function getConfigValue(file: string, key: string): Promise<unknown> {
  const { readValue } = await import("./config-edit.js");
  return readValue(file, key);
}

/**
 * Sets a key in a config file and leaves the rest of the text as it is: comments, order and spelling. `undefined`
 * removes the key. A text given for a key that takes something else is read as that (`"0.2"`, `"true"`, `"a, b"`).
 * Makes the file, and the folder it is in, when they are missing; replaces the file at once, with mode 0600.
 *
 * Throws `OJ_CONFIG_KEY` for a key that does not exist, `OJ_CONFIG_VALUE` for a value it does not take,
 * `OJ_CONFIG_SYNTAX` when the file is malformed already, and `OJ_HOME` when it cannot be written.
 */
export async function setConfigValue(
  file: string,
  key: string,
  value: ConfigValue | undefined,
): Promise<void> {
  const { writeValue } = await import("./config-edit.js");
  return writeValue(file, key, value);
}
