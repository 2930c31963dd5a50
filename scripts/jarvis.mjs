// Runs the `jarvis` command from the sources: builds first when something changed, then hands over.
//
//   pnpm -s jarvis ask "What is 15% of 340?"
//
// What the build says goes to standard error; standard output carries the command's own lines alone.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const program = join(root, "packages", "openjarvis", "dist", "bin.js");
const stamp = join(root, "node_modules", ".cache", "openjarvis", "built");

const builtAt = modified(stamp);
if (modified(program) === 0 || builtAt === 0 || newestSource() > builtAt) build();

// pnpm runs scripts in the root of the repository; the command belongs into the folder it was typed in.
if (process.env.npm_lifecycle_event === "jarvis" && process.env.INIT_CWD) process.chdir(process.env.INIT_CWD);
// In this process: a second one would cost as much again as the command itself.
process.argv = [process.execPath, program, ...process.argv.slice(2)];
await import(pathToFileURL(program).href);

function build() {
  const started = new Date();
  process.stderr.write("Building …\n");
  const bin = join(root, "node_modules", ".bin");
  const { status, signal, error, stdout, stderr } = spawnSync(
    join(bin, process.platform === "win32" ? "turbo.cmd" : "turbo"),
    ["run", "build", "--filter=openjarvis...", "--output-logs=errors-only"],
    {
      cwd: root,
      // Turbo starts pnpm, which need not be installed globally.
      env: {
        ...process.env,
        PATH: bin + delimiter + (process.env.PATH ?? ""),
        TURBO_TELEMETRY_DISABLED: "1",
      },
      shell: process.platform === "win32",
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  if (status !== 0) {
    process.stderr.write(`${stdout ?? ""}${stderr ?? ""}`);
    process.stderr.write(`The build failed${error === undefined ? "" : `: ${error.message}`}.\n`);
    process.exit(signal === "SIGINT" ? 130 : 1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, "");
  // A source that was saved while the build ran may have been missed by it.
  utimesSync(stamp, started, started);
  process.stderr.write(`Built in ${((Date.now() - started.getTime()) / 1000).toFixed(1)} s.\n`);
}

/** When the newest file that a build depends on was changed. */
function newestSource() {
  let newest = Math.max(
    ...["tsconfig.base.json", "tsconfig.dts.json", "tsup.base.ts", "pnpm-lock.yaml"].map((file) =>
      modified(join(root, file)),
    ),
  );
  const visit = (dir) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (entry.isDirectory()) visit(path);
      else newest = Math.max(newest, modified(path));
    }
    // A file that was removed shows in its folder.
    newest = Math.max(newest, modified(dir));
  };
  for (const name of readdirSync(join(root, "packages"))) {
    const dir = join(root, "packages", name);
    if (modified(join(dir, "src")) > 0) visit(join(dir, "src"));
    for (const file of ["package.json", "tsup.config.ts", "tsconfig.json", "tsconfig.build.json"]) {
      newest = Math.max(newest, modified(join(dir, file)));
    }
  }
  return newest;
}

/** Milliseconds since the epoch; 0 for a file that is not there. */
function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
