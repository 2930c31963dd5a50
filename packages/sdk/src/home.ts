import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** The files and folders of an OpenJarvis home. */
export interface HomePaths {
  /** The home itself. */
  home: string;
  /** config.toml */
  config: string;
  /** The folder whose package.json lists the plugins added with `jarvis plugins add`. */
  plugins: string;
  /** The list of projects whose plugins may be loaded. */
  trust: string;
}

/** The home folder: `OPENJARVIS_HOME`, else `~/.openjarvis`. An empty variable counts as unset. */
export function resolveHome(env: NodeJS.ProcessEnv = process.env): string {
  const set = env.OPENJARVIS_HOME?.trim();
  return set === undefined || set === "" ? join(homeFolder(env), ".openjarvis") : absolutePath(set, env);
}

/** Where things are in a home. Nothing is created. */
export function homePaths(home: string): HomePaths {
  return {
    home,
    config: join(home, "config.toml"),
    plugins: join(home, "plugins"),
    trust: join(home, "trusted-projects.json"),
  };
}

/** An absolute path, with a leading `~` as the user's folder. */
export function absolutePath(path: string, env: NodeJS.ProcessEnv = process.env): string {
  return resolve(/^~(?=$|[\\/])/.test(path) ? join(homeFolder(env), path.slice(1)) : path);
}

function homeFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || env.USERPROFILE || homedir();
}
