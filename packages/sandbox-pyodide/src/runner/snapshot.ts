import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * The file of a memory snapshot: a header of 1,024 bytes (JSON, padded with spaces), then those pages of the snapshot,
 * as Pyodide makes it, that are not empty; half of them are. Reading checks the key, the sizes and the hash: a file that
 * is cut, changed or of another version is as good as none.
 */
const headerBytes = 1_024;
const pageBytes = 65_536;
/** Pages that fit into the header's list: 128 MiB. */
const maxPages = 2_048;

interface Header {
  key: string;
  /** Bytes of the whole snapshot. */
  bytes: number;
  /** One bit for each page, as Base64: whether it is in the file. */
  pages: string;
  sha256: string;
}

/** The parts of a snapshot's file. */
export function packSnapshot(key: string, snapshot: Uint8Array): { header: Buffer; memory: Buffer } {
  const count = Math.ceil(snapshot.byteLength / pageBytes);
  if (count > maxPages) throw new RangeError(`a snapshot of ${snapshot.byteLength} bytes is too large`);
  const bits = Buffer.alloc(Math.ceil(count / 8));
  const kept: Uint8Array[] = [];
  for (let page = 0; page < count; page += 1) {
    const bytes = snapshot.subarray(page * pageBytes, (page + 1) * pageBytes);
    if (bytes.every((byte) => byte === 0)) continue;
    bits[page >> 3] = (bits[page >> 3] ?? 0) | (1 << (page & 7));
    kept.push(bytes);
  }
  const memory = Buffer.concat(kept);
  const header: Header = {
    key,
    bytes: snapshot.byteLength,
    pages: bits.toString("base64"),
    sha256: hashOf(memory),
  };
  return { header: Buffer.from(JSON.stringify(header).padEnd(headerBytes), "utf8"), memory };
}

/** The snapshot in a file, or why there is none. */
export function readSnapshot(file: string, key: string): Uint8Array | "missing" | "invalid" {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? "missing" : "invalid";
  }
  const header = readHeader(bytes.toString("utf8", 0, headerBytes));
  const memory = bytes.subarray(headerBytes);
  if (header === undefined || header.key !== key || header.sha256 !== hashOf(memory)) return "invalid";
  return unpack(header, memory) ?? "invalid";
}

function unpack({ bytes, pages }: Header, memory: Buffer): Uint8Array | undefined {
  const bits = Buffer.from(pages, "base64");
  const snapshot = new Uint8Array(bytes);
  let at = 0;
  for (let start = 0, page = 0; start < bytes; start += pageBytes, page += 1) {
    if (((bits[page >> 3] ?? 0) & (1 << (page & 7))) === 0) continue;
    const length = Math.min(pageBytes, bytes - start);
    if (at + length > memory.length) return undefined;
    snapshot.set(memory.subarray(at, at + length), start);
    at += length;
  }
  return at === memory.length ? snapshot : undefined;
}

function readHeader(text: string): Header | undefined {
  try {
    const { key, bytes, pages, sha256 } = (JSON.parse(text) ?? {}) as Partial<Header>;
    const texts = typeof key === "string" && typeof pages === "string" && typeof sha256 === "string";
    if (!texts || typeof bytes !== "number" || !(bytes > 0 && bytes <= maxPages * pageBytes))
      return undefined;
    return { key, bytes, pages, sha256 };
  } catch {
    // No JSON: another file, or one that was cut.
    return undefined;
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
