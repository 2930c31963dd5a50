import { resolve } from "node:path";
import type { JarvisOptions } from "@openjarvis/sdk";
import type { CommandContext } from "./command-context.js";
import type { RunFlags } from "./run-flags.js";

/** The options of the `Jarvis` of a run: tools may read the working folder, and the folders that were allowed. */
export function runOptions(context: CommandContext, { allowDir = [] }: RunFlags): JarvisOptions {
  const { cwd } = context.io;
  return { ...sdkOptions(context), allowedDirs: [cwd, ...allowDir.map((dir) => pathFrom(cwd, dir))] };
}

/** The options of a `Jarvis`, or of a look at what is installed, that a command line stands for. */
export function sdkOptions({
  distribution,
  io,
  options,
}: CommandContext): JarvisOptions & { env: NodeJS.ProcessEnv } {
  return {
    env: io.env,
    root: distribution.root,
    projectDir: io.cwd,
    plugins: options.plugins ? "discover" : "distribution",
    configPath: options.config === undefined ? undefined : pathFrom(io.cwd, options.config),
    ...(Object.keys(distribution.defaults).length === 0 ? {} : { defaults: distribution.defaults }),
  };
}

/** A path a person typed, as an absolute one; `~` is left to the SDK. */
export function pathFrom(cwd: string, path: string): string {
  return /^~(?=$|[\\/])/.test(path) ? path : resolve(cwd, path);
}
