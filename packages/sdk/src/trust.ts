import { dirname, resolve } from "node:path";
import { errorText, JarvisError } from "@openjarvis/core";
import { homePaths } from "./home.js";
import { readOptionalFile, realPathOf, writeFileAtomic } from "./home-files.js";

const maxBytes = 1_048_576;

/** The projects whose plugins may be loaded, as real paths. Throws `OJ_HOME` when the list is damaged. */
export function listTrusted(home: string): string[] {
  const file = homePaths(home).trust;
  const bytes = readOptionalFile(file, maxBytes);
  if (bytes === undefined) return [];
  try {
    const content: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const projects =
      typeof content === "object" && content !== null && "projects" in content ? content.projects : null;
    if (Array.isArray(projects) && projects.every((item) => typeof item === "string")) return projects;
    throw new Error('it has no list "projects"');
  } catch (error) {
    throw new JarvisError("OJ_HOME", `${file} cannot be used: ${errorText(error)}.`, {
      cause: error,
      hint: "Delete the file, then trust your projects again with `jarvis plugins trust`.",
      details: { file, folder: dirname(file) },
    });
  }
}

/** Whether the plugins of the project in a folder may be loaded: exactly this folder was trusted. */
export function isTrusted(home: string, projectDir: string): boolean {
  return listTrusted(home).includes(realPathOf(resolve(projectDir)));
}

/** Allows the plugins of the project in a folder. Returns the real path that was noted. */
export function trustProject(home: string, projectDir: string): string {
  const path = realPathOf(resolve(projectDir));
  const projects = listTrusted(home);
  if (!projects.includes(path)) write(home, [...projects, path]);
  return path;
}

/** Takes the permission back. Returns whether there was one. */
export function untrustProject(home: string, projectDir: string): boolean {
  const path = realPathOf(resolve(projectDir));
  const projects = listTrusted(home);
  if (!projects.includes(path)) return false;
  write(
    home,
    projects.filter((project) => project !== path),
  );
  return true;
}

function write(home: string, projects: readonly string[]): void {
  writeFileAtomic(homePaths(home).trust, `${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
}
