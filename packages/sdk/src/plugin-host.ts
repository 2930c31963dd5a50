import {
  coreCopies,
  type DiscoveredPlugin,
  didYouMean,
  discoverPlugins,
  type ErrorCode,
  type EventBus,
  JarvisError,
  loadPlugins,
  providedIds,
  Registry,
  type RegistryKind,
  type WantedIds,
} from "@openjarvis/core";
import type { LoadedConfig } from "./config-types.js";
import { firstPartyPackages } from "./first-party.js";
import type { PluginOptions } from "./options.js";
import { ignoredPlugins, type PluginRoots, pluginRoots } from "./plugin-roots.js";

/** The kinds an ask names. */
export type NamedKind = "tools" | "agents" | "engines" | "sandboxes";

interface Found {
  places: PluginRoots;
  /** Those that may be loaded. */
  plugins: readonly DiscoveredPlugin[];
  disabled: readonly DiscoveredPlugin[];
}

const nouns = { tools: "tool", agents: "agent", engines: "engine", sandboxes: "sandbox" } as const;
const notFound = {
  tools: "OJ_TOOL_NOT_FOUND",
  agents: "OJ_AGENT_NOT_FOUND",
  engines: "OJ_ENGINE_NOT_FOUND",
  sandboxes: "OJ_SANDBOX_NOT_FOUND",
} as const satisfies Record<NamedKind, ErrorCode>;
const notInstalled = {
  tools: "OJ_TOOL_NOT_INSTALLED",
  agents: "OJ_AGENT_NOT_INSTALLED",
  engines: "OJ_ENGINE_NOT_INSTALLED",
  sandboxes: "OJ_SANDBOX_NOT_INSTALLED",
} as const satisfies Record<NamedKind, ErrorCode>;

/** The plugins of one system: found when first needed, loaded when their names are. */
export class PluginHost {
  readonly #options: PluginOptions;
  readonly #loaded: LoadedConfig;
  readonly #bus: EventBus;
  readonly #rangesChecked = new Set<string>();
  #found: Found | undefined;

  constructor(options: PluginOptions, loaded: LoadedConfig, bus: EventBus) {
    this.#options = options;
    this.#loaded = loaded;
    this.#bus = bus;
  }

  /** The plugins that may be loaded; none of their code has run by being listed. */
  get plugins(): readonly DiscoveredPlugin[] {
    return this.#discover().plugins;
  }

  /** How many plugins of the project are left out because it is not trusted. */
  get ignoredProjectPlugins(): number {
    const { places, plugins } = this.#discover();
    return ignoredPlugins(places, plugins).length;
  }

  /** Names that can be used: registered ones, then those in manifests. */
  installed(kind: RegistryKind): string[] {
    const registered = new Registry<unknown>(kind).keys();
    return [...new Set([...registered, ...this.plugins.flatMap((plugin) => providedIds(plugin, kind))])];
  }

  /** Whether a name can be used. Looks for plugins only when it is not registered. */
  has(kind: RegistryKind, id: string): boolean {
    if (new Registry<unknown>(kind).contains(id)) return true;
    return this.plugins.some((plugin) => providedIds(plugin, kind).includes(id));
  }

  /**
   * Loads the plugins that provide the names, and no others. Throws `OJ_…_NOT_FOUND` or `OJ_…_NOT_INSTALLED` for a
   * name nobody provides, and what `loadPlugins` of core throws for a plugin that cannot be used.
   */
  async load(wanted: Partial<Record<NamedKind, readonly string[]>>): Promise<void> {
    const missing: WantedIds = {};
    for (const [kind, ids] of Object.entries(wanted) as [NamedKind, readonly string[]][]) {
      const registry = new Registry<unknown>(kind);
      const unknown = ids.filter((id) => !registry.contains(id));
      if (unknown.length === 0) continue;
      const nobodys = unknown.find((id) => !this.has(kind, id));
      if (nobodys !== undefined) throw this.#missing(kind, nobodys);
      missing[kind] = unknown;
    }
    if (Object.keys(missing).length === 0) return;
    const { prefer } = this.#loaded.config.plugins;
    const loaded = await loadPlugins(this.plugins, missing, { prefer });
    for (const plugin of loaded) await this.#checkRange(plugin);
  }

