import { type EngineHealth, errorText } from "@openjarvis/core";
import { Jarvis, type JarvisSystem } from "@openjarvis/sdk";
import type { CommandContext } from "./command-context.js";
import { sdkOptions } from "./sdk-options.js";

const patienceMs = 5_000;

/** Does something with a system of this command line, and closes it. */
export async function withSystem<T>(
  context: CommandContext,
  work: (system: JarvisSystem) => Promise<T>,
): Promise<T> {
  const jarvis = new Jarvis(sdkOptions(context));
  try {
    return await work(await jarvis.system());
  } finally {
    await jarvis.close();
  }
}

/** Whether an engine can be used now. A plugin that cannot be loaded is an engine that cannot be used. */
export async function checkEngine(
  system: JarvisSystem,
  name: string,
  signal: AbortSignal,
): Promise<EngineHealth> {
  try {
    const engine = await system.engine(name);
    return await engine.health({ signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) });
  } catch (error) {
    return { ok: false, detail: errorText(error) };
  }
}
