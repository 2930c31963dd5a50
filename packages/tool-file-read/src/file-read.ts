import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import {
  BaseTool,
  errorText,
  isJarvisError,
  JarvisError,
  type ToolContext,
  type ToolSpec,
} from "@openjarvis/core";
import { linesOf } from "./lines.js";
import { readText } from "./read-text.js";
import { isSensitive } from "./sensitive.js";

/** Largest file that is read, in bytes. */
const maxBytes = 1_048_576;
/** Longest path that is looked at, in characters. */
const maxPath = 4_096;

/** Options of a {@link FileReadTool}. Other keys of the composition root are ignored. */
export interface FileReadToolOptions {
  /** Folders whose files may be read. @default every folder; `[]` allows none */
  allowedDirs?: readonly string[] | undefined;
}

const parameters = {
  type: "object",
  properties: {
    path: { type: "string", minLength: 1, maxLength: maxPath, description: "Path to the file to read" },
    max_lines: { type: "integer", minimum: 1, description: "Maximum lines to return (default: all)" },
    offset: { type: "integer", minimum: 1, description: "Number of the first line to return (default: 1)" },
  },
  required: ["path"],
} as const;

interface FileReadParameters {
  path: string;
  max_lines?: number;
  offset?: number;
}

/**
 * The tool `file_read`: the text of a file of at most 1 MiB, in UTF-8.
 *
 * What is checked, in this order: the real path, links followed; that it is inside an allowed folder; that neither it
 * nor the given path commonly holds secrets; that it is a regular file; its size; its encoding. A file outside the
 * allowed folders is refused in the same words whether it exists or not.
 *
 * @example
 * const tool = new FileReadTool({ allowedDirs: ["./docs"] });
 * (await tool.execute({ path: "./docs/house.md", max_lines: 10 })).content;
 */
export class FileReadTool extends BaseTool {
  readonly toolId = "file_read";
  readonly #allowedDirs: readonly string[] | undefined;

  constructor({ allowedDirs }: FileReadToolOptions = {}) {
    super();
    this.#allowedDirs = allowedDirs?.map((dir) => absolute(dir));
  }

  get spec(): ToolSpec {
    return {
      name: "file_read",
      description:
        "Read the text of a file. Files with secrets, binary files and files above 1 MB are refused.",
      parameters,
      category: "filesystem",
      costEstimate: 0,
    };
  }

  protected override async run(
    { path, max_lines: maxLines, offset = 1 }: FileReadParameters,
    { signal }: ToolContext,
  ): Promise<{ content: string; metadata: Record<string, unknown> }> {
    if (path.includes("\0")) throw denied("The path has a NUL character in it.");
    const given = absolute(path);
    const real = await this.#realPath(given);
    if (isSensitive(real) || isSensitive(given)) {
      throw denied(`Access denied: ${given} is sensitive; files like it commonly hold secrets.`);
    }
    const { text, sizeBytes } = await read(real, signal);
    const { text: content, total, first, last } = linesOf(text, offset, maxLines);
    if (offset > 1 && first === 0) {
      throw new JarvisError(
        "OJ_TOOL_FAILED",
        `The file has ${total} lines; line ${offset} is after its end.`,
      );
    }
    const metadata = { path: real, size_bytes: sizeBytes, total_lines: total };
    if (first <= 1 && last === total) return { content, metadata };
    const note = `[Lines ${first} to ${last} of ${total}.${last < total ? ` Go on with offset ${last + 1}.` : ""}]`;
    return { content: `${content}\n${note}`, metadata: { ...metadata, first_line: first, last_line: last } };
  }

  /** The path with its links followed. Outside the allowed folders nothing says whether there is a file. */
  async #realPath(given: string): Promise<string> {
    const real = await realpath(given).catch((error: unknown) => error);
    if (this.#allowedDirs !== undefined) {
      const dirs = await Promise.all(this.#allowedDirs.map((dir) => realpath(dir).catch(() => dir)));
      // What is missing has no real path; where it would be is what is left of it that exists.
      const place = typeof real === "string" ? real : await nearestReal(given);
      if (!dirs.some((dir) => isInside(dir, place))) {
        throw denied(`Access denied: ${given} is not inside a folder that may be read.`);
      }
    }
    if (typeof real === "string") return real;
    throw notRead(given, real);
  }
}

async function read(path: string, signal: AbortSignal): Promise<{ text: string; sizeBytes: number }> {
  try {
    return await readText(path, { maxBytes, signal });
  } catch (error) {
    throw isJarvisError(error) || signal.aborted ? error : notRead(path, error);
  }
}

/** The real path of the deepest folder above a path that exists, with the rest put after it. */
async function nearestReal(path: string): Promise<string> {
  let rest = "";
  for (let at = path; ; ) {
    const found = await realpath(at).catch(() => undefined);
    if (found !== undefined) return join(found, rest);
    const parent = resolve(at, "..");
    if (parent === at) return path;
    rest = join(relative(parent, at), rest);
    at = parent;
  }
}

function isInside(dir: string, path: string): boolean {
  const way = relative(dir, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function absolute(path: string): string {
  return resolve(/^~(?=$|[\\/])/.test(path) ? join(homedir(), path.slice(1)) : path);
}

function denied(message: string): JarvisError {
  return new JarvisError("OJ_TOOL_FAILED", message, {
    hint: "Choose another file, or have its folder allowed: --allow-dir, or tools.allowed_dirs of the config.",
  });
}

function notRead(path: string, cause: unknown): JarvisError {
  const code = (cause as { code?: unknown } | null)?.code;
  const why: Readonly<Record<string, string>> = {
    ENOENT: `File not found: ${path}`,
    ENOTDIR: `File not found: ${path}; a part of its path is a file.`,
    EACCES: `Access denied: ${path} may not be read by this user.`,
    EPERM: `Access denied: ${path} may not be read by this user.`,
    ELOOP: `The file was not read: ${path} is a link that leads in a circle, or became one.`,
    ENXIO: `Not a regular file: ${path}`,
    ENAMETOOLONG: "The file was not read: its path is too long.",
  };
  const message = why[String(code)] ?? `The file was not read: ${errorText(cause)}`;
  return new JarvisError("OJ_TOOL_FAILED", message, { cause });
}
