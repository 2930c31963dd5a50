import type { DiscoveredPlugin } from "@openjarvis/core";
import type { Command, CommandContext } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { type Installed, ignoredNote, installedPlugins } from "../installed.js";
import { printTable } from "../table.js";

/** What `tool list`, `agent list` and `engine list` take. */
export interface ListArguments {
  kind: "tools" | "agents" | "engines";
  check?: boolean;
  json?: boolean;
}

/** One thing that is installed. */
interface Item {
  name: string;
  package: string;
  version: string;
  origin: string;
  description: string;
  /** Why it cannot be used. */
  problem?: string;
  default?: boolean;
  health?: { ok: boolean; detail: string };
}

/** Lists what the manifests of the installed plugins provide; no plugin is loaded unless engines are to be checked. */
export const list: Command<ListArguments> = async (context, { kind, check, json }) => {
  const installed = await installedPlugins(context);
  const items = itemsOf(installed, kind);
  if (kind === "engines") {
    const { default: byDefault } = installed.loaded.config.engine;
    for (const item of items) item.default = item.name === byDefault;
    if (check === true) await addHealth(context, items);
  }
  const { terminal } = context;
  if (json === true) {
    terminal.print(JSON.stringify(items, undefined, 2));
  } else {
    const noun = kind.slice(0, -1);
    if (items.length === 0) terminal.note(`No ${noun} is installed.`);
    else printTable(terminal, rows(items, kind, check === true));
  }
  ignoredNote(context, installed);
  // That a server nobody chose is not running is no failure.
  return items.some((item) => item.default === true && item.health?.ok === false)
    ? exitCodes.failed
    : exitCodes.ok;
};

function itemsOf({ plugins }: Installed, kind: ListArguments["kind"]): Item[] {
  const taken = new Map<string, DiscoveredPlugin>();
  return plugins.flatMap((plugin) =>
    (plugin.manifest.provides[kind] ?? []).map((name): Item => {
      const first = taken.get(name);
      taken.set(name, first ?? plugin);
      const error = plugin.problems.find(({ level }) => level === "error")?.message;
      const problem = error ?? (first === undefined ? undefined : `${first.name} provides it too.`);
      return {
        name,
        package: plugin.name,
        version: plugin.version,
        origin: plugin.origin,
        description: plugin.description,
        ...(problem === undefined ? {} : { problem }),
      };
    }),
  );
}

async function addHealth(context: CommandContext, items: Item[]): Promise<void> {
  const { checkEngine, withSystem } = await import("../engine-check.js");
  await withSystem(context, async (system) => {
    await Promise.all(
      items.map(async (item) => {
        item.health = await checkEngine(system, item.name, context.interrupts.signal);
      }),
    );
  });
}

function rows(items: readonly Item[], kind: ListArguments["kind"], checked: boolean): string[][] {
  const head = [
    "NAME",
    ...(checked ? ["STATE"] : []),
    "PACKAGE",
    "ORIGIN",
    checked ? "DETAIL" : "DESCRIPTION",
  ];
  return [
    head,
    ...items.map((item) => {
      const name = kind === "engines" && item.default === true ? `${item.name} (default)` : item.name;
      const state = item.health?.ok === true ? "ok" : "down";
      const text = item.problem ?? (checked ? (item.health?.detail ?? "") : item.description);
      return [name, ...(checked ? [state] : []), `${item.package} ${item.version}`, item.origin, text];
    }),
  ];
}
