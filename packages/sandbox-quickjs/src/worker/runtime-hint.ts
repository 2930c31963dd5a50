import type { BlockedCall } from "../rewrite/awaits.js";

const noModules = "There are no modules here; everything that exists is a global name.";
const noSystem = "The sandbox has no files, processes or environment; use the functions you were given.";
const noNetwork = "The sandbox has no network; use the functions you were given.";
const noTimers = "There are no timers here; await the functions you were given.";

/** What to write in place of a name that does not exist here. */
const missing: ReadonlyMap<string, string> = new Map([
  ["require", noModules],
  ["module", noModules],
  ["exports", noModules],
  ["process", noSystem],
  ["fs", noSystem],
  ["os", noSystem],
  ["path", noSystem],
  ["Deno", noSystem],
  ["Bun", noSystem],
  ["Buffer", "There is no Buffer here; use Uint8Array."],
  ["fetch", noNetwork],
  ["XMLHttpRequest", noNetwork],
  ["WebSocket", noNetwork],
  ["setTimeout", noTimers],
  ["setInterval", noTimers],
  ["setImmediate", noTimers],
  ["window", "There is no browser here; the global object is globalThis."],
  ["document", "There is no browser here."],
  ["alert", "There is no browser here; use print()."],
  ["input", "Nobody can be asked here."],
  ["prompt", "Nobody can be asked here."],
  ["structuredClone", "Use JSON.parse(JSON.stringify(value))."],
  ["True", "In JavaScript it is true."],
  ["False", "In JavaScript it is false."],
  ["None", "In JavaScript it is null."],
  ["len", "In JavaScript it is value.length, or Object.keys(object).length."],
  ["str", "In JavaScript it is String(value)."],
  ["int", "In JavaScript it is Math.trunc(Number(value))."],
  ["float", "In JavaScript it is Number(value)."],
  ["bool", "In JavaScript it is Boolean(value)."],
  ["list", "In JavaScript it is Array.from(items)."],
  ["dict", "In JavaScript it is { key: value }, or Object.fromEntries(pairs)."],
  ["tuple", "In JavaScript it is [a, b]."],
  ["range", "In JavaScript it is Array.from({ length: n }, (_, i) => i)."],
  ["enumerate", "In JavaScript it is items.entries()."],
  ["zip", "In JavaScript it is a.map((item, i) => [item, b[i]])."],
  ["sorted", "In JavaScript it is items.toSorted((a, b) => a - b)."],
  ["sum", "In JavaScript it is items.reduce((a, b) => a + b, 0)."],
  ["any", "In JavaScript it is items.some(test)."],
  ["all", "In JavaScript it is items.every(test)."],
  ["isinstance", "In JavaScript it is typeof value or instanceof."],
  ["re", "In JavaScript it is text.match(/pattern/g)."],
  ["json", "In JavaScript it is JSON.parse and JSON.stringify."],
  ["math", "In JavaScript it is Math."],
  ["collections", "Use Map, or Object.groupBy(items, key)."],
  ["Counter", "Use Object.groupBy(items, key), or count in a Map."],
]);

/** What the writer of a cell that failed probably got wrong. */
export function runtimeHint(
  error: { name: string; message: string },
  blocked: readonly BlockedCall[],
): string | undefined {
  const name =
    error.name === "ReferenceError" ? /^'?([\w$]+)'? is not defined$/.exec(error.message)?.[1] : "";
  const hint = missing.get(name ?? "");
  if (hint !== undefined) return hint;
  const [call] = blocked;
  if (call === undefined || error.name !== "TypeError") return undefined;
  return blockedHint(call);
}

/** What to do about a call whose promise nobody waits for. */
export function blockedHint({ callee, caller }: BlockedCall): string {
  const where = caller === "" ? "A function" : `\`${caller}\``;
  return `${where} calls ${callee} without await: make it async, and await both.`;
}
