import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { exitCodes } from "./exit-codes.js";
import { type CliIo, completeIo } from "./io.js";
import type { CliOptions, Distribution } from "./options.js";
import { rootHelp } from "./root-help.js";

/** A command line that is ready to run. */
export interface Cli {
  /**
   * Runs a command line, without the program's own name, and resolves with the exit code. Never rejects, and never ends
   * the process by itself unless a second signal asks for it.
   */
  run(argv: readonly string[], io?: Partial<CliIo>): Promise<number>;
}

/**
 * Makes the `jarvis` program of a distribution: a package whose dependencies are this package and the plugins it
 * chooses.
 *
 * @example
 * #!/usr/bin/env node
 * process.exitCode = await createCli({ root: import.meta.url }).run(process.argv.slice(2));
 */
export function createCli(options: CliOptions): Cli {
  return {
    async run(argv, io) {
      const complete = completeIo(io);
      const distribution = describeDistribution(options);
      const answer = immediateAnswer(argv, distribution);
      if (answer === undefined) {
        const { runProgram } = await import("./run-program.js");
        return runProgram(distribution, argv, complete);
      }
      // A reader that has gone away is no error.
      complete.stdout.once("error", () => {});
      await new Promise<void>((resolve) => complete.stdout.write(answer, () => resolve()));
      return exitCodes.ok;
    },
  };
}

/** What can be answered without a command-line parser: these are typed to find one's way, and should feel instant. */
function immediateAnswer(argv: readonly string[], { name, version }: Distribution): string | undefined {
  if (argv.length > 1) return undefined;
  switch (argv[0]) {
    case "-V":
    case "--version":
      return `${version}\n`;
    case undefined:
    case "-h":
    case "--help":
    case "help":
      return rootHelp(name);
    default:
      return undefined;
  }
}

function describeDistribution({ root, name = "jarvis", version, defaults = {} }: CliOptions): Distribution {
  const file = root.startsWith("file:") ? fileURLToPath(root) : root;
  const dir = packageDir(dirname(file));
  return { name, version: version ?? versionOf(dir), dir, root, defaults };
}

function packageDir(start: string): string {
  for (let dir = start; ; dir = dirname(dir)) {
    if (existsSync(join(dir, "package.json"))) return dir;
    if (dirname(dir) === dir) return start;
  }
}

function versionOf(dir: string): string {
  try {
    const { version } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as { version?: unknown };
    return typeof version === "string" ? version : "0.0.0";
  } catch {
    // A distribution that is run without its package.json has no version to show; everything else works.
    return "0.0.0";
  }
}
