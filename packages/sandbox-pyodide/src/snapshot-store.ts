import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "@openjarvis/core";
import { prepareCacheDir, problemOfFile } from "./cache-folder.js";

/** Counts the changes of the file's form. */
const format = 1;
const month = 30 * 86_400_000;

/** What a snapshot depends on. */
export interface SnapshotOrigin {
  pyodideVersion: string;
  nodeMajor: string;
  runnerHash: string;
}

/**
 * The file that interpreters start from, in a cache folder. It is made by the first interpreter that finds none, or one
 * that is not valid (see `runner/snapshot.ts`, which reads it), and replaced at once, so that processes which make it at
 * the same time do not disturb each other.
 */
export class SnapshotStore {
  readonly file: string;
  /** What the snapshot must have been made with. */
  readonly key: string;
  /** Why there are no snapshots. */
  readonly problem: string | undefined;

  constructor(dir: string, origin: SnapshotOrigin) {
    const { pyodideVersion, nodeMajor, runnerHash } = origin;
    this.key = `pyodide-${pyodideVersion}-node${nodeMajor}-${format}-${runnerHash}`;
    this.file = join(dir, `${this.key}.snapshot`);
    this.problem = this.#prepare(dir);
  }

  get exists(): boolean {
    return existsSync(this.file);
  }

  /** Stores the parts of a snapshot's file. Rejects when that is not possible. */
  async save(parts: readonly Uint8Array[]): Promise<void> {
    const temporary = `${this.file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
    try {
      const handle = await open(temporary, "wx", 0o600);
      try {
        for (const part of parts) await handle.writeFile(part);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(temporary, this.file);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    await this.#prune();
  }

  #prepare(dir: string): string | undefined {
    try {
      return prepareCacheDir(dir) ?? problemOfFile(this.file);
    } catch (error) {
      return errorText(error);
    }
  }

  /** Removes what other versions have left behind a month ago. */
  async #prune(): Promise<void> {
    const dir = dirname(this.file);
    for (const name of await readdir(dir)) {
      const file = join(dir, name);
      if (file === this.file || !/^pyodide-.*\.(?:snapshot|tmp)$/.test(name)) continue;
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > month) await rm(file, { force: true });
    }
  }
}
