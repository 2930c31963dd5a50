import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { DiscoveredPlugin } from "@openjarvis/core";

/** What loading a plugin in a process of its own showed. */
export interface ProbeResult {
  ok: boolean;
  /** Milliseconds from the import to the end of registration. */
  milliseconds: number;
  code?: string;
  message?: string;
  hint?: string;
  /** What it printed while it was imported. */
  printed: string;
}

/** What the child sends; see `plugin-probe.ts`. */
export type ProbeMessage = Omit<ProbeResult, "printed">;

const patienceMs = 15_000;
const maxPrinted = 2_000;

/** Loads a plugin in a child process, so that nothing it does reaches this one. Never rejects. */
export function probePlugin(
  plugin: DiscoveredPlugin,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const child = fork(fileURLToPath(new URL("./plugin-probe.js", import.meta.url)), {
    env,
    execArgv: [],
    serialization: "json",
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      if (printed.length < maxPrinted) printed += text;
    });
  }
  return new Promise((resolve) => {
    let message: ProbeMessage | undefined;
    const failed = (text: string): ProbeMessage => ({
      ok: false,
      milliseconds: 0,
      code: "OJ_PLUGIN_LOAD",
      message: text,
    });
    const stop = (text: string) => {
      message ??= failed(text);
      child.kill("SIGKILL");
    };
    const timer = setTimeout(() => stop(`It was not loaded within ${patienceMs / 1000} s.`), patienceMs);
    const cancel = () => stop("The check was cancelled.");
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    child.on("message", (value) => {
      message = value as ProbeMessage;
    });
    child.on("error", (error) => stop(error.message));
    child.on("close", (code, killedBy) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", cancel);
      const end = killedBy === null ? `with code ${code}` : `by ${killedBy}`;
      resolve({ ...(message ?? failed(`Importing it ended the process ${end}.`)), printed: printed.trim() });
    });
    child.send(plugin, (error) => {
      if (error !== null) stop(error.message);
    });
  });
}
