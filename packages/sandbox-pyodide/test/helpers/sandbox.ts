import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CellResult, SandboxSession, SandboxSessionOptions } from "@openjarvis/core";
import { afterAll } from "vitest";
import { PyodideSandbox, type PyodideSandboxOptions } from "../../src/pyodide-sandbox.js";

/** Snapshots that all test files and runs share: making one takes seconds. */
export const cacheDir = fileURLToPath(new URL("../../node_modules/.cache/snapshots", import.meta.url));
mkdirSync(cacheDir, { recursive: true, mode: 0o700 });

/** A sandbox that is closed after the tests of the file. */
export function testSandbox(options: PyodideSandboxOptions = {}): PyodideSandbox {
  const sandbox = new PyodideSandbox({ cacheDir, ...options });
  afterAll(() => sandbox.close());
  return sandbox;
}

/** Runs `use` with a session of its own. */
export async function withSession<T>(
  sandbox: PyodideSandbox,
  options: SandboxSessionOptions,
  use: (session: SandboxSession) => Promise<T>,
): Promise<T> {
  const session = await sandbox.createSession(options);
  try {
    return await use(session);
  } finally {
    await session.close();
  }
}

/** What a cell printed and gave, or why it failed, as one text. */
export function told(result: CellResult): string {
  const { stdout, value, error } = result;
  return `${stdout}${value ?? ""}${error === undefined ? "" : `${error.kind} ${error.name}: ${error.message}`}`;
}
