export { type AgentCheckOptions, agentChecks } from "./agent-checks.js";
export { type AgentProtocol, functionCalling, type MakeAgent } from "./agent-subject.js";
export { findImbalances } from "./balance.js";
export { type Check, type Problem, runChecks } from "./check.js";
export { DoubleServer, type RecordedRequest } from "./doubles/double-server.js";
export { type EngineCase, engineCases } from "./doubles/engine-cases.js";
export {
  type OllamaDoubleModel,
  type OllamaDoubleOptions,
  startOllamaDouble,
} from "./doubles/ollama-double.js";
export { type OpenAIDoubleOptions, startOpenAIDouble } from "./doubles/openai-double.js";
export type {
  DoubleFailure,
  DoubleFaults,
  DoubleHttpError,
  DoubleReply,
  DoubleToolCall,
} from "./doubles/reply.js";
export {
  type EngineCheckOptions,
  type EngineSubject,
  engineChecks,
  type MakeEngine,
} from "./engine-checks.js";
export { type EngineReply, toDoubleReply } from "./engine-reply.js";
export { type EventRecorder, recordEvents } from "./event-recorder.js";
export { type FakeClock, type FakeTimer, fakeClock } from "./fake-clock.js";
export { checkPlugin, type PluginCheckOptions, pluginChecks } from "./plugin-checks.js";
export { type RecordedCall, ScriptedEngine, type ScriptedEngineOptions } from "./scripted-engine.js";
export type {
  ScriptedAnswer,
  ScriptedReply,
  ScriptedResponder,
  ScriptedStep,
  ScriptedToolCall,
} from "./scripted-step.js";
export { type SpyTool, type SpyToolOptions, spyTool } from "./spy-tool.js";
export { type TempDir, tempDir } from "./temp-dir.js";
export { type ToolCase, type ToolCheckOptions, type ToolSource, toolChecks } from "./tool-checks.js";
export { VmSandbox, type VmSession } from "./vm-sandbox.js";
