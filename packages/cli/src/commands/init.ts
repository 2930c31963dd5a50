import { existsSync } from "node:fs";
import { isJarvisError, JarvisError } from "@openjarvis/core";
import { configFile } from "@openjarvis/sdk";
import type { Command, CommandContext } from "../command-context.js";
import { exitCodes } from "../exit-codes.js";
import { type FirstConfig, firstConfigText } from "../first-config.js";
import { sdkOptions } from "../sdk-options.js";
import { writePrivateFile } from "../write-private-file.js";

/** Writes a first config.toml, from a few questions or from proposals, and says what comes next. */
export const init: Command<{ force?: boolean; yes?: boolean }> = async (context, { force, yes }) => {
  const { terminal, distribution } = context;
  const { env, configPath } = sdkOptions(context);
  const { path } = configFile({ env, configPath });
  if (existsSync(path) && force !== true) {
    throw new JarvisError("OJ_OPTION", `${path} exists already.`, {
      hint: `Change it with "${distribution.name} config set", or overwrite it with --force.`,
    });
  }
  const ollama = await findOllama(context);
  const proposal: FirstConfig = ollama === undefined ? {} : { engine: "ollama", model: ollama.models[0] };
  const chosen = yes !== true && terminal.isInteractive ? await askFor(context, proposal, ollama) : proposal;
  if (chosen === undefined) return context.interrupts.exitCode ?? exitCodes.failed;
  writePrivateFile(path, firstConfigText(chosen));
  terminal.print(`Wrote ${path}`);
  for (const line of nextSteps(distribution.name, chosen, ollama)) terminal.note(line);
  return exitCodes.ok;
};

interface FoundOllama {
  models: string[];
}

/** What Ollama offers, when its plugin is installed and it answers. */
async function findOllama(context: CommandContext): Promise<FoundOllama | undefined> {
  const { checkEngine, withSystem } = await import("../engine-check.js");
  const { signal } = context.interrupts;
  try {
    return await withSystem(context, async (system) => {
      const { ok } = await checkEngine(system, "ollama", signal);
      if (!ok) return undefined;
      const models = await (await system.engine("ollama")).listModels({ signal });
      return { models: models.map(({ id }) => id) };
    });
  } catch (error) {
    // The configuration that is about to be written is missing, or it is the broken one that is overwritten.
    if (isJarvisError(error) && /^OJ_(CONFIG|OPTION)/.test(error.code)) return undefined;
    throw error;
  }
}

/** The person's choices; nothing when the questions were broken off. */
async function askFor(
  context: CommandContext,
  proposal: FirstConfig,
  ollama: FoundOllama | undefined,
): Promise<FirstConfig | undefined> {
  const { promptLine } = await import("../line-prompt.js");
  const { terminal } = context;
  const ask = async (question: string, proposed: string): Promise<string | undefined> => {
    const answer = await promptLine(context, `${question} [${proposed === "" ? "none" : proposed}] `);
    return answer === undefined ? undefined : answer.trim() || proposed;
  };
  terminal.note(
    ollama === undefined
      ? "Ollama does not answer, so the built-in rules answer until there is a model."
      : `Ollama answers. Its models: ${ollama.models.join(", ") || "none yet"}.`,
  );
  const engine = await ask("Engine (leave empty to choose at each start)", proposal.engine ?? "");
  if (engine === undefined) return undefined;
  const model = engine === "" ? "" : await ask("Model", proposal.model ?? "");
  if (model === undefined) return undefined;
  const agent = await ask("Agent (simple answers at once, orchestrator can use tools)", "orchestrator");
  if (agent === undefined) return undefined;
  const tools = await ask("Tools, with commas between them", "calculator,think");
  if (tools === undefined) return undefined;
  return {
    ...(engine === "" ? {} : { engine }),
    ...(model === "" ? {} : { model }),
    agent,
    tools: tools.split(/[\s,]+/).filter((name) => name !== ""),
  };
}

function nextSteps(name: string, chosen: FirstConfig, ollama: FoundOllama | undefined): string[] {
  const tryIt = `Try it: ${name} ask "What is 15% of 340?"`;
  if (ollama === undefined) {
    const install = `For a model, install Ollama (https://ollama.com), then: ${name} model pull qwen3:8b --engine ollama`;
    return [tryIt, install];
  }
  if (chosen.model === undefined)
    return [`Fetch a model: ${name} model pull qwen3:8b --engine ollama`, tryIt];
  return [tryIt];
}
