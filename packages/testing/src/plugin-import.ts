import { spawn } from "node:child_process";
import { JarvisError } from "@openjarvis/core";

/** What happened when a plugin was imported in a process of its own. */
export interface ImportReport {
  /** Ids that were added, by kind of registry. */
  registered: Record<string, string[]>;
  /** Milliseconds the first import took, with core loaded before. */
  milliseconds: number;
  /** What was printed to standard output and standard error. */
  output: string;
}

const maxOutputChars = 10_000;

/** A plugin package to import. */
export interface ImportTarget {
  /** Its folder. */
  dir: string;
  /** Its name, by which its own `exports` are found. */
  name: string;
  /** The file to import in place of the main export, relative to the folder. */
  entry: string | undefined;
}

/**
 * Imports a plugin twice in a child process, as an application would: by its `exports`, with the copy of core that its own
 * folder resolves to. Rejects when the import fails or the process has not ended by itself after `endSeconds`.
 */
export async function importInChild(target: ImportTarget, endSeconds: number): Promise<ImportReport> {
  const { dir, name, entry = "" } = target;
  // Conditions of the process that runs the tests must not decide which files the child takes.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, "--", dir, name, entry], {
    cwd: dir,
    env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    timeout: endSeconds * 1000,
    killSignal: "SIGKILL",
  });
  let output = "";
  const note = (chunk: Buffer) => {
    output = (output + chunk.toString("utf8")).slice(0, maxOutputChars);
  };
  child.stdout?.on("data", note);
  child.stderr?.on("data", note);
  let report: Omit<ImportReport, "output"> | undefined;
  child.on("message", (message) => {
    report = message as Omit<ImportReport, "output">;
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, exitSignal) => resolve([exitCode, exitSignal]));
  });
  if (report === undefined) {
    throw new JarvisError(
      "OJ_PLUGIN_LOAD",
      `The import failed: ${output.trim() || `exit code ${code ?? signal}`}`,
    );
  }
  if (code !== 0) {
    const how = code === null ? `it still ran after ${endSeconds} s` : `it ended with exit code ${code}`;
    throw new JarvisError(
      "OJ_PLUGIN_LOAD",
      `After the import the process did not end by itself: ${how}. ${output}`,
    );
  }
  return { ...report, output };
}

// Text, since a function would be rewritten by whatever transforms this file.
const program = `
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
const [dir, name, file] = process.argv.slice(1);
const require = createRequire(join(dir, "package.json"));
const { Registry, registryKinds } = await import(pathToFileURL(require.resolve("@openjarvis/core")));
const entry = pathToFileURL(file === "" ? require.resolve(name) : join(dir, file));
const keys = () => new Map(registryKinds.map((kind) => [kind, new Registry(kind).keys()]));
const addedSince = (earlier) => {
  const added = [...keys()].map(([kind, ids]) => [kind, ids.filter((id) => !earlier.get(kind).includes(id))]);
  return Object.fromEntries(added.filter(([, ids]) => ids.length > 0));
};
const before = keys();
const started = performance.now();
await import(entry);
const milliseconds = performance.now() - started;
await import(entry);
process.send({ registered: addedSince(before), milliseconds });
`;
