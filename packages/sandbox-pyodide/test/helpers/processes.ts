import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll } from "vitest";

/** A folder that is removed after the tests of the file. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "openjarvis-pyodide-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The processes whose parent is `pid` (Linux). */
export function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return (
          Number(
            readFileSync(`/proc/${name}/stat`, "latin1")
              .replace(/^.*\) . /s, "")
              .split(" ")[0],
          ) === pid
        );
      } catch {
        // It ended while the list was read.
        return false;
      }
    })
    .map(Number);
}

/** Whether a process runs; one that has ended and that nobody has asked for does not (Linux). */
export function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  try {
    return !/^.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** Waits until something holds; gives up after ten seconds. */
export async function until(holds: () => boolean): Promise<boolean> {
  for (let round = 0; round < 500; round += 1) {
    if (holds()) return true;
    await sleep(20);
  }
  return holds();
}

/** A program that uses the built package; its output, exit code and process. */
export function runProgram(
  folder: string,
  code: string,
): { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> } {
  const file = join(folder, `program-${Math.random().toString(36).slice(2)}.mjs`);
  const index = new URL("../../dist/index.js", import.meta.url).href;
  writeFileSync(file, `import { PyodideSandbox } from ${JSON.stringify(index)};\n${code}`);
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on("close", (exit) => resolve({ code: exit, output }));
  });
  return { child, ended };
}
