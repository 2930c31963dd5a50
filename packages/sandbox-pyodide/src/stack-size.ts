import { readFileSync } from "node:fs";

/** Kilobytes of the engine's stack where the system gives its usual eight megabytes. */
const wanted = 6_000;
/** What V8 takes by itself. */
const v8Default = 984;
/** Bytes of the engine's stack for one byte of Python's, measured with the deepest recursions known. */
const ratio = 23;

/**
 * Kilobytes for V8's flag `--stack-size`, within what the system gives a main thread; 0 to leave it as it is.
 *
 * @param limits the text of /proc/self/limits, where there is one
 */
export function engineStackKilobytes(platform: NodeJS.Platform, limits: string | undefined): number {
  if (platform === "win32") return 0;
  const soft = /^Max stack size\s+(\d+|unlimited)/m.exec(limits ?? "")?.[1];
  if (soft === undefined || soft === "unlimited") return wanted;
  // The rest is for functions of the system and of Node itself.
  return Math.min(wanted, Math.floor((Number(soft) / 1024) * 0.73));
}

let known: number | undefined;

/** Kilobytes of the engine's stack in this process's children; 0 for what it is anyway. */
export function engineStack(): number {
  known ??= engineStackKilobytes(process.platform, readLimits());
  return known;
}

/** Most bytes of Python's stack that the engine's carries. */
export function maxPythonStackBytes(): number {
  return Math.floor(((engineStack() || v8Default) * 1024) / ratio);
}

function readLimits(): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync("/proc/self/limits", "latin1");
  } catch {
    // A system without /proc: then what systems usually give is taken.
    return undefined;
  }
}
