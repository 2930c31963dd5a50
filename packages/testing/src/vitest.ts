import { describe, it } from "vitest";
import { type AgentCheckOptions, agentChecks } from "./agent-checks.js";
import type { MakeAgent } from "./agent-subject.js";
import type { Check } from "./check.js";
import { type EngineCheckOptions, engineChecks, type MakeEngine } from "./engine-checks.js";
import { type PluginCheckOptions, pluginChecks } from "./plugin-checks.js";
import { type ToolCheckOptions, type ToolSource, toolChecks } from "./tool-checks.js";

/** Registers one vitest test for each check of a list. */
export function testChecks(title: string, checks: readonly Check[]): void {
  describe(title, () => {
    for (const { name, run } of checks) it(name, run);
  });
}

/**
 * Registers the tests every tool must pass; see `toolChecks`.
 *
 * @example
 * testTool(new CalculatorTool(), {
 *   valid: { expression: "2+2" },
 *   invalid: [{}],
 *   cases: [[{ expression: "2+3*4" }, "14"]],
 * });
 */
export function testTool(source: ToolSource, options: ToolCheckOptions): void {
  const title = typeof source === "function" ? "a tool" : `tool ${source.toolId}`;
  testChecks(`${title} keeps the contract of tools`, toolChecks(source, options));
}

/**
 * Registers the tests every agent must pass; see `agentChecks`.
 *
 * @example
 * testAgent((options) => new OrchestratorAgent(options));
 */
export function testAgent(makeAgent: MakeAgent, options: AgentCheckOptions = {}): void {
  testChecks("the agent keeps the contract of agents", agentChecks(makeAgent, options));
}

/**
 * Registers the tests every engine must pass; see `engineChecks`.
 *
 * @example
 * testEngine(async (replies) => {
 *   const server = await startOllamaDouble({ replies: replies.map(toDoubleReply) });
 *   return { engine: new OllamaEngine({ host: server.url }), model: "m", close: () => server.close() };
 * });
 */
export function testEngine(makeEngine: MakeEngine, options: EngineCheckOptions = {}): void {
  testChecks("the engine keeps the contract of engines", engineChecks(makeEngine, options));
}

/**
 * Registers the tests every plugin package must pass; see `pluginChecks`. The package must be built.
 *
 * @example
 * testPlugin(new URL("..", import.meta.url));
 */
export function testPlugin(packageDir: string | URL, options: PluginCheckOptions = {}): void {
  testChecks("the package keeps the contract of plugins", pluginChecks(packageDir, options));
}
