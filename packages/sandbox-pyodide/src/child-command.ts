import { existsSync } from "node:fs";
import { JarvisError } from "@openjarvis/core";
import type { Installation } from "./install.js";
import type { NodeRuntime } from "./node-runtime.js";
import type { RunnerConfig } from "./protocol.js";
import { engineStack } from "./stack-size.js";

/** What the command of an interpreter is made of. */
export interface CommandOptions {
  node: NodeRuntime;
  installation: Installation;
  config: RunnerConfig;
  /** Whether to go on without a permission model. */
  unsafe: boolean;
  /** Whether to start it in a network namespace of its own. */
  networkNamespace: boolean;
}

/** A program and its arguments. */
export interface Command {
  file: string;
  args: string[];
}

/**
 * The command that starts an interpreter with the fewest rights: it may read the given files, and nothing else.
 *
 * Throws `OJ_PLUGIN_LOAD` when that cannot be had here.
 */
export function childCommand(options: CommandOptions): Command {
  const { node, installation, config, networkNamespace } = options;
  const args = [
    "--no-warnings",
    "--no-addons",
    ...permissionArgs(options),
    "--disallow-code-generation-from-strings",
    "--disable-proto=delete",
    "--max-old-space-size=1024",
    // Python recurses deeper than the default carries.
    ...(engineStack() === 0 ? [] : [`--stack-size=${engineStack()}`]),
    installation.runner,
    JSON.stringify(config),
  ];
  if (!networkNamespace) return { file: node.path, args };
  return { file: findUnshare(), args: ["-rn", "--", node.path, ...args] };
}

function permissionArgs({ node, installation, config, unsafe }: CommandOptions): string[] {
  if (node.permissionFlag === undefined) {
    if (unsafe) return [];
    throw new JarvisError(
      "OJ_PLUGIN_LOAD",
      `The Python sandbox does not start: ${node.path} has no permission model, without which code could read files.`,
      {
        hint:
          "Run on Node.js 20.19 or newer, or set the option nodePath to such a program. unsafe: true goes without that " +
          "layer of protection.",
      },
    );
  }
  const files =
    config.snapshotFile === "" ? installation.files : [...installation.files, config.snapshotFile];
  return [node.permissionFlag, ...files.map((file) => `--allow-fs-read=${file}`)];
}

function findUnshare(): string {
  const found = ["/usr/bin/unshare", "/bin/unshare"].find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new JarvisError(
    "OJ_PLUGIN_LOAD",
    "The Python sandbox cannot make a network namespace: there is no unshare.",
    {
      hint: "networkNamespace works on Linux, with the program unshare of util-linux.",
    },
  );
}
