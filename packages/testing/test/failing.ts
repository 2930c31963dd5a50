import { type Check, runChecks } from "../src/index.js";

/** The names of the checks that fail. */
export async function failing(checks: readonly Check[]): Promise<string[]> {
  return (await runChecks(checks)).map(({ check }) => check);
}
