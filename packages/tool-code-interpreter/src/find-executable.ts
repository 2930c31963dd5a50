import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { JarvisError } from "@openjarvis/core";

/** The path of a program; one without an environment cannot be looked up by the system. Throws `OJ_TOOL_FAILED`. */
export async function findExecutable(command: string): Promise<string> {
  const isPath = isAbsolute(command) || /[\\/]/.test(command);
  const folders = (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const suffixes = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  const candidates = isPath
    ? [resolve(command)]
    : folders.flatMap((folder) => suffixes.map((suffix) => join(folder, command + suffix)));
  for (const candidate of candidates) {
    const found = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return candidate;
  }
  throw new JarvisError(
    "OJ_TOOL_FAILED",
    `The program "${command}" was not found, so the code was not run.`,
    {
      hint: "Install it, give its path as `command`, or use the runner `sandbox`.",
    },
  );
}
