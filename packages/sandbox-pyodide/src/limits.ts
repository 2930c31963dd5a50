import { checkInteger, checkOptionKeys, type SandboxLimits } from "@openjarvis/core";

/** All limits of a cell. */
export type CellLimits = Required<SandboxLimits>;

/** What holds when a sandbox, a session and a cell say nothing else. */
export const defaultLimits: Readonly<CellLimits> = {
  timeoutMs: 10_000,
  totalTimeoutMs: 300_000,
  memoryBytes: 512 * 1024 * 1024,
  stackBytes: 256 * 1024,
  maxOutputChars: 10_000,
  maxHostCalls: 1_000,
};

const day = 86_400_000;

/** What each limit may be, from and to. */
export const limitRanges: Readonly<Record<keyof CellLimits, readonly [min: number, max: number]>> = {
  timeoutMs: [1, day],
  totalTimeoutMs: [1, day],
  // WebAssembly ends at 4 GiB.
  memoryBytes: [4 * 1024 * 1024, 3 * 1024 * 1024 * 1024],
  // What the stack of the process carries.
  stackBytes: [48 * 1024, 256 * 1024],
  maxOutputChars: [100, 10_000_000],
  maxHostCalls: [0, 1_000_000],
};

/** `base` with the limits that are given. Throws `OJ_OPTION` for an unknown or impossible one. */
export function resolveLimits(base: CellLimits, given: SandboxLimits | undefined): CellLimits {
  if (given === undefined) return base;
  checkOptionKeys("The limits of a sandbox", given, Object.keys(limitRanges));
  const limits = { ...base };
  for (const [name, [min, max]] of Object.entries(limitRanges)) {
    const value = given[name as keyof CellLimits];
    if (value === undefined) continue;
    checkInteger(name, value, min, max);
    limits[name as keyof CellLimits] = value;
  }
  return limits;
}
