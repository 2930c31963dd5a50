// Unique across processes by start time and chance, within a process by the counter. Nothing secret hangs on an id, and
// node:crypto would be the dearest import of this package.
const processPart = `${Date.now().toString(36)}${Math.floor(Math.random() * 2 ** 32).toString(36)}`;
let counter = 0;

/** A fresh id such as `run_mih3k2x91z141z4_1k`. */
export function createId(prefix: string): string {
  counter += 1;
  return `${prefix}_${processPart}_${counter.toString(36)}`;
}
