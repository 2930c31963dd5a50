import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { JarvisError } from "@openjarvis/core";

/**
 * The file of the worker: beside this module in the published package, in `dist/` when the package runs from source.
 * Throws `OJ_PLUGIN_LOAD` when it is not there.
 */
export function workerFile(base: string = import.meta.url): URL {
  const beside = new URL("./worker.js", base);
  const candidates = [beside, new URL("../dist/worker.js", base)];
  const found = candidates.find((url) => existsSync(fileURLToPath(url)));
  if (found !== undefined) return found;
  throw new JarvisError(
    "OJ_PLUGIN_LOAD",
    `The worker of the JavaScript sandbox is missing: ${fileURLToPath(beside)}.`,
    {
      hint:
        "In the repository, run the build of @openjarvis/sandbox-quickjs. A program that is bundled must leave " +
        "@openjarvis/sandbox-quickjs outside of the bundle.",
    },
  );
}
