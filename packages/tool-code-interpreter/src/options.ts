import {
  type CodeSandbox,
  checkOptionKeys,
  didYouMean,
  JarvisError,
  type SandboxLimits,
} from "@openjarvis/core";

/** Gives the sandbox for a language. Who makes it closes it. */
export type MakeSandbox = (language: string) => Promise<CodeSandbox> | CodeSandbox;

/** What runs the code. */
export type CodeRunner = "sandbox" | "system" | "docker";

/** Bounds of the container of the runner `docker`. */
export interface DockerOptions {
  /** @default "python:3.12-slim" */
  image?: string;
  /** Processors the container may use. @default 1 */
  cpus?: number;
  /** Most processes in the container. @default 100 */
  pidsLimit?: number;
}

/** Options of a {@link CodeInterpreterTool}. */
export interface CodeInterpreterOptions {
  /** @default one sandbox of each language from the registry, closed by the tool's `close()` */
  sandbox?: MakeSandbox | undefined;
  /** Limits of every call. @default those of the sandbox */
  limits?: SandboxLimits | undefined;
  /** Languages offered, the default first. @default ["python", "javascript"]; ["python"] without a sandbox */
  languages?: readonly string[] | undefined;
  /**
   * `sandbox` runs code where it can reach nothing. `system` runs the machine's own Python with the rights of this
   * process, and `docker` runs it in a container; both ask a person before each call.
   *
   * @default "sandbox"
   */
  runner?: CodeRunner | undefined;
  /** The program of the runners `system` and `docker`: a name on the PATH, or a path. @default "python3", "docker" */
  command?: string | undefined;
  docker?: DockerOptions | undefined;
}

const runners: readonly string[] = ["sandbox", "system", "docker"];

/** `engine`, `model`, `bus`, `home` and `allowedDirs` are offered to every tool; this one has no use for them. */
const known = [
  ..."sandbox limits languages runner command docker".split(" "),
  ..."engine model bus home allowedDirs".split(" "),
];

/** Throws `OJ_OPTION` for options that are unknown, wrong, or do not go together. */
export function checkOptions(options: CodeInterpreterOptions): void {
  checkOptionKeys("The code interpreter", options, known);
  const { runner = "sandbox", languages, command, docker } = options;
  if (!runners.includes(runner)) {
    throw new JarvisError(
      "OJ_OPTION",
      `The code interpreter has no runner "${runner}".${didYouMean(runner, runners)}`,
      {
        hint: `It has: ${runners.join(", ")}.`,
      },
    );
  }
  if (languages !== undefined && languages.length === 0) {
    throw new JarvisError("OJ_OPTION", "The code interpreter needs at least one language.");
  }
  if (runner !== "sandbox" && languages?.some((language) => language !== "python")) {
    throw new JarvisError("OJ_OPTION", `The runner "${runner}" runs Python only.`);
  }
  if (runner === "sandbox" && command !== undefined) {
    throw new JarvisError("OJ_OPTION", "`command` is an option of the runners system and docker.");
  }
  if (docker !== undefined) {
    if (runner !== "docker")
      throw new JarvisError("OJ_OPTION", "`docker` is an option of the runner docker.");
    checkOptionKeys("`docker` of the code interpreter", docker, ["image", "cpus", "pidsLimit"]);
  }
}