  #discover(): Found {
    if (this.#found === undefined) {
      const places = pluginRoots(this.#options);
      const all = discoverPlugins(places.roots);
      const { disabled } = this.#loaded.config.plugins;
      const isDisabled = ({ name }: DiscoveredPlugin) => disabled.includes(name);
      this.#checkDisabled(all.map(({ name }) => name));
      this.#found = {
        places,
        plugins: all.filter((plugin) => !isDisabled(plugin)),
        disabled: all.filter(isDisabled),
      };
    }
    return this.#found;
  }

  /** Warns about a package that is turned off but not there, when one with a similar name is. */
  #checkDisabled(installed: readonly string[]): void {
    for (const name of this.#loaded.config.plugins.disabled) {
      const suggestion = installed.includes(name) ? "" : didYouMean(name, installed);
      if (suggestion === "") continue;
      const place = this.#loaded.locate("plugins", "disabled");
      const message = `${place}: plugins.disabled names "${name}", which is not installed.${suggestion}`;
      this.#bus.publish("WARNING", { message, source: "config" });
    }
  }

  #missing(kind: NamedKind, id: string): JarvisError {
    const noun = nouns[kind];
    const reason = this.#whyNotLoaded(kind, id);
    if (reason !== undefined) {
      const message = `No plugin that may be loaded provides ${noun} "${id}".`;
      return new JarvisError(notInstalled[kind], message, { hint: reason });
    }
    const owner = Object.hasOwn(firstPartyPackages[kind], id) ? firstPartyPackages[kind][id] : undefined;
    if (owner !== undefined) {
      return new JarvisError(notInstalled[kind], `No installed plugin provides ${noun} "${id}".`, {
        hint: `It is provided by ${owner}. Run: jarvis plugins add ${owner} (in an application: npm install ${owner})`,
        details: { id, package: owner },
      });
    }
    const installed = this.installed(kind);
    const near = didYouMean(id, [...installed, ...Object.keys(firstPartyPackages[kind])]);
    const list =
      installed.length === 0 ? `No ${noun} is installed.` : `Installed ${kind}: ${installed.join(", ")}.`;
    return new JarvisError(notFound[kind], `Unknown ${noun} "${id}".`, {
      hint: list + near,
      details: { id, installed },
    });
  }

  /** What keeps a name away that is on the disk all the same. */
  #whyNotLoaded(kind: NamedKind, id: string): string | undefined {
    const { places, plugins, disabled } = this.#discover();
    const provides = (plugin: DiscoveredPlugin) => providedIds(plugin, kind).includes(id);
    const off = disabled.find(provides);
    if (off !== undefined) {
      return `${off.name} provides it, but plugins.disabled of the config turns it off.`;
    }
    const ignored = ignoredPlugins(places, plugins).find(provides);
    if (ignored === undefined) return undefined;
    return `${ignored.name} of this project provides it, but the project is not trusted. Run: jarvis plugins trust`;
  }

  /** Warns once about a plugin that was written for another version of core. It is loaded all the same. */
  async #checkRange({ name, origin, version, packageJson, root }: DiscoveredPlugin): Promise<void> {
    if (origin === "distribution" || this.#rangesChecked.has(root)) return;
    this.#rangesChecked.add(root);
    const { peerDependencies: peers } = packageJson;
    if (typeof peers !== "object" || peers === null || !("@openjarvis/core" in peers)) return;
    const range = String(peers["@openjarvis/core"]).replace(/^workspace:/, "");
    const core = coreCopies()[0]?.version ?? "";
    const { default: satisfies } = await import("semver/functions/satisfies.js");
    if (satisfies(core, range, { includePrerelease: true })) return;
    const message = `${name} ${version} is made for @openjarvis/core ${range}, but ${core} is running.`;
    this.#bus.publish("WARNING", { message, source: name });
  }
}
