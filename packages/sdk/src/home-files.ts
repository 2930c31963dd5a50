import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { errorText, JarvisError } from "@openjarvis/core";

/**
 * The text of a file that may be missing.
 *
 * Throws `OJ_HOME` when the file or the folder it is in cannot be used, or when the file has more than `maxBytes`.
 */
export function readOptionalFile(file: string, maxBytes: number): Uint8Array | undefined {
  try {
    const { size } = statSync(file);
    if (size > maxBytes) throw new Error(`it has ${size} bytes; at most ${maxBytes} are read`);
    return readFileSync(file);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw homeError(file, "cannot be read", error);
  }
}

/**
 * Replaces a file at once: a reader sees the old or the new text, never a part. The file is 0600, a folder made for it
 * 0700. Throws `OJ_HOME` when that is not possible.
 */
export function writeFileAtomic(file: string, text: string): void {
  let temporary = "";
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A config that is a link into a folder of dotfiles must stay one.
    const target = realPathOf(file);
    temporary = `${target}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
    const handle = openSync(temporary, "wx", 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
  } catch (error) {
    if (temporary !== "") rmSync(temporary, { force: true });
    throw homeError(file, "cannot be written", error);
  }
}

/** The real path of a file or folder; the path itself when it does not exist. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return path;
    throw error;
  }
}

/** The `code` of an error of the operating system. */
export function errorCode(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "";
}

function homeError(file: string, what: string, cause: unknown): JarvisError {
  return new JarvisError("OJ_HOME", `${file} ${what}: ${reasonOf(file, cause)}.`, {
    cause,
    hint: `Check that ${dirname(file)} is a folder you may read and write, or set OPENJARVIS_HOME to another.`,
    details: { file, folder: dirname(file) },
  });
}

function reasonOf(file: string, cause: unknown): string {
  const reasons: Readonly<Record<string, string>> = {
    ENOTDIR: `${dirname(file)} is not a folder`,
    EEXIST: `${dirname(file)} is not a folder`,
    EISDIR: "it is a folder",
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    ELOOP: "it is a chain of links without an end",
  };
  return reasons[errorCode(cause)] ?? errorText(cause);
}
