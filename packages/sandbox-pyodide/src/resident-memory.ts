import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/**
 * Bytes of physical memory a process holds; `undefined` where the system does not tell (Windows), or when the process is
 * gone.
 */
export async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    if (process.platform === "linux") {
      const status = await readFile(`/proc/${pid}/status`, "latin1");
      return kibibytes(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
    }
    if (process.platform === "win32") return undefined;
    const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)], { timeout: 5_000 });
    return kibibytes(/\d+/.exec(stdout)?.[0]);
  } catch {
    // It has ended between two looks; who waits for it learns that from the process itself.
    return undefined;
  }
}

/** How often to look, in milliseconds: reading /proc is much cheaper than a process. */
export const residentPollMs = process.platform === "linux" ? 50 : 500;

function kibibytes(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text) * 1024;
}
