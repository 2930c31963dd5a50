import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { errorText, isJarvisError, JarvisError } from "./errors.js";
import { type DiscoveredPlugin, providedIds } from "./plugin-discovery.js";
import { pluginApiVersion } from "./plugin-manifest.js";
import { Registry, type RegistryKind, withOwner } from "./registry.js";

/** The names a command needs, by registry. */
export type WantedIds = Partial<Record<RegistryKind, readonly string[]>>;

/** Options of {@link loadPlugins}. */
export interface LoadOptions {
  /** Which package provides an id that several provide: id → package name. */
  prefer?: Readonly<Record<string, string>>;
}

/**
 * Imports the plugins that provide the wanted ids, and no others, one after the other, and checks that each registers
 * what its manifest says. Ids that are registered already (by a plugin imported by hand) and ids nobody provides are
 * left alone; the caller sees the latter when it asks the registry.
 *
 * Throws `OJ_PLUGIN_LOAD`, `OJ_PLUGIN_API` or `OJ_PLUGIN_MANIFEST` for a plugin that is needed and cannot be used, and
 * `OJ_DUPLICATE_ID` for a wanted id of several plugins without a preference.
 */
export async function loadPlugins(
  plugins: readonly DiscoveredPlugin[],
  wanted: WantedIds,
  options: LoadOptions = {},
): Promise<DiscoveredPlugin[]> {
  const needed = new Set<DiscoveredPlugin>();
  for (const [kind, ids] of Object.entries(wanted) as [RegistryKind, readonly string[]][]) {
    const registry = new Registry<unknown>(kind);
    for (const id of ids) {
      if (registry.contains(id)) continue;
      const owner = ownerOf(plugins, kind, id, options.prefer);
      if (owner !== undefined) needed.add(owner);
    }
  }
  for (const plugin of needed) await loadPlugin(plugin);
  return [...needed];
}

/** Imports one plugin and checks it against its manifest. */
export async function loadPlugin(plugin: DiscoveredPlugin): Promise<void> {
  const problem = plugin.problems.find(({ level }) => level === "error");
  if (problem?.code === "OJ_PLUGIN_API") throw apiError(plugin, problem.message);
  if (problem !== undefined) {
    throw new JarvisError(problem.code, `${plugin.name} cannot be used: ${problem.message}`);
  }
  try {
    await withOwner(plugin.name, () => import(entryUrl(plugin)));
  } catch (error) {
    if (isJarvisError(error, "OJ_DUPLICATE_ID")) throw error;
    throw loadError(plugin, error);
  }
  checkRegistered(plugin);
}

function ownerOf(
  plugins: readonly DiscoveredPlugin[],
  kind: RegistryKind,
  id: string,
  prefer: LoadOptions["prefer"],
): DiscoveredPlugin | undefined {
  const providers = plugins.filter((plugin) => providedIds(plugin, kind).includes(id));
  // One package found at several roots, in several versions, is that of the first root.
  const names = providers.map((plugin) => plugin.name);
  const owners = providers.filter((plugin, index) => names.indexOf(plugin.name) === index);
  if (owners.length < 2) return owners[0];
  const preferred = owners.find((plugin) => plugin.name === prefer?.[id]);
  if (preferred !== undefined) return preferred;
  const origins = owners.map((plugin) => `${plugin.name} (${plugin.origin})`).join(" and ");
  throw new JarvisError("OJ_DUPLICATE_ID", `"${id}" (${kind}) is provided by ${origins}.`, {
    hint: `Choose one in config.toml:\n  [plugins.prefer]\n  ${id} = "${owners[0]?.name ?? ""}"`,
  });
}

/** The file to import, found through the package's own `exports`, so that no other copy of it can be taken. */
function entryUrl(plugin: DiscoveredPlugin): string {
  const { root, manifest, packageJson } = plugin;
  if (manifest.entry !== undefined) return pathToFileURL(join(root, manifest.entry)).href;
  const require = createRequire(join(root, "package.json"));
  // Only a package with `exports` can be resolved by its own name from within.
  const target = packageJson.exports === undefined ? root : plugin.name;
  return pathToFileURL(require.resolve(target)).href;
}

function checkRegistered(plugin: DiscoveredPlugin): void {
  for (const [kind, ids] of Object.entries(plugin.manifest.provides) as [RegistryKind, readonly string[]][]) {
    const registry = new Registry<unknown>(kind);
    const missing = ids.filter((id) => !registry.contains(id));
    if (missing.length === 0) continue;
    const registered = registry.keys().filter((key) => registry.ownerOf(key) === plugin.name);
    throw new JarvisError(
      "OJ_PLUGIN_MANIFEST",
      `${plugin.name} declares ${kind} ${JSON.stringify(missing)} but registered ${JSON.stringify(registered)}.`,
      { hint: `Fix openjarvis.provides in the package.json of ${plugin.name}.` },
    );
  }
}

function apiError(plugin: DiscoveredPlugin, message: string): JarvisError {
  return new JarvisError("OJ_PLUGIN_API", `${plugin.name} ${plugin.version} cannot be used. ${message}`, {
    hint: `Update OpenJarvis, or install a version of ${plugin.name} for plugin API ${pluginApiVersion}.`,
  });
}

function loadError(plugin: DiscoveredPlugin, error: unknown): JarvisError {
  const reason = errorText(error);
  const location = `${plugin.name} (${plugin.root}) could not be loaded: ${reason}`;
  const native = /Could not locate the bindings file|was compiled against a different Node/.exec(reason);
  if (native === null) return new JarvisError("OJ_PLUGIN_LOAD", location, { cause: error });
  const rebuild = plugin.root.includes(".pnpm") ? "pnpm approve-builds, then pnpm rebuild" : "npm rebuild";
  const hint = `Its native part was not built for this Node. Run ${rebuild} in the folder it is installed in.`;
  return new JarvisError("OJ_PLUGIN_LOAD", location, { cause: error, hint });
}
