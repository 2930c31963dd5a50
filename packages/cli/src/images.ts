import { readFileSync, statSync } from "node:fs";
import { errorText } from "@openjarvis/core";
import { usageError } from "./failure.js";
import { pathFrom } from "./sdk-options.js";

const maxImageBytes = 20 * 1024 * 1024;

/** First bytes of the formats that vision models read, as hexadecimal digits. */
const signatures: readonly (readonly [format: string, start: RegExp])[] = [
  ["PNG", /^89504e470d0a1a0a/],
  ["JPEG", /^ffd8ff/],
  ["GIF", /^47494638(37|39)61/],
  ["WebP", /^52494646.{8}57454250/],
];

/** Reads image files as base64. Throws `OJ_USAGE` for a file that is missing, too big or no image. */
export function readImages(files: readonly string[], cwd: string): string[] {
  return files.map((file) => {
    const bytes = read(file, pathFrom(cwd, file));
    const start = bytes.subarray(0, 16).toString("hex");
    if (signatures.some(([, pattern]) => pattern.test(start))) return bytes.toString("base64");
    const formats = signatures.map(([format]) => format).join(", ");
    throw usageError(`${file} is no image that can be sent.`, `These are read: ${formats}.`);
  });
}

function read(file: string, path: string): Buffer {
  try {
    const { size } = statSync(path);
    if (size <= maxImageBytes) return readFileSync(path);
    throw new Error(`it has ${Math.ceil(size / 1024 / 1024)} MB, and at most 20 are sent`);
  } catch (error) {
    throw usageError(
      `The image ${file} cannot be used: ${errorText(error)}.`,
      "Check the path after --image.",
    );
  }
}
