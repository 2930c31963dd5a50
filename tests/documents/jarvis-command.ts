import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repository } from "../structure/packages.js";

/** A home of its own, on a machine where no Ollama answers. */
export interface HermeticHome {
  dir: string;
  env: NodeJS.ProcessEnv;
  remove(): void;
}

export function hermeticHome(): HermeticHome {
  const dir = mkdtempSync(join(tmpdir(), "openjarvis-documents-"));
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...inherited } = process.env;
  const env = { ...inherited, OPENJARVIS_HOME: dir, OLLAMA_HOST: "http://127.0.0.1:9", NO_COLOR: "1" };
  return { dir, env, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Runs the built command of the standard distribution to its end. */
export function jarvisCommand(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input?: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const bin = join(repository, "packages", "openjarvis", "dist", "bin.js");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { env, cwd: env.OPENJARVIS_HOME });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
    child.stdin.end(input ?? "");
  });
}
