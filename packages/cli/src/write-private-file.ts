import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { errorText, JarvisError } from "@openjarvis/core";

/** Writes a file only its owner can read, at once: a reader sees the old text or the new one. Makes the folder. */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new JarvisError("OJ_HOME", `${path} cannot be written: ${errorText(error)}`, { cause: error });
  }
}
