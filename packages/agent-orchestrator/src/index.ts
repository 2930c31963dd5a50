import { AgentRegistry } from "@openjarvis/core";
import { OrchestratorAgent } from "./orchestrator-agent.js";

AgentRegistry.register("orchestrator")(OrchestratorAgent);

export { OrchestratorAgent, type OrchestratorMode, type OrchestratorOptions } from "./orchestrator-agent.js";
