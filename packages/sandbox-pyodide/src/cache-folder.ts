import { lstatSync, mkdirSync, type Stats, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** The folder for snapshots when none is given: in the OpenJarvis home when there is one, else a temporary one. */
export function defaultCacheDir(env: NodeJS.ProcessEnv = process.env): string {
  const set = env.OPENJARVIS_HOME?.trim() ?? "";
  const user = env.HOME || env.USERPROFILE || homedir();
  const home = set === "" ? join(user, ".openjarvis") : set.replace(/^~(?=$|[\\/])/, user);
  if (set !== "" || isFolder(home)) return join(isAbsolute(home) ? home : resolve(home), "cache");
  return join(tmpdir(), `openjarvis-cache-${userName()}`);
}

/**
 * Makes the folder, for this user alone. Returns why it must not be used, or nothing.
 *
 * A folder or file that others can write to (a name in /tmp can be taken by anybody) could hold a snapshot that another
 * user has prepared.
 */
export function prepareCacheDir(dir: string): string | undefined {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return problemOf(dir, statSync(dir), (stats) => stats.isDirectory());
}

/** Why a snapshot file must not be used, or nothing. A missing file is fine. */
export function problemOfFile(file: string): string | undefined {
  return problemOf(file, lstatSync(file, { throwIfNoEntry: false }), (stats) => stats.isFile());
}

function problemOf(
  path: string,
  stats: Stats | undefined,
  isRight: (stats: Stats) => boolean,
): string | undefined {
  if (stats === undefined) return undefined;
  if (!isRight(stats)) return `${path} is a link or something else`;
  if (process.getuid === undefined) return undefined;
  if (stats.uid !== process.getuid()) return `${path} belongs to another user`;
  return (stats.mode & 0o022) === 0 ? undefined : `${path} can be written by other users`;
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function userName(): string {
  return process.getuid === undefined ? userInfo().username : String(process.getuid());
}
