import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { JarvisError } from "@openjarvis/core";

/** Bytes of a file that are read at a time. */
const stepBytes = 65_536;

/**
 * The text of a regular file, without a byte order mark.
 *
 * Throws `OJ_TOOL_FAILED` for what is no regular file, is larger than `maxBytes`, or is not UTF-8. What is counted are
 * the bytes that were read, since the size of a growing or special file says nothing.
 *
 * @param path a real path: it is not followed when it has become a link
 */
export async function readText(
  path: string,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<{ text: string; sizeBytes: number }> {
  // Without O_NONBLOCK the opening of a pipe waits for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) {
      throw failure(`Not a regular file: ${path}`, "Only files with text in them can be read.");
    }
    if (facts.size > maxBytes) throw tooLarge(path, facts.size, maxBytes);
    const bytes = await readBytes(file, { path, maxBytes, signal });
    return { text: decode(bytes, path), sizeBytes: bytes.length };
  } finally {
    await file.close();
  }
}

async function readBytes(
  file: FileHandle,
  { path, maxBytes, signal }: { path: string; maxBytes: number; signal: AbortSignal },
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let total = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead, buffer } = await file.read(Buffer.alloc(stepBytes), 0, stepBytes, null);
    if (bytesRead === 0) return Buffer.concat(parts, total);
    parts.push(buffer.subarray(0, bytesRead));
    total += bytesRead;
    if (total > maxBytes) throw tooLarge(path, total, maxBytes);
  }
}

function decode(bytes: Buffer, path: string): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw failure(`Not UTF-8: ${path} is UTF-16 text.`, "Save it as UTF-8 to have it read.");
  }
  if (bytes.includes(0)) throw failure(`Not UTF-8: ${path} is a binary file.`, "Only text can be read.");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const hint = "Save it as UTF-8 to have it read.";
    throw new JarvisError("OJ_TOOL_FAILED", `Not UTF-8: ${path} is in another encoding, or binary. ${hint}`, {
      cause,
      hint,
    });
  }
}

function tooLarge(path: string, size: number, maxBytes: number): JarvisError {
  return failure(
    `The file is too large: ${path} has ${size} bytes or more; at most ${maxBytes} are read.`,
    "Use a smaller file.",
  );
}

function failure(message: string, hint: string): JarvisError {
  return new JarvisError("OJ_TOOL_FAILED", message, { hint });
}
