import type { AgentClass } from "./agent.js";
import type { InferenceEngine } from "./engine.js";
import { Registry } from "./registry.js";
import type { CodeSandbox } from "./sandbox.js";
import type { BaseTool } from "./tool.js";

/** Options a plugin's factory is called with; each kind documents its own. */
export type FactoryOptions = Record<string, unknown>;

/** A tool class, a factory, or a finished tool. */
export type ToolEntry = (new (options: never) => BaseTool) | ((options: never) => BaseTool) | BaseTool;

/** An engine class or factory. Options are those of the engine's section in config.toml. */
export type EngineEntry = (new (options: never) => InferenceEngine) | ((options: never) => InferenceEngine);

/** Tools by the name a model calls. */
export const ToolRegistry = new Registry<ToolEntry>("tools");

/** Engines by the name `--engine` takes. */
export const EngineRegistry = new Registry<EngineEntry>("engines");

/** Agents by the name `--agent` takes. */
export const AgentRegistry = new Registry<AgentClass>("agents");

/** A class or factory of a kind whose contract stands in the package that uses it. */
export type PluginEntry = (new (options: never) => object) | ((options: never) => object);

/** Memory backends by the name config takes. */
export const MemoryRegistry = new Registry<PluginEntry>("memory");

/** A sandbox class or factory. */
export type SandboxEntry = (new (options: never) => CodeSandbox) | ((options: never) => CodeSandbox);

/** Code sandboxes by language. */
export const SandboxRegistry = new Registry<SandboxEntry>("sandboxes");

/** Scheduler backends by the name config takes. */
export const SchedulerRegistry = new Registry<PluginEntry>("schedulers");

/** Observers by the name config takes. */
export const ObserverRegistry = new Registry<PluginEntry>("observers");
