import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import {
  type DiscoveredPlugin,
  findPackageDir,
  type PluginRoot,
  pluginApiVersion,
  providedIds,
  registryKinds,
} from "@openjarvis/core";
import satisfies from "semver/functions/satisfies.js";
import type { Check } from "../check.js";
import { coreName, ownCore, type PackageOnDisk, packageOnDisk } from "./own-core.js";
import { probePlugin } from "./probe.js";
import { providesText } from "./provides-text.js";

/** The copies of core that this program and its plugins would load. Several are harmless. */
export function checkCore(roots: readonly PluginRoot[], plugins: readonly DiscoveredPlugin[]): Check {
  const own = ownCore();
  const copies = new Map<string, PackageOnDisk>([[own.dir, own]]);
  for (const dir of [...roots.map((root) => root.dir), ...plugins.map((plugin) => plugin.root)]) {
    const found = findPackageDir(coreName, dir);
    if (found !== undefined) copies.set(found, packageOnDisk(found));
  }
  const places = [...copies.values()].map(({ dir, version }) => `${version} in ${dir}`).join(", ");
  const several =
    copies.size > 1 ? `${copies.size} copies, which share their registries: ${places}` : own.dir;
  return {
    area: "core",
    name: own.version,
    status: "ok",
    message: `plugin API ${pluginApiVersion}; ${several}`,
    facts: { copies: [...copies.values()] },
  };
}

/** Everything that can be wrong with one plugin; one finding for each thing, or one that says it is well. */
export async function checkPlugin(
  plugin: DiscoveredPlugin,
  options: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<Check[]> {
  const about = (status: Check["status"], message: string, facts: Record<string, unknown> = {}): Check => ({
    area: "plugin",
    name: `${plugin.name} ${plugin.version}`,
    status,
    message,
    facts: { origin: plugin.origin, root: plugin.root, ...facts },
  });
  const checks = plugin.problems.map(({ level, code, message }) =>
    about(level === "error" ? "error" : "warn", `${code}  ${message}`, { code }),
  );
  checks.push(...packageFindings(plugin).map(({ status, message }) => about(status, message)));
  for (const name of plugin.manifest.env) {
    if ((options.env[name] ?? "") === "") checks.push(about("warn", `env ${name} is not set`, { env: name }));
  }
  if (checks.some(({ status }) => status === "error")) return checks;
  const probe = await probePlugin(plugin, options.env, options.signal);
  const facts = { milliseconds: Math.round(probe.milliseconds) };
  if (!probe.ok) {
    const hint = probe.hint === undefined ? "" : ` ${probe.hint}`;
    const code = probe.code ?? "OJ_PLUGIN_LOAD";
    return [...checks, about("error", `${code}  ${probe.message ?? ""}${hint}`, { ...facts, code })];
  }
  if (probe.printed !== "") {
    const first = probe.printed.split("\n")[0] ?? "";
    checks.push(about("warn", `prints when it is imported: ${first}`, facts));
  }
  if (checks.length > 0) return checks;
  return [about("ok", `${plugin.origin}  ${providesText(plugin.manifest)}  ${facts.milliseconds} ms`, facts)];
}

interface Finding {
  status: "warn" | "error";
  message: string;
}

function packageFindings(plugin: DiscoveredPlugin): Finding[] {
  const { packageJson } = plugin;
  const findings: Finding[] = [];
  const entry = entryFinding(plugin);
  if (entry !== undefined) findings.push({ status: "error", message: entry });
  if (packageJson.sideEffects === false) {
    const message = '"sideEffects" is false, so bundlers leave out what registers it; it must be true';
    findings.push({ status: "warn", message });
  }
  const peers = packageJson.peerDependencies as Record<string, unknown> | undefined;
  const range = peers?.[coreName];
  const core = ownCore().version;
  if (range === undefined) {
    findings.push({ status: "warn", message: `${coreName} is not among its peerDependencies` });
  } else if (!satisfies(core, String(range).replace(/^workspace:/, ""), { includePrerelease: true })) {
    findings.push({ status: "warn", message: `made for ${coreName} ${String(range)}; this is ${core}` });
  }
  const engines = packageJson.engines as Record<string, unknown> | undefined;
  if (typeof engines?.node === "string" && !satisfies(process.versions.node, engines.node)) {
    findings.push({
      status: "warn",
      message: `made for Node ${engines.node}; this is ${process.versions.node}`,
    });
  }
  return findings;
}

/** What keeps the file that is imported from being found. */
function entryFinding({ name, root, manifest, packageJson }: DiscoveredPlugin): string | undefined {
  if (manifest.entry !== undefined) {
    return existsSync(join(root, manifest.entry))
      ? undefined
      : `OJ_PLUGIN_LOAD  ${manifest.entry} does not exist`;
  }
  try {
    const target = packageJson.exports === undefined ? root : name;
    const file = createRequire(join(root, "package.json")).resolve(target);
    return existsSync(file) ? undefined : `OJ_PLUGIN_LOAD  ${file} does not exist`;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_PACKAGE_PATH_NOT_EXPORTED") {
      return 'OJ_PLUGIN_LOAD  its "exports" have no "default" condition for "."; "import" alone is not enough';
    }
    return `OJ_PLUGIN_LOAD  its main file is missing: ${message.split("\n")[0] ?? ""}`;
  }
}

/** Names that several plugins provide without one being preferred. */
export function checkDuplicates(
  plugins: readonly DiscoveredPlugin[],
  prefer: Readonly<Record<string, string>>,
): Check[] {
  return registryKinds.flatMap((kind) => {
    const owners = new Map<string, DiscoveredPlugin[]>();
    for (const plugin of plugins) {
      for (const id of providedIds(plugin, kind)) owners.set(id, [...(owners.get(id) ?? []), plugin]);
    }
    return [...owners]
      .filter(([id, list]) => list.length > 1 && !list.some(({ name }) => name === prefer[id]))
      .map(([id, list]): Check => {
        const names = list.map(({ name, origin }) => `${name} (${origin})`).join(" and ");
        const message = `OJ_DUPLICATE_ID  "${id}" is provided by ${names}; choose one in [plugins.prefer]`;
        return { area: kind, name: id, status: "error", message, facts: { code: "OJ_DUPLICATE_ID" } };
      });
  });
}
