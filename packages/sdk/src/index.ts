export type { AgentRequest, ToolDependencies } from "./agent-factory.js";
export { askResultToJson } from "./ask-result.js";
export { type ConfigOptions, configFile, loadConfig, validateConfigText } from "./config.js";
export { type ConfigKey, type ConfigKeyType, configKeys } from "./config-keys.js";
export type {
  Config,
  ConfigInput,
  ConfigProblem,
  ConfigValue,
  LoadedConfig,
  OptionTable,
} from "./config-types.js";
export { getConfigValue, setConfigValue } from "./config-values.js";
export type { EngineRequest, ResolvedEngine } from "./engine-resolver.js";
export { firstPartyPackages } from "./first-party.js";
export { type HomePaths, homePaths, resolveHome } from "./home.js";
export { Jarvis } from "./jarvis.js";
export type { AskOptions, AskResult, JarvisDefaults, JarvisOptions, PluginOptions } from "./options.js";
export { discoverInstalled, type InstalledPlugins, type PluginRoots, pluginRoots } from "./plugin-roots.js";
export { JarvisSystem } from "./system.js";
export { SystemBuilder } from "./system-builder.js";
export { isTrusted, listTrusted, trustProject, untrustProject } from "./trust.js";
