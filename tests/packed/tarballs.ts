import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packages, repository } from "../structure/packages.js";

const execute = promisify(execFile);

/** The outcome of a program that was run to its end. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** The environment a user has: what the package manager that runs these tests has set for itself is left out. */
function userEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^p?npm_/i.test(name) || name === "npm_config_nodedir"),
  );
}

/** Runs a program in a folder; a failure is an outcome, not an exception. */
export async function run(
  cwd: string,
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const options = { cwd, env: { ...userEnvironment(), ...env }, timeout: 240_000, maxBuffer: 64 * 2 ** 20 };
  try {
    const { stdout, stderr } = await execute(program, args, options);
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failure = error as { code?: number; stdout?: string; stderr?: string; message: string };
    const code = typeof failure.code === "number" ? failure.code : 1;
    return { code, stdout: failure.stdout ?? "", stderr: failure.stderr || failure.message };
  }
}

/** Runs a program and gives its outcome; throws with its output when it fails. */
export async function mustRun(
  cwd: string,
  program: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const outcome = await run(cwd, program, args, env);
  if (outcome.code === 0) return outcome;
  throw new Error(`${program} ${args.join(" ")}: exit ${outcome.code}\n${outcome.stdout}\n${outcome.stderr}`);
}

/** pnpm as the repository pins it. */
export const pnpm = join(repository, "node_modules", ".bin", "pnpm");

/** A folder of its own below the system's temporary folder, removed by the function. */
export function workspace(): { path(...parts: string[]): string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), "openjarvis-packed-"));
  return {
    path: (...parts) => {
      const dir = join(root, ...parts);
      mkdirSync(dir, { recursive: true });
      return dir;
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Packs every published package into a folder, as `pnpm publish` would, and gives the tarball of each by its name. */
export async function packAll(destination: string): Promise<Map<string, string>> {
  const tarballs = new Map<string, string>();
  for (const { dir, json } of packages) {
    const before = new Set(readdirSync(destination));
    await mustRun(dir, pnpm, ["pack", "--pack-destination", destination]);
    const file = readdirSync(destination).find((name) => !before.has(name));
    if (file === undefined) throw new Error(`${json.name} was not packed`);
    tarballs.set(json.name, join(destination, file));
  }
  return tarballs;
}

/** The tarballs of some packages and of what they need of this house. */
export function withDependencies(tarballs: Map<string, string>, names: readonly string[]): string[] {
  const needed = new Set<string>();
  const visit = (name: string) => {
    const found = packages.find(({ json }) => json.name === name);
    if (found === undefined || needed.has(name)) return;
    needed.add(name);
    const { dependencies, peerDependencies } = found.json;
    for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) visit(dependency);
  };
  for (const name of names) visit(name);
  return [...needed].map((name) => tarballs.get(name) ?? "");
}

/** Writes the package.json of a project. */
export function writeProject(dir: string, json: Record<string, unknown> = {}): void {
  writeFileSync(
    join(dir, "package.json"),
    JSON.stringify({ name: "project", private: true, type: "module", ...json }),
  );
}

/** Reads a JSON file. */
export function readJson(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
}
