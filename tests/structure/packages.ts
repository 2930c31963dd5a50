import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const repository = fileURLToPath(new URL("../../", import.meta.url));

/** A package.json, as far as the tests look into it. */
export interface PackageJson {
  name: string;
  version: string;
  description?: string;
  license?: string;
  type?: string;
  private?: boolean;
  files?: string[];
  sideEffects?: boolean | string[];
  engines?: Record<string, string>;
  bin?: Record<string, string>;
  exports?: Record<string, string | Record<string, string>>;
  publishConfig?: { access?: string; exports?: Record<string, string | Record<string, string>> };
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  keywords?: string[];
  openjarvis?: Record<string, unknown>;
}

/** A package of the workspace. */
export interface WorkspacePackage {
  /** Its folder's name. */
  folder: string;
  dir: string;
  json: PackageJson;
  /** Its source files, relative to its folder. */
  sources: string[];
}

/** The published packages, in the order of their folders. */
export const packages: WorkspacePackage[] = readdirSync(join(repository, "packages"))
  .filter((folder) => existsSync(join(repository, "packages", folder, "package.json")))
  .sort()
  .map((folder) => {
    const dir = join(repository, "packages", folder);
    return {
      folder,
      dir,
      json: JSON.parse(readFileSync(join(dir, "package.json"), "utf8")) as PackageJson,
      sources: sourcesBelow(dir, "src"),
    };
  });

/** Whether a package registers things in core: floor 1. */
export function isPlugin({ folder }: WorkspacePackage): boolean {
  return /^(tool|agent|engine|memory|sandbox|scheduler|observer)-/.test(folder);
}

function sourcesBelow(dir: string, relative: string): string[] {
  const absolute = join(dir, relative);
  if (!existsSync(absolute)) return [];
  return readdirSync(absolute, { withFileTypes: true }).flatMap((entry) => {
    const path = `${relative}/${entry.name}`;
    if (entry.isDirectory()) return sourcesBelow(dir, path);
    return entry.name.endsWith(".ts") ? [path] : [];
  });
}
