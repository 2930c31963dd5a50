import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { errorText, JarvisError } from "@openjarvis/core";

/** The program that runs the interpreters. */
export interface NodeRuntime {
  path: string;
  /** "20". */
  major: string;
  /** The flag of its permission model; absent when it has none. */
  permissionFlag?: string;
}

const flags = ["--permission", "--experimental-permission"];
const probe = `JSON.stringify([process.versions.node ?? "", process.versions.bun ?? "", ${JSON.stringify(flags)}
  .filter((flag) => process.allowedNodeEnvironmentFlags.has(flag))])`;

/**
 * Finds out what a Node.js can do. Rejects with `OJ_PLUGIN_LOAD` when it cannot be run.
 *
 * @param path the program; the one that runs this when it is absent
 */
export async function inspectNode(path: string | undefined): Promise<NodeRuntime> {
  if (path === undefined || path === process.execPath) {
    const known = process.versions.bun === undefined ? flags : [];
    const flag = known.find((name) => process.allowedNodeEnvironmentFlags.has(name));
    return runtimeOf(process.execPath, process.versions.node, flag);
  }
  try {
    const { stdout } = await promisify(execFile)(path, ["-p", probe], { timeout: 20_000, env: {} });
    const [version, bun, found] = JSON.parse(stdout) as [string, string, string[]];
    return runtimeOf(path, version, bun === "" ? found[0] : undefined);
  } catch (error) {
    throw new JarvisError("OJ_PLUGIN_LOAD", `${path} cannot be run as Node.js: ${errorText(error)}`, {
      cause: error,
      hint: "Set the option nodePath of the Python sandbox to the program of Node.js 20.19 or newer.",
    });
  }
}

function runtimeOf(path: string, version: string, flag: string | undefined): NodeRuntime {
  const major = version.split(".")[0] ?? "";
  return flag === undefined ? { path, major } : { path, major, permissionFlag: flag };
}
