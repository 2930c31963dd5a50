import type { CellResult, SandboxLimits, SandboxSession, SandboxSessionOptions } from "@openjarvis/core";
import { afterAll, afterEach, expect } from "vitest";
import { QuickJsSandbox, type QuickJsSandboxOptions } from "../src/quickjs-sandbox.js";

/** A sandbox for the tests of a file, and sessions of it that are closed after each test. */
export function useSandbox(options: QuickJsSandboxOptions = {}) {
  const sandbox = new QuickJsSandbox(options);
  const open = new Set<SandboxSession>();
  afterEach(async () => {
    await Promise.all([...open].map((session) => session.close()));
    open.clear();
  });
  afterAll(() => sandbox.close());
  return {
    sandbox,
    async session(sessionOptions: SandboxSessionOptions = {}): Promise<SandboxSession> {
      const session = await sandbox.createSession(sessionOptions);
      open.add(session);
      return session;
    },
  };
}

/** Runs a cell that must succeed. */
export async function ok(session: SandboxSession, code: string): Promise<CellResult> {
  const result = await session.run(code);
  expect(result.error, code).toBeUndefined();
  expect(result.success).toBe(true);
  return result;
}

/** Runs a cell that must fail, and gives its error. Short limits belong here: a busy machine makes any cell slow. */
export async function failing(session: SandboxSession, code: string, limits: SandboxLimits = {}) {
  const result = await session.run(code, { limits });
  expect(result.success, code).toBe(false);
  if (result.error === undefined) throw new Error(`no error for ${code}`);
  return { ...result.error, result };
}

/** Settles after some milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
