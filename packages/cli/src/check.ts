import type { Terminal } from "./terminal.js";

/** One finding of a doctor. */
export interface Check {
  /** What was looked at. */
  area: string;
  /** Which of them. */
  name: string;
  status: "ok" | "warn" | "error" | "info";
  /** What was found, and what to do about it. */
  message: string;
  /** Further facts for programs; keys in snake_case. */
  facts?: Record<string, unknown>;
}

/** Prints the findings, and their sum. Returns whether none is an error. */
export function reportChecks(
  terminal: Terminal,
  checks: readonly Check[],
  json: boolean | undefined,
): boolean {
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  const errors = count("error");
  if (json === true) {
    const items = checks.map(({ facts, ...check }) => ({ ...check, ...facts }));
    terminal.print(JSON.stringify({ ok: errors === 0, checks: items }, undefined, 2));
    return errors === 0;
  }
  const areaWidth = Math.max(...checks.map(({ area }) => area.length));
  const nameWidth = Math.min(44, Math.max(...checks.map(({ name }) => name.length)));
  for (const { area, name, status, message } of checks) {
    const label = terminal.style(colours[status], (status === "error" ? "ERROR" : status).padEnd(5));
    const head = `${area.padEnd(areaWidth)}  ${terminal.clean(name).padEnd(nameWidth)}  `;
    terminal.printStyled(`${head}${label}  ${terminal.clean(message)}`.trimEnd());
  }
  const plural = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  terminal.printStyled(`${plural(errors, "error")}, ${plural(count("warn"), "warning")}`);
  return errors === 0;
}

const colours = { ok: "green", warn: "yellow", error: "red", info: "dim" } as const;
