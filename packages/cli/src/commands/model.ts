import { type InferenceEngine, isJarvisError, JarvisError } from "@openjarvis/core";
import type { JarvisSystem } from "@openjarvis/sdk";
import type { Command } from "../command-context.js";
import { withSystem } from "../engine-check.js";
import { exitCodes } from "../exit-codes.js";
import { formatBytes } from "../format-bytes.js";
import { PullProgress } from "../pull-progress.js";
import { printTable } from "../table.js";

/** Lists the models of an engine: the named one, or the one that would answer. */
export const listModels: Command<{ engine?: string; json?: boolean }> = (context, { engine, json }) =>
  withSystem(context, async (system) => {
    const { terminal, interrupts } = context;
    const { signal } = interrupts;
    const name = engine ?? (await system.resolveEngine({ signal })).name;
    const models = await (await system.engine(name)).listModels({ signal });
    if (json === true) {
      const items = models.map(({ id, sizeBytes, contextLength }) => ({
        id,
        engine: name,
        ...(sizeBytes === undefined ? {} : { size_bytes: sizeBytes }),
        ...(contextLength === undefined ? {} : { context_length: contextLength }),
      }));
      terminal.print(JSON.stringify(items, undefined, 2));
      return exitCodes.ok;
    }
    terminal.note(`engine: ${name}`, "dim");
    if (models.length === 0) {
      terminal.note("It has no models yet.");
      return exitCodes.ok;
    }
    const rows = models.map(({ id, sizeBytes, contextLength }) => [
      id,
      sizeBytes === undefined ? "" : formatBytes(sizeBytes),
      contextLength === undefined ? "" : `${contextLength} tokens`,
    ]);
    printTable(terminal, [["MODEL", "SIZE", "CONTEXT"], ...rows]);
    return exitCodes.ok;
  });

/** Has an engine fetch a model, and shows how far it is. */
export const pullModel: Command<{ name: string; engine?: string }> = (context, { name, engine }) =>
  withSystem(context, async (system) => {
    const { terminal, interrupts, distribution } = context;
    const { signal } = interrupts;
    const puller = await findPuller(system, engine, signal);
    if (puller.pullModel === undefined) {
      throw new JarvisError("OJ_ENGINE_BAD_REQUEST", `Engine "${puller.engineId}" cannot fetch models.`, {
        hint: `Choose one that can, for example: ${distribution.name} model pull ${name} --engine ${usualPuller}`,
      });
    }
    terminal.note(`engine: ${puller.engineId}`, "dim");
    const progress = new PullProgress(terminal, name);
    try {
      await puller.pullModel(name, { signal, onProgress: (step) => progress.show(step) });
    } finally {
      progress.end();
    }
    terminal.print(`${name} is ready.`);
    return exitCodes.ok;
  });

const usualPuller = "ollama";

/** The named engine; else the one that would answer, or the usual one where that cannot fetch models. */
async function findPuller(
  system: JarvisSystem,
  engine: string | undefined,
  signal: AbortSignal,
): Promise<InferenceEngine> {
  if (engine !== undefined) return system.engine(engine);
  const chosen = await system.engine((await system.resolveEngine({ signal })).name);
  if (chosen.pullModel !== undefined) return chosen;
  try {
    return await system.engine(usualPuller);
  } catch (error) {
    if (isJarvisError(error, "OJ_ENGINE_NOT_INSTALLED")) return chosen;
    throw error;
  }
}
