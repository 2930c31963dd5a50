import { absolutePath } from "./home.js";

/** Where the folders that tools may read come from. */
export interface AllowedDirsParts {
  /** What the program gave; the working folder when it gave nothing. */
  given: readonly string[] | undefined;
  /** What the config adds. */
  configured: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** The folders whose files tools may read, as absolute paths, each once. */
export function allowedDirs({ given, configured, env }: AllowedDirsParts): string[] {
  const dirs = [...(given ?? [process.cwd()]), ...configured];
  return [...new Set(dirs.map((dir) => absolutePath(dir, env)))];
}
