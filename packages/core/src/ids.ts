import { randomBytes } from "node:crypto";

// Unique across processes by the random part, within a process by the counter; cheaper than a UUID for each call.
const processPart = randomBytes(4).toString("hex");
let counter = 0;

/** A fresh id such as `run_9f2c61ab_1k`. */
export function createId(prefix: string): string {
  counter += 1;
  return `${prefix}_${processPart}_${counter.toString(36)}`;
}
