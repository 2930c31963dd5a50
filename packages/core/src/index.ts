export { type AgentClass, BaseAgent } from "./agent.js";
export { AgentRun } from "./agent-run.js";
export type {
  AgentContext,
  AgentDefaults,
  AgentMetadata,
  AgentOptions,
  AgentResult,
  RunOptions,
  StopReason,
} from "./agent-types.js";
export { type CellOutputOptions, outputOfCell } from "./cell-output.js";
export { collect, DeltaCollector, toolCallDelta } from "./collect.js";
export { type CompleteAnswer, continueAnswer } from "./continuation.js";
export { type CoreCopy, coreCopies } from "./core-copies.js";
export {
  type CallOptions,
  type EngineHealth,
  failedHealth,
  InferenceEngine,
  type ModelCapabilities,
  type ModelInfo,
  type PullOptions,
} from "./engine.js";
export { type ErrorCode, type ErrorCodeEntry, errorCodes } from "./error-codes.js";
export {
  abortedError,
  errorText,
  isJarvisError,
  JarvisError,
  type JarvisErrorOptions,
  throwIfAborted,
} from "./errors.js";
export { EventBus, type EventBusOptions } from "./event-bus.js";
export type { AnyEvent, EventMap, EventType, JarvisEvent, RunRef, Subscriber } from "./events.js";
export { HistoryCalls } from "./history-calls.js";
export { createId } from "./ids.js";
export type { FinishReason, InferenceDelta, InferenceOptions, InferenceResult } from "./inference.js";
export { InstrumentedEngine, isInstrumented } from "./instrumented-engine.js";
export type { FromJsonSchema, JsonSchema } from "./json-schema.js";
export { LoopGuard, type LoopGuardOptions, type LoopVerdict } from "./loop-guard.js";
export { Conversation, type Message, type Role, type ToolCall, textOf } from "./message.js";
export { estimateTokens, MessageHistory } from "./message-history.js";
export { didYouMean, nearestName } from "./names.js";
export { checkInteger, checkNumber, checkOptionKeys } from "./options.js";
export { jsonSchemaOf, type ParametersOf, type ParametersSchema } from "./parameters.js";
export {
  type DiscoveredPlugin,
  discoverPlugins,
  findPackageDir,
  isDistribution,
  nearestPackageDir,
  type PluginOrigin,
  type PluginRoot,
  providedIds,
  readPluginRoot,
} from "./plugin-discovery.js";
export { type LoadOptions, loadPlugin, loadPlugins, type WantedIds } from "./plugin-loader.js";
export {
  type PluginManifest,
  type PluginProblem,
  parseManifest,
  pluginApiVersion,
} from "./plugin-manifest.js";
export type { EngineEntry, FactoryOptions, PluginEntry, SandboxEntry, ToolEntry } from "./registries.js";
export {
  AgentRegistry,
  EngineRegistry,
  MemoryRegistry,
  ObserverRegistry,
  SandboxRegistry,
  SchedulerRegistry,
  ToolRegistry,
} from "./registries.js";
export { Registry, type RegistryKind, registryKinds } from "./registry.js";
export type {
  CellError,
  CellErrorKind,
  CellResult,
  CodeSandbox,
  HostCall,
  HostFunction,
  RunCellOptions,
  SandboxLimits,
  SandboxSession,
  SandboxSessionOptions,
} from "./sandbox.js";
export { type CodeSessionSource, findCodeSessionSource } from "./sandbox.js";
export type { StandardIssue, StandardResult, StandardSchema } from "./standard-schema.js";
export { truncateEnd, truncateMiddle } from "./text.js";
export { type CallingRun, TextAgent, type TextRun } from "./text-agent.js";
export type { Observed, ReplyDialects, TextProtocol } from "./text-protocol.js";
export { BaseTool, defineTool, type OpenAIFunction, type ToolDefinition } from "./tool.js";
export { buildToolDescriptions, type ToolDescriptionOptions } from "./tool-descriptions.js";
export {
  type ExecuteOptions,
  type ToolCallRequest,
  ToolExecutor,
  type ToolExecutorOptions,
} from "./tool-executor.js";
export type {
  ConfirmAnswer,
  ConfirmCallback,
  PolicyDecision,
  ToolPolicy,
  ToolRequest,
} from "./tool-permission.js";
export {
  failedResult,
  type ToolContext,
  type ToolOutput,
  type ToolResult,
  type ToolSpec,
} from "./tool-types.js";
export { type AnsweredCall, ToolUsingAgent, type WrapUpOptions } from "./tool-using-agent.js";
export { addUsage, emptyUsage, type Usage } from "./usage.js";
export { type Validation, validateJson, validateParameters } from "./validate.js";
