import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder of its own, which is removed with everything in it. */
export interface TempDir extends AsyncDisposable {
  /** Its real path, with symbolic links resolved. */
  readonly path: string;
  /** A path inside the folder. */
  join(...parts: string[]): string;
  /** Writes a file inside the folder, with the folders it needs, and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>;
  /** Removes the folder; a second time is fine. */
  remove(): Promise<void>;
}

/**
 * Makes a temporary folder.
 *
 * @example
 * await using dir = await tempDir();
 * const file = await dir.write("notes/today.md", "# Today");
 */
export async function tempDir(prefix = "openjarvis-"): Promise<TempDir> {
  // Programs under test report real paths, and the system's temporary folder is often a link.
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)));
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5 });
  return {
    path,
    join: (...parts) => join(path, ...parts),
    async write(name, content) {
      const file = join(path, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, content);
      return file;
    },
    remove,
    [Symbol.asyncDispose]: remove,
  };
}
