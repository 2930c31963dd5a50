import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The built program of the standard distribution. */
export const program = fileURLToPath(new URL("../../dist/bin.js", import.meta.url));

/** A plugin in `test/fixtures`. */
export type Fixture = "engine-echo" | "tool-danger" | "tool-witness";

const packagesDir = fileURLToPath(new URL("../../../", import.meta.url));
const fixturesDir = fileURLToPath(new URL("../fixtures/", import.meta.url));

/** What a command ended with. */
export interface Outcome {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Options of a run. */
export interface RunOptions {
  input?: string | Buffer;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
}

/** An OpenJarvis home of a test's own, and the program with it. Nothing outside is read or changed. */
export class TestHome {
  readonly dir = mkdtempSync(join(tmpdir(), "openjarvis-test-"));
  /** An empty folder to work in. */
  readonly cwd = join(this.dir, "work");
  readonly home = join(this.dir, "home");

  constructor(fixtures: readonly Fixture[] = []) {
    mkdirSync(this.cwd);
    mkdirSync(this.home, { mode: 0o700 });
    if (fixtures.length > 0) this.install(join(this.home, "plugins"), fixtures);
  }

  /** Puts fixtures into a folder as npm would, with the core of this repository. */
  install(dir: string, fixtures: readonly Fixture[]): void {
    const modules = join(dir, "node_modules");
    const dependencies = Object.fromEntries(fixtures.map((name) => [`@fixture/${name}`, "*"]));
    mkdirSync(join(modules, "@openjarvis"), { recursive: true });
    writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, dependencies }));
    symlinkSync(join(packagesDir, "core"), join(modules, "@openjarvis", "core"));
    for (const name of fixtures)
      cpSync(join(fixturesDir, name), join(modules, "@fixture", name), { recursive: true });
  }

  /** Writes a file, with its folders, and returns its path. */
  write(path: string, text: string): string {
    const file = join(this.dir, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  /** The environment of a run: no colours, no model server, no keys. */
  env(extra: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
    const {
      FORCE_COLOR: _colour,
      OPENAI_API_KEY: _key,
      OPENJARVIS_CONFIG: _config,
      ...inherited
    } = process.env;
    return {
      ...inherited,
      OPENJARVIS_HOME: this.home,
      OLLAMA_HOST: "http://127.0.0.1:9",
      WITNESS_FILE: join(this.dir, "witness"),
      ...extra,
    };
  }

  /** Starts the program. */
  start(args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
    return spawn(process.execPath, [program, ...args], {
      cwd: options.cwd ?? this.cwd,
      env: this.env(options.env),
    });
  }

  /** Runs the program to its end. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
    const child = this.start(args, options);
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    return outcomeOf(child);
  }

  remove(): void {
    rmSync(this.dir, { recursive: true, force: true });
  }
}

/** What a started program ends with. */
export function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}
