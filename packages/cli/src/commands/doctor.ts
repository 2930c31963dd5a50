import { accessSync, constants, existsSync, statSync } from "node:fs";
import { errorText, isJarvisError } from "@openjarvis/core";
import { configFile, homePaths, loadConfig, resolveHome } from "@openjarvis/sdk";
import { type Check, reportChecks } from "../check.js";
import type { Command, CommandContext } from "../command-context.js";
import { checkEngine, withSystem } from "../engine-check.js";
import { exitCodes } from "../exit-codes.js";
import { installedPlugins } from "../installed.js";
import { checkNode } from "../node-check.js";
import { sdkOptions } from "../sdk-options.js";

/** Checks the installation from Node to the model that would answer. */
export const doctor: Command<{ json?: boolean }> = async (context, { json }) => {
  const checks: Check[] = [checkNode(), checkHome(context)];
  const config = await checkConfig(context);
  checks.push(config);
  // Without a configuration that can be read nothing else can be wired.
  if (config.status !== "error") {
    checks.push(...(await checkPlugins(context)));
    checks.push(...(await checkEngines(context)));
  }
  if (context.interrupts.exitCode !== undefined) return context.interrupts.exitCode;
  return reportChecks(context.terminal, checks, json) ? exitCodes.ok : exitCodes.failed;
};

function checkHome({ io }: CommandContext): Check {
  const { home } = homePaths(resolveHome(io.env));
  const about = (status: Check["status"], message: string): Check => ({
    area: "home",
    name: home,
    status,
    message,
  });
  if (!existsSync(home)) return about("ok", "not there yet; it is made when something is stored");
  try {
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return about("error", `cannot be used: ${errorText(error)}. Set OPENJARVIS_HOME to another folder`);
  }
  const open = process.platform !== "win32" && (statSync(home).mode & 0o077) !== 0;
  return open ? about("warn", `others on this machine can look into it: chmod 700 ${home}`) : about("ok", "");
}

async function checkConfig(context: CommandContext): Promise<Check> {
  const { env, configPath } = sdkOptions(context);
  const { path } = configFile({ env, configPath });
  const about = (status: Check["status"], message: string): Check => ({
    area: "config",
    name: path,
    status,
    message,
  });
  try {
    const { exists } = await loadConfig({ env, configPath });
    return about(
      "ok",
      exists ? "" : `not there; every default holds. ${context.distribution.name} init writes one`,
    );
  } catch (error) {
    if (!isJarvisError(error)) throw error;
    return about("error", `${error.code}  ${error.message} ${error.hint}`);
  }
}

async function checkPlugins(context: CommandContext): Promise<Check[]> {
  const { plugins, ignored } = await installedPlugins(context);
  const broken = plugins.filter(({ problems }) => problems.some(({ level }) => level === "error"));
  const deeper = `${context.distribution.name} plugins doctor looks closer`;
  const count = `${plugins.length} found`;
  const checks: Check[] =
    broken.length === 0
      ? [{ area: "plugins", name: count, status: "ok", message: deeper }]
      : broken.map(({ name, problems }) => ({
          area: "plugins",
          name,
          status: "error",
          message: `${problems[0]?.message ?? ""} ${deeper}`,
        }));
  if (ignored !== undefined && ignored.count > 0) {
    const message = `not trusted; allow with: ${context.distribution.name} plugins trust`;
    checks.push({ area: "plugins", name: `${ignored.count} of this project`, status: "info", message });
  }
  return checks;
}

/** Each engine's state, and the engine and model that would answer now. */
async function checkEngines(context: CommandContext): Promise<Check[]> {
  const { signal } = context.interrupts;
  return withSystem(context, async (system) => {
    const { default: configured } = system.config.engine;
    const names = system.installed("engines");
    const checks = await Promise.all(
      names.map(async (name): Promise<Check> => {
        const about = (status: Check["status"], message: string): Check => ({
          area: "engine",
          name,
          status,
          message,
        });
        // A hosted engine is not asked unless it is the one that answers.
        if (name !== configured && (await isHosted(() => system.engine(name))))
          return about("info", "hosted, not asked");
        const { ok, detail } = await checkEngine(system, name, signal);
        if (ok) return about("ok", detail);
        return about(name === configured ? "error" : "info", detail);
      }),
    );
    return [...checks, await checkAnswer()];

    async function checkAnswer(): Promise<Check> {
      try {
        const { name, model, reason } = await system.resolveEngine({ signal });
        const message = name === "rules" ? `${reason}; the rules are no language model` : reason;
        return {
          area: "answer",
          name: `${name} ${model}`,
          status: name === "rules" ? "warn" : "ok",
          message,
        };
      } catch (error) {
        if (!isJarvisError(error)) throw error;
        return {
          area: "answer",
          name: "none",
          status: "error",
          message: `${error.code}  ${error.message} ${error.hint}`,
        };
      }
    }
  });
}

async function isHosted(get: () => Promise<{ hosted: boolean }>): Promise<boolean> {
  try {
    return (await get()).hosted;
  } catch {
    // An engine that cannot be made is reported by the check that follows.
    return false;
  }
}
