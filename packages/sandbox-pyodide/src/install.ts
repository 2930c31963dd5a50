import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { errorText, JarvisError } from "@openjarvis/core";

/** The files an interpreter is started from. */
export interface Installation {
  /** The program of the interpreter's process. */
  runner: string;
  /** The folder of the package `pyodide`. */
  pyodideDir: string;
  pyodideVersion: string;
  /** All files the process may read. */
  files: readonly string[];
  /** Changes with every build of the runner. */
  runnerHash: string;
}

const pyodideFiles = [
  "pyodide.mjs",
  "pyodide.asm.mjs",
  "pyodide.asm.wasm",
  "python_stdlib.zip",
  "pyodide-lock.json",
  "package.json",
];

/** Finds the runner of this package and Pyodide. Throws `OJ_PLUGIN_LOAD` when one of them is not there. */
export function findInstallation(): Installation {
  const runner = findRunner();
  const pyodideDir = findPyodide();
  const { version } = JSON.parse(readFileSync(join(pyodideDir, "package.json"), "utf8")) as {
    version: string;
  };
  return {
    runner,
    pyodideDir,
    pyodideVersion: version,
    // The runner's package.json says that it is a module.
    files: [
      runner,
      join(dirname(runner), "..", "package.json"),
      ...pyodideFiles.map((name) => join(pyodideDir, name)),
    ],
    runnerHash: createHash("sha256").update(readFileSync(runner)).digest("hex").slice(0, 12),
  };
}

/** The runner: beside this module in the published package, in `dist/` when the package runs from source. */
function findRunner(): string {
  const candidates = [new URL("./runner.js", import.meta.url), new URL("../dist/runner.js", import.meta.url)];
  const found = candidates.map((url) => fileURLToPath(url)).find((file) => existsSync(file));
  if (found !== undefined) return realpathSync(found);
  throw new JarvisError(
    "OJ_PLUGIN_LOAD",
    `The runner of the Python sandbox is missing: ${String(candidates[0])}.`,
    {
      hint:
        "In the repository, run the build of @openjarvis/sandbox-pyodide. A program that is bundled must leave " +
        "@openjarvis/sandbox-pyodide outside of the bundle.",
    },
  );
}

function findPyodide(): string {
  try {
    return realpathSync(dirname(createRequire(import.meta.url).resolve("pyodide/package.json")));
  } catch (error) {
    throw new JarvisError("OJ_PLUGIN_LOAD", `The package pyodide cannot be found: ${errorText(error)}`, {
      cause: error,
      hint: "Install the dependencies of @openjarvis/sandbox-pyodide again.",
    });
  }
}
