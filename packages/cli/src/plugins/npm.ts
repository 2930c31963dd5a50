import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { errorText, JarvisError, throwIfAborted } from "@openjarvis/core";

/** Options of {@link runNpm}. */
export interface NpmOptions {
  /** The folder npm works in. */
  cwd: string;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  /** @default ten minutes */
  timeoutMs?: number;
}

const maxOutput = 64 * 1024;

/** Settings of the npm that may have started us; they belong to its project, not to the folder we work in. */
const foreignSetting =
  /^npm_config_(global|location|local_prefix|prefix|workspaces?|include_workspace_root|omit|include|only|production|dry_run|save.*|ignore_scripts|package_lock.*|legacy_peer_deps|strict_peer_deps|force|json|loglevel|call|package|yes)$/i;

/**
 * Runs npm and resolves with what it printed to standard output.
 *
 * Throws `OJ_PLUGIN_INSTALL` with npm's own words when it fails, is not there or takes too long.
 */
export async function runNpm(args: readonly string[], options: NpmOptions): Promise<string> {
  throwIfAborted(options.signal);
  const { file, prefix } = findNpm(options.env);
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !foreignSetting.test(name)));
  const quiet = ["--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--loglevel=error"];
  const deadline = AbortSignal.timeout(options.timeoutMs ?? 600_000);
  const child = spawn(file, [...prefix, ...args, ...quiet], {
    cwd: options.cwd,
    env,
    signal: AbortSignal.any([options.signal, deadline]),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output.stdout = (output.stdout + text).slice(-maxOutput);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output.stderr = (output.stderr + text).slice(-maxOutput);
  });
  return new Promise((resolve, reject) => {
    let failure: NodeJS.ErrnoException | undefined;
    child.once("error", (error: NodeJS.ErrnoException) => {
      failure = error;
      // What never started is never closed either.
      if (child.pid === undefined)
        reject(error.code === "ENOENT" ? missingNpm(error) : npmError(args, errorText(error), error));
    });
    // Only now is nothing of it running any more, so that its folder can be put in order.
    child.once("close", (code) => {
      if (options.signal.aborted) reject(new JarvisError("OJ_ABORTED", "The command was cancelled."));
      else if (deadline.aborted) reject(npmError(args, "it took too long.", failure));
      else if (failure !== undefined) reject(npmError(args, errorText(failure), failure));
      else if (code === 0) resolve(output.stdout);
      else reject(npmError(args, reasonOf(output.stderr || output.stdout), undefined, output.stderr));
    });
  });
}

/** npm as a script for the running Node where it can be found, since that needs no shell on any system. */
function findNpm(env: NodeJS.ProcessEnv): { file: string; prefix: string[] } {
  const beside = dirname(process.execPath);
  const script = join("node_modules", "npm", "bin", "npm-cli.js");
  const paths = (env.PATH ?? env.Path ?? "").split(delimiter).filter((dir) => dir !== "");
  const candidates = [
    ...(env.npm_execpath?.endsWith("npm-cli.js") === true ? [env.npm_execpath] : []),
    join(beside, script),
    join(dirname(beside), "lib", script),
    ...(process.platform === "win32" ? paths.map((dir) => join(dir, script)) : []),
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  return found === undefined ? { file: "npm", prefix: [] } : { file: process.execPath, prefix: [found] };
}

function missingNpm(cause: Error): JarvisError {
  return new JarvisError("OJ_PLUGIN_INSTALL", "npm was not found, and plugins are installed with it.", {
    cause,
    hint: "Install npm (it comes with Node.js), or put it on the PATH.",
  });
}

function npmError(args: readonly string[], reason: string, cause?: Error, output = ""): JarvisError {
  return new JarvisError("OJ_PLUGIN_INSTALL", `npm ${args[0] ?? ""} failed: ${reason}`, {
    ...(cause === undefined ? {} : { cause }),
    hint: "Check the name, the version and the network.",
    details: { npm: output.trim() },
  });
}

/** What was wrong, in a sentence: ours for the usual codes, else npm's own without its prefixes and pointers. */
function reasonOf(output: string): string {
  const lines = output
    .split("\n")
    .map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim())
    .filter(
      (line) => line !== "" && !/^(A complete log of this run|Note that you can)|debug-0\.log/.test(line),
    );
  const code = lines
    .map((line) => /^code (E[A-Z0-9_]+)$/.exec(line)?.[1])
    .find((found) => found !== undefined);
  const named = /'([^']+)'/.exec(output)?.[1] ?? "one of them";
  if (code === "E404") return `the registry has no ${named.replace(/@\*$/, "")}.`;
  if (code !== undefined && /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT)$/.test(code)) {
    return "the registry cannot be reached.";
  }
  const text = lines
    .filter((line) => !/^(code|errno|syscall) /.test(line))
    .slice(0, 4)
    .join(" ");
  return text === "" ? "it gave no reason." : text;
}
