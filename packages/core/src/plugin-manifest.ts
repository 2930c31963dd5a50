import { type RegistryKind, registryKinds } from "./registry.js";

/** The plugin API this core provides; a plugin's manifest says which one it was written for. */
export const pluginApiVersion = 1;

/** What a package says of itself under `openjarvis` in its package.json. */
export interface PluginManifest {
  apiVersion: number;
  /** Names by registry. */
  provides: Partial<Record<RegistryKind, readonly string[]>>;
  /** Environment variables the plugin needs to be useful. */
  env: readonly string[];
  /** The file to import, relative to the package. @default the package's main export */
  entry?: string;
}

/** Something wrong with a plugin: an error keeps it from loading, a warning does not. */
export interface PluginProblem {
  level: "error" | "warning";
  code: "OJ_PLUGIN_MANIFEST" | "OJ_PLUGIN_API" | "OJ_PLUGIN_LOAD" | "OJ_DUPLICATE_ID";
  message: string;
}

const knownKeys = ["apiVersion", "provides", "env", "entry"];

/** Reads the manifest out of a parsed package.json. Never throws; what is wrong is in `problems`. */
export function parseManifest(packageJson: Record<string, unknown>): {
  manifest: PluginManifest;
  problems: PluginProblem[];
} {
  const problems: PluginProblem[] = [];
  const error = (message: string) => problems.push({ level: "error", code: "OJ_PLUGIN_MANIFEST", message });
  const raw = packageJson.openjarvis;
  const manifest: PluginManifest = { apiVersion: 0, provides: {}, env: [] };
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    error('"openjarvis" in package.json must be an object.');
    return { manifest, problems };
  }
  const fields = raw as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    if (knownKeys.includes(key)) continue;
    problems.push({
      level: "warning",
      code: "OJ_PLUGIN_MANIFEST",
      message: `openjarvis.${key} is not known and ignored.`,
    });
  }
  if (Number.isInteger(fields.apiVersion)) manifest.apiVersion = fields.apiVersion as number;
  else error("openjarvis.apiVersion must be a whole number.");
  if (Number.isInteger(fields.apiVersion) && fields.apiVersion !== pluginApiVersion) {
    const message = `It needs plugin API ${String(fields.apiVersion)}; this OpenJarvis provides ${pluginApiVersion}.`;
    problems.push({ level: "error", code: "OJ_PLUGIN_API", message });
  }
  manifest.provides = readProvides(fields.provides, error);
  if (fields.env !== undefined) {
    if (isTextList(fields.env)) manifest.env = fields.env;
    else error("openjarvis.env must be a list of names.");
  }
  if (fields.entry !== undefined) {
    if (isInsidePath(fields.entry)) manifest.entry = fields.entry;
    else error("openjarvis.entry must be a path inside the package.");
  }
  return { manifest, problems };
}

function readProvides(raw: unknown, error: (message: string) => void): PluginManifest["provides"] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    error("openjarvis.provides must be an object of lists of names.");
    return {};
  }
  const provides: Partial<Record<RegistryKind, readonly string[]>> = {};
  for (const [kind, names] of Object.entries(raw)) {
    if (!(registryKinds as readonly string[]).includes(kind)) {
      error(`openjarvis.provides.${kind} is no kind of plugin; there are: ${registryKinds.join(", ")}.`);
    } else if (isTextList(names)) {
      provides[kind as RegistryKind] = names;
    } else {
      error(`openjarvis.provides.${kind} must be a list of names.`);
    }
  }
  return provides;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string" && item !== "");
}

function isInsidePath(value: unknown): value is string {
  return typeof value === "string" && value.startsWith("./") && !value.split(/[\\/]/).includes("..");
}
